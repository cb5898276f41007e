/** One step of a twin: a pure function of the program, what the codec shows of the world, and the call's text. */
import { callText, parseCall } from '../../world/codec/text';
import { applyDelta, diffPatch } from '../../world/mergePatch';
import type { Action, Directive, Rule, State, Transition } from '../../world/types';
import { echo, errorAnswer, steer, type Answer } from './answer';
import { checkArgs } from './args';
import type { Call, Program } from './types';

/**
 * Answers a call. Never throws on any action: unreadable, unknown and wrongly typed calls get an error observation with
 * the status `malformed`, `unknown_tool` or `invalid_args`.
 * @param rules the world's rules; those switched off do not bite
 */
export function stepProgram(
  program: Program,
  state: State,
  rules: readonly Rule[],
  action: Action,
  directives: readonly Directive[],
): Transition {
  const transition = steer(() => execute(program, state, rules, action), directives);
  // A delta is what changed and nothing else, in the order of the state, whatever the tool wrote.
  return { ...transition, delta: diffPatch(state, applyDelta(state, transition.delta)) };
}

function execute(program: Program, state: State, rules: readonly Rule[], action: Action): Answer {
  const call = parseCall(callText(action));
  if ('malformed' in call) return errorAnswer('malformed', 'malformed call');
  const tool = program.tools.find((candidate) => candidate.name === call.tool);
  if (!tool) return errorAnswer('unknown_tool', `unknown tool ${echo(call.tool)}`.trimEnd());
  return checkArgs(tool, call.args) ?? tool.apply(newCall(program, state, rules, call.args));
}

function newCall(program: Program, state: State, rules: readonly Rule[], args: Call['args']): Call {
  return {
    state,
    args,
    forbidden(facts, ...ruleIds) {
      for (const id of ruleIds) {
        const rule = rules.find((candidate) => candidate.id === id && candidate.enabled);
        const def = program.rules.find((candidate) => candidate.id === id);
        if (rule && def?.violated(rule.params, facts)) return errorAnswer(def.code, def.text(rule.params));
      }
      return undefined;
    },
  };
}
