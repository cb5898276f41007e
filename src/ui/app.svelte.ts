/** The page's view-model: settings in the link, the world, the lanes, the run and what is chosen for the next step. */
import { Rollout, scheduleOf, stepsOf, withFaults, type RowOptions, type RunOrigin, type RunRecord } from '../rollouts';
import { FAMILIES, createExpert, makeWorld, noTruthReason, ruleText } from '../twins';
import type { Tokenizer } from '../world/codec/special';
import type { Directive, Rule, State, World } from '../world/types';
import { ActionModel } from './action.svelte';
import { AgentsModel, recordingsOf } from './agents.svelte';
import { NO_EDITS, applyEdits, editsBetween, isEdited } from './edits';
import { modelsFolder } from './folders';
import { DEFAULT_SETTINGS, formatHash, parseHash, type Settings } from './hash';
import { keepLanes, type LaneModel } from './lane.svelte';
import { laneDifferences, laneIdsOf } from './lanes';
import { Notices } from './notices.svelte';
import { openedWorld } from './opened';
import { RunModel } from './run.svelte';
import { Runs, describeImport } from './runs.svelte';
import { rememberRun, rememberedRun } from './session';
import { sentence } from './text';
import { Tokenizers } from './tokenizers.svelte';
import { changedPointers } from './view';

