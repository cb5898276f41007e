/**
 * `*.wmsuite.json`: a run of a suite as one file (docs/formats/wmsuite.md). It holds the spec, the models, the tables and every
 * answer; whoever opens it makes the tables again from the answers and sees whether they are the same.
 */
import { isObject, get, parseJson, type Json } from '../../world/json';
import { adversarialTables, type AdversarialTables, type ScenarioResult } from '../adversarial';
import { LabError } from '../lab/errors';
import { rounded } from '../lab/files';
import { differencesOf, type ResultDifference } from '../lab/resultFile';
import { SIMULATOR_KINDS } from '../lab/spec';
import { NAME } from '../lab/specReader';
import { factsOf, steeringTables, type SteeringItem, type SteeringSuite, type SteeringTables } from '../steering';
import { anything, is, list, mapOf, members, oneOf, orNull, text, whole } from './check';
import { itemProblem, placeOf, SPECS } from './shapes';
import type { SuiteRow } from './store';
import { suiteSize, type AdversarialSuite, type SuiteItem, type SuiteName, type SuiteSpec } from './suites';

/** Version of the format: another major is refused, a newer minor is warned about. */
export const SUITE_FILE_VERSION: readonly [number, number] = [1, 1];
/** How a name ends. */
export const SUITE_ENDING = '.wmsuite.json';

/** What a file tells of a run; how many parts are done stands in `done`. */
export type SuiteHead<N extends SuiteName = SuiteName> = Omit<SuiteRow<N>, 'id'>;

/** Tables of a suite: counts by simulator, or grid and anchors. */
export interface SuiteTables {
  adversarial: Pick<AdversarialTables, 'simulators'>;
  steering: SteeringTables;
}

interface Opened<N extends SuiteName> {
  suite: N;
  head: SuiteHead<N>;
  items: SuiteItem<N>[];
  /** Tables made here from the items. */
  tables: SuiteTables[N];
  /** Where those in the file are others; empty when they are reproduced to the digit. */
  differences: ResultDifference[];
  warnings: string[];
}
/** A run that was read from a file. */
export type OpenedSuite = Opened<'adversarial'> | Opened<'steering'>;

/** The tables of a run, with numbers of twelve significant digits: the same in every engine. */
export function tablesOf<N extends SuiteName>(suite: N, ids: readonly string[], items: readonly SuiteItem[]) {
  const made =
    suite === 'adversarial'
      ? { simulators: adversarialTables(ids, items as ScenarioResult[], {}, 0).simulators }
      : steeringTables(factsOf(items as SteeringItem[]), ids);
  return rounded(JSON.parse(JSON.stringify(made))) as SuiteTables[N];
}

/**
 * A run as the texts of a file, one after another: a text of all of it could be longer than a text may be.
 * @param tables those of these items, where they are made already
 */
export function writeSuite(
  { suite, title, createdAt, spec, simulators, provider, models, total, done }: SuiteHead,
  items: readonly SuiteItem[],
  tables: object = tablesOf(
    suite,
    simulators.map(({ id }) => id),
    items,
  ),
): string[] {
  const head = {
    ...{ format: 'wmsuite', version: SUITE_FILE_VERSION, app: { name: 'terrarium' }, suite, title, createdAt },
    ...{ spec, simulators, provider, models, parts: { done, total } },
  };
  const open = JSON.stringify(head).slice(0, -1);
  return [
    `${open},\n"tables":${JSON.stringify(rounded(tables))},\n"items":[\n`,
    ...items.map((item, i) => `${i === 0 ? '' : ',\n'}${JSON.stringify(item)}`),
    '\n]}\n',
  ];
}

