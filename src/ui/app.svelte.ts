/** The page's view-model: settings in the link, the world, the lanes, the run and what is chosen for the next step. */
import { Rollout, type RunOrigin, type RunRecord } from '../rollouts';
import { FAMILIES, createExpert, makeWorld, noTruthReason, ruleText } from '../twins';
import type { Tokenizer } from '../world/codec/special';
import type { Rule, State, World } from '../world/types';
import type { Pin } from '../world/anchors';
import { ActionModel } from './action.svelte';
import { AgentsModel, recordingsOf } from './agents.svelte';
import { NO_EDITS, applyEdits, editsBetween, isEdited } from './edits';
import { modelsFolder } from './folders';
import { DEFAULT_SETTINGS, formatHash, parseHash, type Settings } from './hash';
import type { LaneModel } from './lane.svelte';
import { laneIdsOf } from './lanes';
import { LaneSet } from './laneSet.svelte';
import { Notices } from './notices.svelte';
import { openedWorld } from './opened';
import { Recorded, stepOf } from './recorded';
import { RunModel } from './run.svelte';
import { Runs } from './runs.svelte';
import { rememberRun } from './session';
import { laneDifferences } from './sampling/options';
import { Steering } from './steering.svelte';
import { Tokenizers } from './tokenizers.svelte';
import { changedPointers } from './view';

export class App {
  settings = $state.raw<Settings>(DEFAULT_SETTINGS);
  readonly notices = new Notices();
  readonly tokenizers = new Tokenizers();
  readonly action = new ActionModel();
  readonly agents = new AgentsModel();
  readonly runs = new Runs();
  readonly recorded = new Recorded(this.runs, this.notices, this);
  /** The generated world, before edits. */
  base = $state.raw<World>() as World;
  run = $state.raw<RunModel>() as RunModel;
  /** Lane whose state and prompt are shown. */
  lane = $state<string>('twin');

  readonly families = FAMILIES;
  edited = $derived(isEdited(this.settings.edits));
  family = $derived(FAMILIES.find((candidate) => candidate.name === this.settings.family));
  noTruth = $derived(noTruthReason(this.run.world));
  state = $derived(this.run.stateOf(this.lane));
  /** Lane whose world agents see. */
  driven = $derived(this.run.lanes.find(({ id }) => id === this.agents.lane)?.id ?? this.run.rollout.leader());
  /** What the lanes' headers name, by lane. */
  differences = $derived(laneDifferences(this.settings.lanes, this.settings));
  /** Lane that the others are compared to: the chosen one if it is there. */
  against = $derived(this.lanes.some(({ id }) => id === this.settings.against) ? this.settings.against : 'twin');
  /** What can be replayed; the branch that is on show has nothing more to give. */
  recordings = $derived(
    recordingsOf(this.runs.list).filter(
      ({ run, leaf }) => run !== this.run.rollout.header.id || leaf !== this.run.head,
    ),
  );
  changed = $derived(changedPointers(this.run.row?.results[this.lane]?.prediction?.transition.delta ?? {}));
  readonly steering = new Steering(
    () => this.settings,
    () => this.family,
  );
  /** Directives of the next step. */
  next = $derived(this.steering.directivesAt(this.run.rows.length));
  readonly #lanes: LaneSet;

  constructor() {
    const { url, problem } = modelsFolder(location.href, `${import.meta.env.BASE_URL}models/`);
    this.#lanes = new LaneSet(url, this.tokenizers, () => ({ sampling: this.settings, pins: this.steering.pins }));
    if (problem) this.notices.add('warn', problem);
    this.#readHash();
    // Before the first paint: the workers start while the page is being drawn, and have cores of their own.
    void this.#lanes.load();
  }

  get lanes(): readonly LaneModel[] {
    return this.#lanes.list;
  }

  /** Tokenizer of a lane's model, or any that is there. */
  tokenizerOf(id: string): Tokenizer | null {
    return this.#lanes.tokenizerOf(id);
  }

