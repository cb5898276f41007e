/** The command line of `npm run bench`. */
import { misuseOf, readersOf, readOptions, whole } from '../arguments';

export const PROVIDERS = ['wasm1', 'wasm2', 'webgpu'] as const;
export type BenchProvider = (typeof PROVIDERS)[number];
/** Lanes that throughput is measured with. */
export const LANES = ['1', '8', '32', '100'] as const;

export const BENCH_USAGE = `Use: npm run -s bench -- [options]
  --providers LIST  of wasm1, wasm2 (WebAssembly with one and two threads) and webgpu; unless given, both of the first and
                    webgpu where there is a hardware adapter
  --exact N         transitions that exactness is measured on (300)
  --runs N          transitions that times are medians of (50)
  --openings N      openings of the page in fresh profiles (10; 0 leaves them out)
  --lanes LIST      of ${LANES.join(', ')}: lanes at once (all)
  --endurance N     steps of each model in which nothing may grow (1000; 0 leaves them out)
  --quick           --exact 10 --runs 3 --openings 1 --lanes 1,8 --endurance 40, where nothing else is given
  --minutes N       no part starts and none goes on after so long; what is there by then is reported (38)
  --models DIR      folder with the model folders ar and mdlm (those of the build)
  --seed N          of the transitions, 0 to 99 (1)
  --dist DIR        take the build that is there instead of making one
  --out FILE        the JSON, as it grows: what is measured is not lost (terrarium-bench.json in the folder for temporary files)
  --headed          with a window, where a browser without one has no graphics card
  --json            one JSON object on stdout instead of tables
Fewer than 300 transitions, 10 runs or openings, all lanes or 1000 steps are told of in the result. docs/bench.md says how to read it.`;

const wrong = misuseOf(BENCH_USAGE);

const OPTIONS = {
  providers: { type: 'string' },
  exact: { type: 'string' },
  runs: { type: 'string' },
  openings: { type: 'string' },
  lanes: { type: 'string' },
  endurance: { type: 'string' },
  quick: { type: 'boolean', default: false },
  minutes: { type: 'string', default: '38' },
  models: { type: 'string' },
  seed: { type: 'string', default: '1' },
  dist: { type: 'string' },
  out: { type: 'string' },
  headed: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

export interface BenchOptions {
  /** Null: what there is. */
  providers: BenchProvider[] | null;
  exact: number;
  runs: number;
  openings: number;
  /** Ascending. */
  lanes: number[];
  endurance: number;
  minutes: number;
  /** Null: those of the build. */
  models: string | null;
  seed: number;
  dist: string | null;
  out: string | null;
  headed: boolean;
  json: boolean;
}

/**
 * Reads the arguments behind `npm run bench --`.
 * @throws Error whose message says what is wrong and shows the usage; null when help was asked for
 */
export function parseBenchArgs(args: string[]): BenchOptions | null {
  const given = readOptions(args, OPTIONS, wrong);
  if (given.help) return null;
  const { number, list } = readersOf(wrong);
  const usual = given.quick
    ? { exact: '10', runs: '3', openings: '1', lanes: '1,8', endurance: '40' }
    : { exact: '300', runs: '50', openings: '10', lanes: LANES.join(), endurance: '1000' };
  const { providers, exact, runs, openings, lanes, endurance, minutes, seed, models, dist, out, headed, json } = {
    ...usual,
    ...given,
  };
  return {
    providers: providers === undefined ? null : list('providers', providers, PROVIDERS),
    exact: number('exact', exact, whole(1, 10_000), 'a whole number from 1 to 10000'),
    runs: number('runs', runs, whole(1, 1000), 'a whole number from 1 to 1000'),
    openings: number('openings', openings, whole(0, 1000), 'a whole number from 0 to 1000'),
    lanes: list('lanes', lanes, LANES).map(Number),
    endurance: number('endurance', endurance, (x) => x === 0 || whole(20, 100_000)(x), '0, or a whole number from 20'),
    minutes: number('minutes', minutes, (x) => x > 0 && x <= 1440, 'a number of minutes above 0, at most 1440'),
    seed: number('seed', seed, whole(0, 99), 'a whole number from 0 to 99'),
    ...{ models: models ?? null, dist: dist ?? null, out: out ?? null, headed, json },
  };
}

/** What a bench does less of than issue D asks for, in words; empty for a full one. */
export function reducedOf({ exact, runs, openings, lanes, endurance }: BenchOptions): string[] {
  const absent = LANES.map(Number).filter((one) => !lanes.includes(one));
  return [
    ...(exact < 300 ? [`exactness on ${exact} transitions instead of 300`] : []),
    ...(runs < 10 ? [`medians of ${runs} runs instead of at least 10`] : []),
    ...(openings < 10 ? [`${openings} openings of the page instead of 10`] : []),
    ...(absent.length > 0 ? [`no ${absent.join(', ')} lanes`] : []),
    ...(endurance < 1000 ? [`${endurance} steps of endurance instead of 1000`] : []),
  ];
}