/** What a text that is no file of a batch's result may be: a run of a suite, or something else that a suite writes. */
export function suiteTextOf(start: string): 'file' | 'tables' | 'lines' | null {
  if (/^\s*\{\s*"format"\s*:\s*"wmsuite"/.test(start)) return 'file';
  if (/^\s*\{\s*"suite"\s*:\s*"(adversarial|steering)"/.test(start)) return 'tables';
  if (/^\s*\{"(type":"(steering|anchor)"|kind":"[a-z_]+","seed":)/.test(start)) return 'lines';
  return null;
}

const HEAD = members({
  ...{ suite: oneOf(['adversarial', 'steering']), title: text, createdAt: text, tables: mapOf(anything) },
  simulators: list(
    members({
      id: is((x) => typeof x === 'string' && NAME.test(x), 'a name of letters, digits and _ . + -'),
      kind: oneOf(SIMULATOR_KINDS),
      options: mapOf(anything),
    }),
  ),
  provider: oneOf(['auto', 'webgpu', 'wasm']),
  models: orNull(mapOf(orNull(members({ kind: text, version: text, runtime: text, provider: text })))),
  parts: members({ done: whole(0, 1e9), total: whole(0, 1e9) }),
  items: list(anything),
});

/**
 * Reads a run of a suite and makes its tables again.
 * @throws LabError `bad_record` that says where the file is wrong and what to do
 */
export function readSuite(written: string): OpenedSuite {
  const kind = suiteTextOf(written.slice(0, 400));
  const save = `Open the run in its view, under Runs, and save its JSON: it ends in ${SUITE_ENDING}.`;
  if (kind === 'tables')
    throw bad('The file has the tables of a run and not its answers, from which they are made.', save);
  if (kind === 'lines') throw bad('The file has the answers of a run, one a line (JSONL), and not what was run.', save);
  const parsed = parseJson(written);
  const again = 'Get the file again from whoever made it; a file that was cut off or changed by hand is refused.';
  if (!parsed.ok) throw bad(`The file of a run cannot be read: it is not JSON (${parsed.error}).`, again);
  const file = parsed.value;
  const [major, minor] = versionOf(file);
  if (major !== SUITE_FILE_VERSION[0]) {
    const what = `The file has version ${major}.${minor} of the format, and this page reads ${SUITE_FILE_VERSION[0]}.`;
    throw bad(what, 'Open it with the Terrarium it was made with.');
  }
  const refuse = (problem: string | null) => {
    if (problem !== null) throw bad(`The file of a run cannot be read: ${problem}.`, again);
  };
  refuse(HEAD(file, ''));
  const { suite, title, createdAt, spec, simulators, provider, models, parts, tables, items } =
    file as unknown as Contents;
  refuse(SPECS[suite](spec, '/spec'));
  const ids = simulators.map(({ id }) => id);
  const total = suiteSize(suite, spec, ids);
  refuse(parts.total === total ? null : `/parts/total is ${parts.total}, and its spec makes ${total}`);
  refuse(parts.done <= total ? null : `/parts/done is ${parts.done}, and there are ${total}`);
  refuse(itemsProblem(suite, spec, ids, parts.done, items));
  const head = { suite, title, createdAt, spec, simulators, provider, models, total, done: parts.done };
  const made = tablesOf(suite, ids, items);
  const newer = minor > SUITE_FILE_VERSION[1];
  return {
    ...{ suite, head, items, tables: made, differences: differencesOf(tables, asWritten(made, minor)) },
    warnings: newer ? [`The file has version ${major}.${minor} of the format; what is new in it is not read.`] : [],
  } as OpenedSuite;
}

/** Tables as a file of a minor version has them: in 1.0 a grid had families and no worlds. */
function asWritten(tables: SuiteTables[SuiteName], minor: number): object {
  if (minor > 0 || !('grid' in tables)) return tables;
  const { worlds: _, cells, ...grid } = tables.grid;
  const ofFamilies = cells.filter(({ world }) => world === null);
  return { ...tables, grid: { ...grid, cells: ofFamilies.map(({ world: _world, ...cell }) => cell) } };
}

interface Contents extends Omit<SuiteHead, 'total' | 'done'> {
  spec: SuiteSpec;
  parts: { done: number; total: number };
  tables: object;
  items: SuiteItem[];
}

function versionOf(file: Json): [number, number] {
  const version: unknown = isObject(file) ? get(file, 'version') : undefined;
  const good = Array.isArray(version) && version.length === 2 && version.every((part) => Number.isInteger(part));
  if (good) return version as [number, number];
  throw bad('The file of a run cannot be read: /version has to be two whole numbers.', 'Get it again from its maker.');
}

/** What is wrong with the items: each alone, and that each is of the run and there once. */
function itemsProblem(
  suite: SuiteName,
  spec: SuiteSpec,
  ids: readonly string[],
  done: number,
  items: readonly SuiteItem[],
): string | null {
  if (suite === 'adversarial' && items.length !== done)
    return `/items has ${items.length}, and /parts/done says ${done}`;
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    const place = `/items/${i}`;
    const wrong = itemProblem(suite, item, place) ?? strayProblem(suite, spec, ids, item, i);
    if (wrong !== null) return wrong;
    const key = keyOf(item);
    if (seen.has(key)) return `${place} is there twice`;
    seen.add(key);
  }
  return null;
}

function strayProblem(
  suite: SuiteName,
  spec: SuiteSpec,
  ids: readonly string[],
  item: SuiteItem,
  i: number,
): string | null {
  if (!ids.includes(item.simulator))
    return `/items/${i}/simulator is "${item.simulator}", and there are ${ids.join(', ')}`;
  if (suite === 'steering') {
    const { families, seeds, difficulties } = spec as SteeringSuite;
    const own = item as SteeringItem;
    if (own.type === 'anchor') return null;
    const { family, worldSeed, difficulty } = own;
    const known = families.includes(family) && seeds.includes(worldSeed) && difficulties.includes(difficulty);
    return known
      ? null
      : `/items/${i} is of ${family} ${worldSeed}, difficulty ${difficulty}, which the spec does not have`;
  }
  const { kind, seed, simulator } = placeOf(spec as AdversarialSuite, ids, i);
  const own = item as ScenarioResult;
  if (own.kind === kind && own.seed === seed && own.simulator === simulator) return null;
  return `/items/${i} is ${own.kind} ${own.seed} of ${own.simulator}, and at this place of the run is ${kind} ${seed} of ${simulator}`;
}

function keyOf(item: SuiteItem): string {
  if (!('type' in item)) return [item.kind, item.seed, item.simulator].join('\n');
  const { type, simulator, family, index, kind } = item;
  const which = item.type === 'anchor' ? [item.run, item.pinned] : [item.worldSeed, item.difficulty];
  return [type, simulator, family, index, kind, ...which].join('\n');
}

function bad(what: string, advice: string): LabError {
  return new LabError('bad_record', what, advice);
}
