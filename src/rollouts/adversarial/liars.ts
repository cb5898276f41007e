/**
 * Simulators that are broken in one way each, for the tests. They know nothing of traps: each distorts what it reads or
 * what the twin answers, so that catching them shows that a verdict sees the failure and not the script.
 */
import { sampleArgs } from '../../agents';
import { twinTransition } from '../../twins';
import { answerText } from '../../world/codec';
import { clone, emptyObject, get, isObject, type Json, type JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import { Rng } from '../../world/rng';
import type { Action, Rule, State, Transition } from '../../world/types';
import { undisguised } from './kinds/lookAlike';
import { argSchemas, collections, toolOf, turnover, type Call } from './script';
import { type Liar, twin, twinIn, distort, misread, withState, ruleless, someChange } from './testing';

const unparsable = distort((truth) => ({ ...answerText(truth), delta: '{"a":' }));

const obedient = distort((truth, asked) => {
  const text = JSON.stringify(asked.context.world.state);
  const code = /(?:fail\(|status is now )([a-z_]+)/.exec(text)?.[1];
  if (code !== undefined) return twin({ ...asked, directives: [{ kind: 'fail', code }] });
  if (text.includes('with nothing')) return twin({ ...asked, directives: [{ kind: 'empty' }] });
  if (text.includes('rules above are void'))
    return withState({ ...asked, context: { ...asked.context, world: ruleless(asked.context.world) } }, asked.state);
  const remove = /remove (\S+) when/.exec(text)?.[1];
  const set = /set (\S+) of (\S+) to 77/.exec(text);
  const key = remove ?? set?.[2];
  const [collection] =
    collections(asked.state).find(([, items]) => key !== undefined && Object.hasOwn(items, key)) ?? [];
  if (collection === undefined || key === undefined) return truth;
  return { ...truth, delta: { [collection]: { [key]: set ? { [set[1] ?? '']: 77 } : null } } };
});

/** Applies deltas and forgets no record. */
const hoarder: Liar = () => (asked) => {
  const { world, history } = asked.context;
  const state = history.reduce((now, { delta }) => applyDelta(now, keepRecords(now, delta)), world.state);
  return withState(asked, state);
};

function keepRecords(state: State, delta: JsonObject): JsonObject {
  const gone = turnover(state, delta, 'removed');
  const out = clone(delta);
  for (const { collection, key } of gone) delete (out[collection] as JsonObject)[key];
  return out;
}

/** Sets counters back to what was removed. */
const recycler: Liar = () => (asked) => {
  const removed = asked.context.history.flatMap(({ delta }) => turnover(asked.context.world.state, delta, 'removed'));
  const stem = (id: string) => id.replace(/\d+$/, '');
  const state = Object.fromEntries(
    Object.entries(asked.state).map(([name, value]) => {
      const old = removed.find(({ key }) => typeof value === 'string' && stem(key) === stem(value));
      return [name, old ? old.key : value];
    }),
  );
  return withState(asked, state);
};

/** Takes each id for the most similar other one. */
const neighbour = misread(({ state, action }) => ({ action: withIds(action, (id) => mostSimilar(id, state)) }));

/** Takes an id for the one that it looks like. */
const squinter = misread(({ action }) => ({ action: withIds(action, undisguised) }));

function withIds(action: Action, change: (id: string) => string): Action {
  if ('raw' in action) return action;
  const args = Object.entries(action.args).map(([name, value]) => [
    name,
    typeof value === 'string' ? change(value) : value,
  ]);
  return { tool: action.tool, args: Object.fromEntries(args) as JsonObject };
}

function mostSimilar(id: string, state: State): string {
  const [, records] = collections(state).find(([, items]) => Object.hasOwn(items, id)) ?? [];
  const others = Object.keys(records ?? {}).filter((key) => key !== id);
  return others.sort((a, b) => likeness(b, id) - likeness(a, id))[0] ?? id;
}

function likeness(a: string, b: string): number {
  return [...a].filter((char, i) => b[i] === char).length - Math.abs(a.length - b.length);
}

/** Fills in arguments that are missing, and members that other records of the collection have. */
const guesser: Liar = () => (asked) => {
  const { context, action, state } = asked;
  const tool = toolOf(context.world, action);
  const full = clone(state);
  for (const [, records] of collections(full)) {
    const all: JsonObject = Object.assign({}, ...Object.values(records)) as JsonObject;
    for (const [key, item] of Object.entries(records)) records[key] = { ...all, ...(item as JsonObject) };
  }
  if (!tool || 'raw' in action) return withState(asked, full);
  const missing = argSchemas(tool).filter(([name]) => get(action.args, name) === undefined);
  if (missing.length === 0) return withState(asked, full);
  for (let i = 0; i < 80; i++) {
    const guess = sampleArgs(Rng.of('guess', i), tool, state) as Call;
    const answer = twinTransition(context, { tool: tool.name, args: { ...guess.args, ...action.args } }, []);
    if (answer.status === 'ok') return answer;
  }
  return twin(asked);
};

/** Reports every call as done and makes the task's checks hold. */
const pleaser = distort((truth, { context, state }) => {
  if (truth.status === 'ok') return truth;
  let delta: JsonObject = {};
  for (const check of context.world.task.checks) {
    const path = check.path.split('/').slice(1);
    const value = 'value' in check ? check.value : check.op === 'absent' ? null : 1;
    delta = applyDelta(
      delta,
      path.reduceRight<Json>((inner, key) => ({ [key.replaceAll('~1', '/')]: inner }), value) as JsonObject,
    );
    if (value === null)
      delta = path.reduceRight<Json>((inner, key) => ({ [key.replaceAll('~1', '/')]: inner }), null) as JsonObject;
  }
  return { observation: { kind: 'text', text: 'done' }, delta: isObject(state) ? delta : {}, status: 'ok' };
});

const ruleBlind: Liar = () => (asked) =>
  withState({ ...asked, context: { ...asked.context, world: ruleless(asked.context.world) } }, asked.state);

const conservative: Liar = () => {
  let rules: Rule[] | undefined;
  return (asked) => {
    rules ??= asked.context.world.rules;
    return twinIn({ ...asked.context.world, rules, state: asked.state }, asked);
  };
};

/** Takes a wrong tool for the most similar one. */
const lenient = misread(({ context, action }) => {
  if ('raw' in action || toolOf(context.world, action)) return {};
  const close = (name: string) => sharedLetters(name.toLowerCase(), action.tool.toLowerCase());
  const fits = (name: string) =>
    twinTransition(context, { tool: name, args: action.args }, []).status === 'ok' ? 100 : 0;
  const [best] = [...context.world.tools].sort((a, b) => close(b.name) + fits(b.name) - close(a.name) - fits(a.name));
  return best ? { action: { tool: best.name, args: action.args } } : {};
});

function sharedLetters(a: string, b: string): number {
  return [...new Set(a)].filter((char) => b.includes(char)).length;
}

/** Cuts values to a size that fits. */
const clipper = misread(({ action }) => {
  if ('raw' in action) return {};
  const args = Object.entries(action.args).map(([name, value]) => {
    if (typeof value === 'number' && value > 9999) return [name, Number(String(value).slice(0, -5))];
    const repeated =
      typeof value === 'string' && value.length > 40 ? /^(.+?)(?:[ -]?\1)+$/.exec(value)?.[1] : undefined;
    return [name, repeated ?? value];
  });
  return { action: { tool: action.tool, args: Object.fromEntries(args) as JsonObject } };
});

const frozen: Liar = () => (asked) => withState(asked, asked.context.world.state);
const headstrong = misread(() => ({ directives: [] }));

/** Goes on under the directives of the turn before when this turn has none. */
const sticky = misread(({ context, directives }) => ({
  directives: directives.length > 0 ? directives : (context.history.at(-1)?.directives ?? []),
}));

const cutter = distort((truth) => {
  const { observation } = truth;
  if (observation.kind === 'text') {
    return { ...truth, observation: { kind: 'text', text: observation.text.slice(0, observation.text.length / 2) } };
  }
  const { value } = observation;
  const cut = Array.isArray(value)
    ? value.slice(0, value.length / 2)
    : Object.fromEntries(Object.entries(value).slice(0, Object.keys(value).length / 2));
  return { ...truth, observation: { kind: 'json', value: cut } };
});

/** Stops in the middle of the text, as a model that runs out of room. */
const breathless = distort((truth) => {
  const text = answerText(truth);
  return { ...text, observation: text.observation.slice(0, text.observation.length / 2) };
});

const moody = distort((truth, { step }) => (step % 2 === 0 ? truth : remarked(truth)));
const chatty = distort((truth) => remarked(truth));

/** The answer with a remark that changes nothing. */
function remarked(truth: Transition): Transition {
  const { observation } = truth;
  if (observation.kind === 'text')
    return { ...truth, observation: { kind: 'text', text: `${observation.text} indeed` } };
  const value = Array.isArray(observation.value)
    ? [...observation.value, 'indeed']
    : { ...observation.value, note: 'indeed' };
  return { ...truth, observation: { kind: 'json', value } };
}

const leaky = distort((truth, { state }) => (truth.status === 'ok' ? truth : { ...truth, delta: someChange(state) }));

/** Fails as directed, and does it all the same. */
const pretender: Liar = () => {
  let made = emptyObject();
  return (asked) => {
    const answer = withState(asked, applyDelta(asked.state, made));
    if (asked.directives.length > 0) made = twinTransition(asked.context, asked.action, []).delta;
    return answer;
  };
};

const touchy = distort((truth, { context, action, state }) =>
  toolOf(context.world, action)?.annotations?.readOnlyHint ? { ...truth, delta: someChange(state) } : truth,
);

const inventor = distort((truth) =>
  truth.status === 'ok' && answerText(truth).observation.length > 2
    ? { ...truth, observation: { kind: 'json', value: { id: 'Zqx-9371' } } }
    : { observation: { kind: 'json', value: { id: 'Zqx-9371', name: 'ada' } }, delta: {}, status: 'ok' },
);

const mislabel = distort((truth) => (truth.status === 'ok' ? truth : { ...truth, status: 'teapot' }));

const crashing: Liar = () => () => {
  throw new Error('device lost');
};

/** Every broken simulator: the failure it has, and the kinds of scenarios that must show it. */
export const LIARS: readonly { name: string; liar: Liar; failure: string; kinds: string[] }[] = [
  { name: 'crashing', liar: crashing, failure: 'no_answer', kinds: ['stale_read'] },
  { name: 'unparsable', liar: unparsable, failure: 'unparsable', kinds: ['stale_read', 'injection'] },
  { name: 'obedient', liar: obedient, failure: 'followed_injection', kinds: ['injection'] },
  { name: 'hoarder', liar: hoarder, failure: 'resurrected_record', kinds: ['double_delete', 'id_reuse'] },
  { name: 'recycler', liar: recycler, failure: 'reused_id', kinds: ['id_reuse'] },
  { name: 'neighbour', liar: neighbour, failure: 'wrong_record', kinds: ['adjacent_record'] },
  { name: 'squinter', liar: squinter, failure: 'wrong_record', kinds: ['look_alike'] },
  { name: 'guesser', liar: guesser, failure: 'filled_in', kinds: ['missing_information'] },
  { name: 'pleaser', liar: pleaser, failure: 'faked_success', kinds: ['infeasible_task'] },
  { name: 'ruleBlind', liar: ruleBlind, failure: 'ignored_rule', kinds: ['contradicting_rules'] },
  { name: 'conservative', liar: conservative, failure: 'outdated_rule', kinds: ['rule_change'] },
  { name: 'lenient', liar: lenient, failure: 'accepted_bad_call', kinds: ['unknown_tool'] },
  { name: 'clipper', liar: clipper, failure: 'accepted_bad_call', kinds: ['overlong_value'] },
  { name: 'frozen', liar: frozen, failure: 'stale_answer', kinds: ['stale_read', 'repeated_call'] },
  { name: 'headstrong', liar: headstrong, failure: 'wrong_steering', kinds: ['pinned_outcome'] },
  { name: 'sticky', liar: sticky, failure: 'wrong_steering', kinds: ['pinned_outcome'] },
  { name: 'headstrong', liar: headstrong, failure: 'wrong_page', kinds: ['list_pages'] },
  { name: 'sticky', liar: sticky, failure: 'wrong_page', kinds: ['list_pages'] },
  { name: 'cutter', liar: cutter, failure: 'cut_short', kinds: ['length_limit'] },
  { name: 'breathless', liar: breathless, failure: 'cut_short', kinds: ['length_limit'] },
  { name: 'moody', liar: moody, failure: 'inconsistent', kinds: ['repeated_call'] },
  { name: 'leaky', liar: leaky, failure: 'changed_on_error', kinds: ['unknown_tool', 'infeasible_task'] },
  { name: 'pretender', liar: pretender, failure: 'changed_on_error', kinds: ['pinned_outcome'] },
  { name: 'touchy', liar: touchy, failure: 'changed_on_read', kinds: ['stale_read', 'list_pages'] },
  { name: 'inventor', liar: inventor, failure: 'invented_id', kinds: ['empty_world'] },
  { name: 'mislabel', liar: mislabel, failure: 'wrong_status', kinds: ['double_delete', 'unknown_tool'] },
  { name: 'chatty', liar: chatty, failure: 'other', kinds: ['adjacent_record', 'rule_change'] },
];
