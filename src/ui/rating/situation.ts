/** The parts of a prompt's text that a rater reads first. */

export interface Situation {
  rules: string;
  tools: string;
  state: string;
  task: string;
  /** Turns before the one that is rated, as text; empty when there are none. */
  history: string;
}

/** Splits the text of a prompt at the codec's special tokens; null for a text of another shape, which is shown whole. */
export function situationOf(prompt: string): Situation | null {
  const match = /^<rules>([^]*?)<tools>([^]*?)<state>([^]*?)<task>([^]*?)(<turn>[^]*)?$/.exec(prompt);
  if (!match) return null;
  const [, rules = '', tools = '', state = '', task = '', turns = ''] = match;
  // The last turn is the one that is rated; its call stands beside the answers.
  const last = turns.lastIndexOf('<turn>');
  return { rules, tools, state, task, history: last > 0 ? turns.slice(0, last) : '' };
}
