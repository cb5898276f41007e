/** Where the time of a graph goes, by kind of operator: read out of what ONNX Runtime's profiler prints. */

/** An event of the profiler: microseconds. Operators are `Node`s named `..._kernel_time`, a pass is a `model_run`. */
export interface ProfileEvent {
  cat: string;
  name: string;
  ts: number;
  dur: number;
  args: { op_name?: string; output_type_shape?: { [type: string]: number[] }[] };
}

/** One kind of operator in all passes together. */
export interface OperatorTime {
  operator: string;
  calls: number;
  ms: number;
}

export interface Profile {
  passes: number;
  /** All passes, as the runtime saw them from outside. */
  ms: number;
  /** Longest first. */
  prompt: OperatorTime[];
  /** Inside a Loop: tokens that a graph writes by itself. */
  loop: OperatorTime[];
  /** Turns of the loop. */
  turns: number;
}

/**
 * The events of a profile; the runtime prints them as one JSON list, a line each.
 * @throws SyntaxError when that is not all there
 */
export function readProfile(text: string): ProfileEvent[] {
  return JSON.parse(text.slice(text.indexOf('['))) as ProfileEvent[];
}

/**
 * Adds the operators of the last passes up.
 * @param last how many passes count: those before were for warming up
 */
export function profileOf(events: readonly ProfileEvent[], last: number): Profile {
  const runs = events.filter(({ name }) => name === 'model_run').sort((a, b) => a.ts - b.ts);
  const counted = runs.slice(Math.max(0, runs.length - last));
  const from = counted[0]?.ts ?? Infinity;
  const nodes = events.filter(({ cat, name, ts }) => cat === 'Node' && name.endsWith('_kernel_time') && ts >= from);
  const loops = nodes.filter(({ args }) => args.op_name === 'Loop');
  const inLoop = ({ ts }: ProfileEvent) => loops.some((loop) => ts >= loop.ts && ts < loop.ts + loop.dur);
  const rest = nodes.filter(({ args }) => args.op_name !== 'Loop');
  const inner = rest.filter(inLoop);
  return {
    passes: counted.length,
    ms: counted.reduce((sum, { dur }) => sum + dur, 0) / 1000,
    prompt: byOperator(rest.filter((one) => !inLoop(one))),
    loop: byOperator(inner),
    // One best token a turn.
    turns: inner.filter(({ args }) => args.op_name === 'ArgMax').length,
  };
}

/** Products with weights have three dimensions or fewer, those of attention four: heads are a dimension of their own. */
function titleOf({ op_name: name = 'unknown', output_type_shape: outputs = [] }: ProfileEvent['args']): string {
  if (!/^(Fused)?MatMul$|^Gemm$/.test(name)) return name;
  const rank = Object.values(outputs[0] ?? {})[0]?.length ?? 0;
  if (rank < 4) return 'MatMul with weights';
  return name === 'FusedMatMul' ? 'MatMul of attention, scores' : 'MatMul of attention, values';
}

function byOperator(nodes: readonly ProfileEvent[]): OperatorTime[] {
  const sums = new Map<string, OperatorTime>();
  for (const { args, dur } of nodes) {
    const operator = titleOf(args);
    const sum = sums.get(operator) ?? { operator, calls: 0, ms: 0 };
    sums.set(operator, { operator, calls: sum.calls + 1, ms: sum.ms + dur / 1000 });
  }
  return [...sums.values()].sort((a, b) => b.ms - a.ms);
}

/**
 * A table: milliseconds a unit and share of each operator, what takes under one percent together.
 * @param units what the times are divided by, such as passes or tokens
 */
export function formatOperators(title: string, times: readonly OperatorTime[], units: number): string {
  const all = times.reduce((sum, { ms }) => sum + ms, 0);
  const small = times.filter(({ ms }) => ms < all / 100);
  const rest = { operator: `${small.length} others`, ...sumOf(small) };
  const rows = [...times.filter((one) => !small.includes(one)), ...(small.length > 0 ? [rest] : [])];
  const lines = rows.map(({ operator, calls, ms }) => {
    const share = `${((100 * ms) / all).toFixed(1)}%`;
    return `| ${operator} | ${(calls / units).toFixed(1)} | ${(ms / units).toFixed(3)} | ${share} |`;
  });
  return [`| ${title} | calls | ms | share |`, '|---|---|---|---|', ...lines].join('\n');
}

function sumOf(times: readonly OperatorTime[]): { calls: number; ms: number } {
  return times.reduce((sum, { calls, ms }) => ({ calls: sum.calls + calls, ms: sum.ms + ms }), { calls: 0, ms: 0 });
}
