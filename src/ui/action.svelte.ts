/** The call that is being put together: by the form of a tool, or as raw text. */
import { callText } from '../world/codec/text';
import type { Action, State, Tool } from '../world/types';
import { argsOf, exampleValues, fieldsOf, fitsForm, rawAction, valuesOf, type FormValues } from './form';

export class ActionModel {
  mode = $state<'form' | 'raw'>('form');
  tool = $state('');
  values = $state<FormValues>({});
  raw = $state('');
  #tools = $state.raw<readonly Tool[]>([]);
  #fields = $derived.by(() => {
    const tool = this.#tools.find((candidate) => candidate.name === this.tool);
    return tool ? fieldsOf(tool.inputSchema) : [];
  });
  #read = $derived(argsOf(this.#fields, this.values));
  /** The action that a step would take now. `argsOf` makes it anew from texts, so it holds no proxies. */
  action: Action = $derived(this.mode === 'raw' ? rawAction(this.raw) : { tool: this.tool, args: this.#read.args });

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  get fields() {
    return this.#fields;
  }

  /** Hints about the inputs, by name; they never keep anyone from stepping. */
  get problems() {
    return this.#read.problems;
  }

  /** Takes over the tools of another world. `first` is the call to begin with. */
  setTools(tools: readonly Tool[], state: State, first?: Action): void {
    this.#tools = tools;
    this.mode = 'form';
    if (first && fitsForm(tools, first)) this.set(first);
    else this.pick(tools[0]?.name ?? '', state);
  }

  /** Chooses a tool, with arguments that are valid in this state. */
  pick(name: string, state: State): void {
    this.mode = 'form';
    this.tool = name;
    this.values = exampleValues(this.#fields, state);
  }

  /** Shows an action that came from elsewhere: in the form where it fits, otherwise as raw text. */
  set(action: Action): void {
    if (fitsForm(this.#tools, action)) {
      this.mode = 'form';
      this.tool = action.tool;
      this.values = valuesOf(this.#fields, action.args);
    } else {
      this.raw = callText(action);
      this.mode = 'raw';
    }
  }

  toRaw(): void {
    if (this.mode === 'raw') return;
    this.raw = callText(this.action);
    this.mode = 'raw';
  }

  /** Back to the form; a raw text that the form cannot show leaves the form as it was. */
  toForm(): void {
    const action = rawAction(this.raw);
    this.mode = 'form';
    if (fitsForm(this.#tools, action)) this.set(action);
  }
}
