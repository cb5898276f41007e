/** One step of a twin: a pure function of the program, what the codec shows of the world, and the call's text. */
import { callText, parseCall, type ParsedCall } from '../../world/codec/text';
import { isObject, type Json } from '../../world/json';
import { applyDelta, diffPatch } from '../../world/mergePatch';
import type { Action, Directive, Rule, State, Transition } from '../../world/types';
import { echo, errorAnswer } from './answer';
import { checkArgs } from './args';
import { present, steering, viewOf, type Steering } from './steer';
import type { Call, Params, Program, ShownParams } from './types';

/**
 * Answers a call. Never throws on any action: unreadable, unknown and wrongly typed calls get an error observation with
 * the status `malformed`, `unknown_tool` or `invalid_args`.
 * @param rules the world's rules; those switched off do not bite
 * @param start the state at the start of the visible context, which `stale` answers from
 */
export function stepProgram(
  program: Program,
  state: State,
  rules: readonly Rule[],
  action: Action,
  directives: readonly Directive[],
  start: State = state,
): Transition {
  const transition = execute(program, state, rules, action, steering(directives), start);
  // A delta is what changed and nothing else, in the order of the state, whatever the tool wrote.
  return { ...transition, delta: diffPatch(state, applyDelta(state, transition.delta)) };
}

function execute(
  program: Program,
  state: State,
  rules: readonly Rule[],
  action: Action,
  asked: Steering,
  start: State,
): Transition {
  const call = readCall(action);
  const tool = 'malformed' in call ? undefined : program.tools.find((candidate) => candidate.name === call.tool);
  const error = (code: string, message: string) => present(errorAnswer(code, message), asked, tool, state);
  if (asked.fail !== null) return error(asked.fail, asked.fail);
  if ('malformed' in call) return error('malformed', 'malformed call');
  if (!tool) return error('unknown_tool', `unknown tool ${echo(call.tool)}`.trimEnd());
  const view = viewOf(asked, tool, state, start, call.args);
  const answer = checkArgs(tool, view.args) ?? tool.apply(newCall(program, view.state, rules, view.args));
  // Arithmetic on what a hand edit put in a number's place; a state cannot hold its result.
  if (answer.shape !== 'error' && !isPlain(answer.delta)) return error('invalid_state', 'invalid state');
  return present(answer, asked, tool, view.state);
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
function asShown(params: Params): ShownParams {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

function newCall(program: Program, state: State, rules: readonly Rule[], args: Call['args']): Call {
  const standing = (id: string) => rules.filter((rule) => rule.id === id && rule.enabled);
  return {
    state,
    args,
    forbidden(facts, ...ruleIds) {
      for (const id of ruleIds) {
        const def = program.rules.find((candidate) => candidate.id === id);
        const rule = standing(id).find((one) => def?.violated?.(asShown(one.params), facts));
        if (def && rule) return errorAnswer(def.code ?? 'not_allowed', def.text(rule.params));
      }
      return undefined;
    },
    rule(id) {
      const rule = standing(id)[0];
      return rule && asShown(rule.params);
    },
  };
}