  /** What comes after the first paint: the last run of this tab, and all models, should it have other lanes. */
  async begin(): Promise<void> {
    await Promise.all([this.recorded.restore(), this.#lanes.load()]);
  }

  /** Another link was opened in this tab. */
  readHash(): void {
    rememberRun(null);
    this.#readHash();
    void this.#lanes.load();
  }

  /** Takes the settings of the link; what is wrong in it is named and replaced. */
  #readHash(): void {
    const { settings, problems } = parseHash(location.hash);
    for (const problem of problems) this.notices.add('warn', problem);
    if (!FAMILIES.some((candidate) => candidate.name === settings.family)) {
      this.notices.add('warn', `There is no world "${settings.family}"; "${DEFAULT_SETTINGS.family}" is shown.`);
      settings.family = DEFAULT_SETTINGS.family;
    }
    this.run?.stop();
    this.settings = settings;
    this.#lanes.set(this.settings);
    this.base = makeWorld(settings.family, settings.worldSeed, settings.difficulty);
    this.#startRun(applyEdits(this.base, settings.edits, ruleText));
    // The address always says everything, also when the page was opened without a hash.
    this.writeHash();
  }

  /** Changes settings from the page. Another world or other lanes begin a new run; the rest applies to the next step. */
  change(change: Partial<Settings>): void {
    if (this.run.busy) return;
    const { family, worldSeed, difficulty, lanes, provider } = change;
    const others = lanes !== undefined && laneIdsOf(lanes).join() !== laneIdsOf(this.settings.lanes).join();
    const otherWorld = family !== undefined || worldSeed !== undefined || difficulty !== undefined;
    this.settings = { ...this.settings, ...change, ...(otherWorld ? { edits: NO_EDITS } : {}) };
    if (lanes || provider) {
      this.#lanes.set(this.settings);
      void this.#lanes.load();
    }
    if (otherWorld) {
      this.base = makeWorld(this.settings.family, this.settings.worldSeed, this.settings.difficulty);
      this.steering.clear();
      this.start(this.base);
    } else if (others) {
      // A lane that joins late would answer from another state than the rest.
      this.#keepAction(() => this.start(this.run.world));
    } else if (lanes || provider) {
      const { rollout } = this.run;
      const run = { header: rollout.header, records: rollout.steps };
      this.#show(Rollout.resume(run, this.#lanes.forRollout, rollout.head));
    }
    this.writeHash();
  }

  /** Shows another part of the page; a run that is under way goes on. */
  show(view: string): void {
    this.settings = { ...this.settings, view };
    this.writeHash();
  }

  /** A new run from the world as it was generated. */
  reset(): void {
    if (this.run.busy) return;
    this.settings = { ...this.settings, edits: NO_EDITS };
    this.start(this.base);
    this.writeHash();
  }

  /** A new run from the edited state: later steps of the old one have no meaning for it. */
  editState(state: State): void {
    this.#edit({ ...this.run.world, state });
  }

  /** A new run with a changed rule, from the state as it is now. */
  editRule(rule: Rule): void {
    const changed = { ...rule, text: ruleText(this.base, rule) ?? rule.text };
    const rules = this.run.world.rules.map((candidate) => (candidate.id === rule.id ? changed : candidate));
    this.#edit({ ...this.run.world, state: this.state, rules });
  }

  #edit(world: World): void {
    if (this.run.busy) return;
    this.settings = { ...this.settings, edits: editsBetween(this.base, world) };
    const { rollout, shown } = this.run;
    const at = shown.at(-1);
    // A run without steps is not kept, so nothing can come from it.
    const from = at && { run: rollout.header.id, step: at.id, index: at.index + 1, lane: this.lane };
    this.#keepAction(() => this.start(world, from));
    this.writeHash();
  }

