/**
 * Scores by what a value is: facts must be exact, numbers near, made-up identifiers and times of the right form, free text
 * alike. So measures AgentWorldBench (arXiv 2606.24597) with a judge; here the class comes from schema and value.
 */
import { graded, where, type Part } from './definition';
import { identifiers, visibleText } from './ids';
import { leavesOf, observationValue } from './paths';
import { toolOf } from './schemaOk';
import { rougeL } from './text/rouge';
import { get, isObject, stringify, type Json } from '../world/json';
import type { Ratio } from './statistics';
import type { ScoredStep } from './types';

export const CONTENT_CLASSES = ['objective', 'numeric', 'generatedId', 'timestamp', 'freeText'] as const;
export type ContentClass = (typeof CONTENT_CLASSES)[number];

/** Numbers within this share of the true one count. */
export const TOLERANCE = 0.1;

const TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$|^\d{1,2}:\d{2}(?::\d{2})?$/;

/**
 * Class of a leaf of the true answer. An identifier that nothing visible holds was made up by the environment; one that is
 * visible is a fact. Text of three words or more is free.
 * @param schema the leaf's own schema, where there is one: `format`, `enum` and `const` decide first
 */
export function contentClass(value: Json, schema: Json | undefined, visible: ReadonlySet<string>): ContentClass {
  const format = isObject(schema) ? get(schema, 'format') : undefined;
  if (format === 'date-time' || format === 'date' || format === 'time') return 'timestamp';
  if (isObject(schema) && (Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const'))) return 'objective';
  if (typeof value === 'number') return 'numeric';
  if (typeof value !== 'string') return 'objective';
  if (TIME.test(value)) return 'timestamp';
  const named = [...identifiers(value)];
  if (named.length === 1 && named[0] === value && !visible.has(value)) return 'generatedId';
  return value.trim().split(/\s+/).length >= 3 ? 'freeText' : 'objective';
}

/** How well a value stands for the true one of a class, in [0, 1]. */
export function contentMatch(kind: ContentClass, expected: Json, predicted: Json): number {
  if (expected === predicted) return 1;
  if (typeof expected !== typeof predicted) return 0;
  switch (kind) {
    case 'objective':
      return Number(stringify(expected) === stringify(predicted));
    case 'numeric':
      return Number(Math.abs(Number(expected) - Number(predicted)) <= TOLERANCE * Math.abs(Number(expected)));
    case 'generatedId':
    case 'timestamp':
      return Number(form(String(expected)) === form(String(predicted)));
    case 'freeText':
      return rougeL(String(expected), String(predicted)).f1;
    default:
      return kind satisfies never;
  }
}

/** The form of an identifier or a time: letters by case, digits one by one, everything else as it is. */
function form(text: string): string {
  return text
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, (letter) => (letter === 'A' ? letter : 'a'))
    .replace(/\p{N}/gu, '0');
}

/** Points and leaves of each class, and leaves of the answer that the true one does not have. */
export type ContentCounts = { [K in ContentClass]: Ratio } & { extra: number };

// Every class of a table asks for the same step.
const counted = new WeakMap<ScoredStep, ContentCounts>();

/** Scores the observation's leaves by class; an unparsable answer has no points and no extra leaves. */
export function contentCounts(step: ScoredStep): ContentCounts {
  const known = counted.get(step);
  if (known) return known;
  const counts = count(step);
  counted.set(step, counts);
  return counts;
}

function count({ context, action, directives, truth, answer }: ScoredStep): ContentCounts {
  const none = () => ({ sum: 0, n: 0 });
  const counts: ContentCounts = {
    objective: none(),
    numeric: none(),
    generatedId: none(),
    timestamp: none(),
    freeText: none(),
    extra: 0,
  };
  const visible = identifiers(visibleText(context, action, directives));
  const schema = toolOf(context.world.tools, action)?.outputSchema;
  const parsed = answer.parseErrors.length === 0 && answer.transition.observation.kind === truth.observation.kind;
  const given = new Map(
    answer.parseErrors.length > 0
      ? []
      : leavesOf(observationValue(answer.transition.observation)).map(({ path, value }) => [path, value] as const),
  );
  const wanted = leavesOf(observationValue(truth.observation));
  for (const { path, value } of wanted) {
    const kind = contentClass(value, schema && schemaAt(schema, path), visible);
    const found = given.get(path);
    counts[kind].n++;
    if (parsed && found !== undefined) counts[kind].sum += contentMatch(kind, value, found);
  }
  const paths = new Set(wanted.map(({ path }) => path));
  counts.extra = [...given.keys()].filter((path) => !parsed || !paths.has(path)).length;
  return counts;
}

/** Schema of the leaf at a path, as far as `properties` and `items` tell. */
function schemaAt(schema: Json, path: string): Json | undefined {
  return path
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((here, part) => {
      if (!isObject(here)) return undefined;
      const items = get(here, 'items');
      if (items !== undefined) return items;
      const properties = get(here, 'properties');
      return isObject(properties) ? get(properties, part.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined;
    }, schema);
}

const of =
  (kind: ContentClass): Part =>
  (_, step) =>
    contentCounts(step)[kind];

const overall: Part = (_, step) => {
  const { extra, ...classes } = contentCounts(step);
  const all = Object.values(classes);
  return { sum: all.reduce((sum, one) => sum + one.sum, 0), n: all.reduce((sum, one) => sum + one.n, extra) };
};

/** Only successful answers: errors say what rules and directives spell out. */
const successful = (part: Part) => graded(where(({ success }) => success, part));

/** Points over leaves (`metrics_formats.md` 3.4, 6), extra leaves in the denominator, where the twin succeeds. */
export const contentScore = successful(overall);
/** Points over the true leaves of one class. */
export const contentObjective = successful(of('objective'));
export const contentNumeric = successful(of('numeric'));
export const contentGeneratedId = successful(of('generatedId'));
export const contentTimestamp = successful(of('timestamp'));
export const contentFreeText = successful(of('freeText'));
