/** The page's view-model: settings in the link, the world, the lanes, the run and what is chosen for the next step. */
import { randomAgent } from '../agents';
import { FAMILIES, TwinSimulator, createExpert, makeWorld, noTruthReason, ruleText } from '../twins';
import type { Action, Directive, Rule, State, World } from '../world/types';
import { ActionModel } from './action.svelte';
import { NO_EDITS, applyEdits, editsBetween, isEdited } from './edits';
import { DEFAULT_SETTINGS, formatHash, parseHash, type Settings } from './hash';
import { LaneModel } from './lane.svelte';
import { Notices } from './notices.svelte';
import { RunModel } from './run.svelte';
import { Tokenizers } from './tokenizers.svelte';
import { changedPointers } from './view';

export class App {
  settings = $state.raw<Settings>(DEFAULT_SETTINGS);
  readonly notices = new Notices();
  readonly tokenizers = new Tokenizers();
  readonly action = new ActionModel();
  directives = $state.raw<Directive[]>([]);
  /** The generated world, before edits. */
  base = $state.raw<World>() as World;
  run = $state.raw<RunModel>() as RunModel;
  lanes = $state.raw<readonly LaneModel[]>([]);
  /** Lane whose state and prompt are shown. */
  lane = $state('twin');

  readonly families = FAMILIES;
  edited = $derived(isEdited(this.settings.edits));
  family = $derived(FAMILIES.find((candidate) => candidate.name === this.settings.family));
  noTruth = $derived(noTruthReason(this.run.world));
  state = $derived(this.run.stateOf(this.lane));
  changed = $derived(changedPointers(this.run.row?.results[this.lane]?.prediction?.transition.delta ?? {}));

  constructor() {
    this.readHash();
  }

  /** Takes the settings of the link; what is wrong in it is named and replaced. */
  readHash(): void {
    const { settings, problems } = parseHash(location.hash);
    for (const problem of problems) this.notices.add('warn', problem);
    if (!FAMILIES.some((candidate) => candidate.name === settings.family)) {
      this.notices.add('warn', `There is no world "${settings.family}"; "${DEFAULT_SETTINGS.family}" is shown.`);
      settings.family = DEFAULT_SETTINGS.family;
    }
    this.settings = settings;
    this.lanes = settings.lanes.filter((id) => id === 'twin').map((id) => new LaneModel(id, new TwinSimulator()));
    this.base = makeWorld(settings.family, settings.worldSeed, settings.difficulty);
    this.start(applyEdits(this.base, settings.edits, ruleText));
  }

  /** Changes settings from the page. Another world or other lanes begin a new run; sampling applies to the next step. */
  change(change: Partial<Settings>): void {
    if (this.run.busy) return;
    const { family, worldSeed, difficulty } = change;
    const otherWorld = family !== undefined || worldSeed !== undefined || difficulty !== undefined;
    this.settings = { ...this.settings, ...change, ...(otherWorld ? { edits: NO_EDITS } : {}) };
    if (otherWorld) {
      this.base = makeWorld(this.settings.family, this.settings.worldSeed, this.settings.difficulty);
      this.directives = [];
      this.start(this.base);
    }
    this.writeHash();
  }

  /** A new run from the world as it was generated. */
  reset(): void {
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
    const action = this.action.action;
    this.start(world);
    this.action.set(action);
    this.writeHash();
  }

  start(world: World): void {
    this.run = new RunModel(world, this.lanes);
    this.lane = 'twin';
    void this.#firstAction(world);
  }

  /** A call that works: the expert's first, or one with valid arguments. */
  async #firstAction(world: World): Promise<void> {
    this.action.setTools(world.tools, world.state);
    if (!world.twin) return;
    const action = await createExpert(world).act(this.run.view());
    if (this.run.world === world && this.run.rows.length === 0) this.action.setTools(world.tools, world.state, action);
  }

  async step(action: Action = this.action.action): Promise<void> {
    await this.run.step(action, this.directives, this.settings);
  }

  async runAgent(kind: 'expert' | 'random', steps: number): Promise<void> {
    const agent = kind === 'expert' ? createExpert(this.run.world) : randomAgent(this.settings.seed);
    await this.run.runAgent(agent, steps, this.settings, this.directives, (action) => this.action.set(action));
  }

  /** Keeps the link in step with the page, without a new entry in the browser's history. */
  writeHash(): void {
    history.replaceState(history.state, '', `#${formatHash(this.settings)}`);
  }
}