  /** The call that is being put together outlives a new run of nearly the same world. */
  #keepAction(change: () => void): void {
    const action = this.action.action;
    change();
    this.action.set(action);
  }

  /** A new run; nothing of it is kept before its first step. */
  start(world: World, from?: RunOrigin): void {
    rememberRun(null);
    this.#startRun(world, from);
  }

  #startRun(world: World, from?: RunOrigin): void {
    const title = `${world.title}, seed ${this.settings.worldSeed}${this.edited ? ', edited' : ''}`;
    this.#show(Rollout.start(world, this.#lanes.forRollout, { title, ...(from ? { from } : {}) }));
    void this.#firstAction(world);
  }

  #show(rollout: Rollout): void {
    this.run = new RunModel(rollout, this.lanes, async (header, step) => {
      // They were asked of this step's answers; what is pinned next is another matter.
      this.steering.pins = [];
      rememberRun(header.id, step.id);
      await this.runs.record(header, step);
    });
    if (!this.run.laneIds.includes(this.lane)) this.lane = this.run.laneIds[0] ?? 'twin';
  }

  /** A call that works: the expert's first, or one with valid arguments. */
  async #firstAction(world: World): Promise<void> {
    const { run } = this;
    this.action.setTools(world.tools, world.state);
    if (this.noTruth !== null) return;
    const action = await createExpert(world).act(run.rollout.view());
    if (this.run === run && run.rows.length === 0) this.action.setTools(world.tools, world.state, action);
  }

  /** Which runtime an AR lane has. */
  setRuntime({ spec }: LaneModel, model: 'ar' | 'ar-transformers'): void {
    this.change({ lanes: this.settings.lanes.map((lane) => (lane === spec ? { ...lane, model } : lane)) });
  }

  /** Pins a part of an answer in the next step, or lets it go if it is pinned as it is there. */
  pin(pin: Pin): void {
    if (this.run.busy) return;
    const problem = this.steering.toggle(pin);
    if (problem !== null) this.notices.add('warn', problem);
  }

  async step(): Promise<void> {
    await this.notices.tell(() =>
      this.run.step(this.action.action, { seed: this.settings.seed, directives: this.next }),
    );
  }

  /** Lets the chosen agent act for so many steps at most, at the chosen pace. */
  async runAgent(steps: number): Promise<void> {
    await this.notices.tell(async () => {
      const { agents, run, recordings } = this;
      if (run.busy) return;
      const peek = (id: string) => this.runs.peek(id);
      const { agent, most, untilDone } = await agents.make(
        run.rollout,
        this.settings.seed,
        recordings[agents.recording],
        peek,
      );
      agents.pace.begin();
      await run
        .drive(agent, {
          seed: this.settings.seed,
          steps: Math.min(steps, most),
          untilDone,
          lane: this.driven,
          gate: (signal) => agents.pace.gate(signal),
          directivesAt: (index) => this.steering.directivesAt(index),
          onAction: (action) => this.action.set(action),
        })
        .finally(() => agents.pace.begin());
    });
  }

  /** Goes on from a step of the open run: its later steps stay, as a branch of their own. */
  branch(step: string): void {
    if (this.run.busy) return;
    this.run.goTo(step);
    rememberRun(this.run.rollout.header.id, step);
  }

  /** Shows a recorded run at a step of it, with the lanes it was made with as far as this page has them. */
  openRun(run: RunRecord, step?: string): void {
    if (this.run.busy) return;
    const at = stepOf(run, step);
    const { world } = run.header;
    const { base, settings } = openedWorld(run.header, this.settings, at);
    this.base = base;
    this.settings = settings;
    this.#lanes.set(this.settings);
    this.#show(Rollout.resume(run, this.#lanes.forRollout, at?.id));
    this.action.setTools(world.tools, this.state, at?.action);
    rememberRun(run.header.id, at?.id);
    this.writeHash();
    void this.#lanes.load();
  }

  /** Keeps the link in step with the page, without a new entry in the browser's history. */
  writeHash(): void {
    history.replaceState(history.state, '', `#${formatHash(this.settings)}`);
  }
}
