/** One step of a twin: a pure function of the program, what the codec shows of the world, and the call's text. */
import { callText, parseCall, type ParsedCall } from '../../world/codec/text';
import { isObject, type Json } from '../../world/json';
import { applyDelta, diffPatch } from '../../world/mergePatch';
import type { Action, Directive, Rule, State, Transition } from '../../world/types';
import { echo, errorAnswer, steer, type Answer } from './answer';
import { checkArgs } from './args';
import type { Call, Params, Program } from './types';

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
  const call = readCall(action);
  if ('malformed' in call) return errorAnswer('malformed', 'malformed call');
  const tool = program.tools.find((candidate) => candidate.name === call.tool);
  if (!tool) return errorAnswer('unknown_tool', `unknown tool ${echo(call.tool)}`.trimEnd());
  const answer = checkArgs(tool, call.args) ?? tool.apply(newCall(program, state, rules, call.args));
  // Arithmetic on what a hand edit put in a number's place; a state cannot hold its result.
  if (answer.shape !== 'error' && !isPlain(answer.delta)) return errorAnswer('invalid_state', 'invalid state');
  return answer;
}

/** The call as its text says. A call nested too deep to be written is malformed. */
function readCall(action: Action): ParsedCall {
  try {
    return parseCall(callText(action));
  } catch (error) {
    if (error instanceof RangeError) return { malformed: 'the arguments are nested too deep' };
    throw error;
  }
}

function isPlain(value: Json): boolean {
  if (isObject(value)) return Object.values(value).every(isPlain);
  return typeof value === 'number' ? Number.isFinite(value) : !Array.isArray(value);
}

/** Parameters as their sentence shows them: `5` and `"5"` read the same, so they mean the same. */
function asShown(params: Params): Params {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

function newCall(program: Program, state: State, rules: readonly Rule[], args: Call['args']): Call {
  return {
    state,
    args,
    forbidden(facts, ...ruleIds) {
      for (const id of ruleIds) {
        const def = program.rules.find((candidate) => candidate.id === id);
        const rule = rules.find((one) => one.id === id && one.enabled && def?.violated(asShown(one.params), facts));
        if (def && rule) return errorAnswer(def.code, def.text(rule.params));
      }
      return undefined;
    },
  };
}