export class App {
  settings = $state.raw<Settings>(DEFAULT_SETTINGS);
  readonly notices = new Notices();
  readonly tokenizers = new Tokenizers();
  readonly action = new ActionModel();
  readonly agents = new AgentsModel();
  readonly runs = new Runs();
  /** Directives of the next turn that a person chose; faults come on top. */
  directives = $state.raw<Directive[]>([]);
  /** The generated world, before edits. */
  base = $state.raw<World>() as World;
  run = $state.raw<RunModel>() as RunModel;
  lanes = $state.raw<readonly LaneModel[]>([]);
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
  /** Directives of each step by the fault plan, or why it does not fit. */
  faults = $derived.by(() => {
    const { faults, faultSteps, seed } = this.settings;
    return scheduleOf(faults, this.family?.failCodes ?? [], faultSteps, seed);
  });
  /** Directives of the next step. */
  next = $derived(this.#directivesAt(this.run.rows.length));
  readonly #models: string;

  constructor() {
    const { url, problem } = modelsFolder(location.href, `${import.meta.env.BASE_URL}models/`);
    this.#models = url;
    if (problem) this.notices.add('warn', problem);
    this.#readHash();
  }

  /** What comes after the first paint: the last run of this tab, then the models, one after another. */
  async begin(): Promise<void> {
    await Promise.all([this.#restore(), this.loadLanes()]);
  }

  /** Another link was opened in this tab. */
  readHash(): void {
    rememberRun(null);
    this.#readHash();
    void this.loadLanes();
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
    this.#setLanes();
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
      this.#setLanes();
      void this.loadLanes();
    }
    if (otherWorld) {
      this.base = makeWorld(this.settings.family, this.settings.worldSeed, this.settings.difficulty);
      this.directives = [];
      this.start(this.base);
    } else if (others) {
      // A lane that joins late would answer from another state than the rest.
      this.#keepAction(() => this.start(this.run.world));
    } else if (lanes || provider) {
      const { rollout } = this.run;
      const run = { header: rollout.header, records: rollout.steps };
      this.#show(Rollout.resume(run, this.#rolloutLanes(), rollout.head));
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
    this.#show(Rollout.start(world, this.#rolloutLanes(), { title, ...(from ? { from } : {}) }));
    void this.#firstAction(world);
  }

  #rolloutLanes() {
    return this.lanes.map((lane) => lane.forRollout);
  }

  #show(rollout: Rollout): void {
    this.run = new RunModel(rollout, this.lanes, async (header, step) => {
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

  #setLanes(): void {
    this.lanes = keepLanes(this.lanes, this.settings, this.#models, this.tokenizers);
  }

  /** One after another: the first answers sooner, and two loads at once would only slow each other down. */
  async loadLanes(): Promise<void> {
    for (const lane of this.lanes) {
      if (this.lanes.includes(lane)) await lane.load();
    }
  }

  /** Which runtime an AR lane has. */
  setRuntime({ spec }: LaneModel, model: 'ar' | 'ar-transformers'): void {
    this.change({ lanes: this.settings.lanes.map((lane) => (lane === spec ? { ...lane, model } : lane)) });
  }

  /** Tokenizer of a lane's model; the twin reads nothing, so it is shown with any that is there. */
  tokenizerOf(id: string): Tokenizer | null {
    const own = this.lanes.find((lane) => lane.id === id)?.folder;
    const folders = own ? [own] : this.lanes.flatMap((lane) => lane.folder ?? []);
    return folders.map((folder) => this.tokenizers.get(folder)).find((tokenizer) => tokenizer !== null) ?? null;
  }

  /** What the step with this index is asked to be like: as chosen, with the fault that the plan has there. */
  #directivesAt(index: number): Directive[] {
    return withFaults(this.directives, this.faults.ok ? this.faults.value[index] : []);
  }

  get #options(): RowOptions {
    const { seed, temperature, threshold, topP } = this.settings;
    return { seed, temperature, threshold, topP };
  }

  async step(): Promise<void> {
    await this.#tell(() => this.run.step(this.action.action, { ...this.#options, directives: this.next }));
  }

  /** Lets the chosen agent act for so many steps at most, at the chosen pace. */
  async runAgent(steps: number): Promise<void> {
    await this.#tell(async () => {
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
          ...this.#options,
          steps: Math.min(steps, most),
          untilDone,
          lane: this.driven,
          gate: (signal) => agents.pace.gate(signal),
          directivesAt: (index) => this.#directivesAt(index),
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

  /**
   * Opens a recorded run at a step of it (the last unless told), with the lanes it was made with as far as this page has
   * them.
   */
  async open(id: string, step?: string): Promise<void> {
    if (step !== undefined && id === this.run.rollout.header.id) this.branch(step);
    else await this.#tell(async () => this.#openRun(await this.runs.load(id), step));
  }

  #openRun(run: RunRecord, step?: string): void {
    if (this.run.busy) return;
    const at = stepsOf(run).find(({ id }) => id === step) ?? stepsOf(run).at(-1);
    const { world } = run.header;
    const { base, settings } = openedWorld(run.header, this.settings, at);
    this.base = base;
    this.settings = settings;
    this.#setLanes();
    this.#show(Rollout.resume(run, this.#rolloutLanes(), at?.id));
    this.action.setTools(world.tools, this.state, at?.action);
    rememberRun(run.header.id, at?.id);
    this.writeHash();
    void this.loadLanes();
  }

  /** After a reload: the run this tab had open. Whoever acts first keeps what is on the page. */
  async #restore(): Promise<void> {
    const { run } = this;
    const open = rememberedRun();
    await this.#tell(async () => {
      await this.runs.refresh();
      if (open === null || !this.runs.list.some((entry) => entry.id === open.run)) return;
      const record = await this.runs.load(open.run);
      if (this.run === run && run.rows.length === 0 && !run.busy) this.#openRun(record, open.step ?? undefined);
    });
  }

  async delete(id: string): Promise<void> {
    if (this.run.busy) return;
    await this.#tell(async () => {
      await this.runs.delete(id);
      if (this.run.rollout.header.id === id) this.start(this.run.world);
    });
  }

  /** Imports files; a single new run is opened at once. */
  async import(files: Iterable<Blob>): Promise<void> {
    for (const file of files) {
      await this.#tell(async () => {
        const report = await this.runs.import(await file.text());
        this.notices.add('info', describeImport(report));
        for (const warning of report.warnings) this.notices.add('warn', warning);
        const [only, ...more] = [...report.added, ...report.copied.map(({ to }) => to)];
        if (only !== undefined && more.length === 0) await this.open(only);
      });
    }
  }

  /** Does something that may fail, and says so where people see it. */
  async #tell(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.notices.add('error', sentence(error));
    }
  }

  /** Runs an export and hands the text over, or says why there is none. */
  async export(id: string | 'all', take: (text: string, name: string) => void): Promise<void> {
    await this.#tell(async () => {
      const { text, name } = await this.runs.export(id);
      take(text, name);
    });
  }

  /** Keeps the link in step with the page, without a new entry in the browser's history. */
  writeHash(): void {
    history.replaceState(history.state, '', `#${formatHash(this.settings)}`);
  }
}
