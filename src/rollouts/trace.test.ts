import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OtherRecord, RunRecord, StepRecord } from './records';
import { sampleRun } from './testing';
import { readTrace, sameRun, traceLine, writeRun, writeTrace } from './trace';

let run: RunRecord;
let text: string;
let lines: string[];

beforeAll(async () => {
  run = await sampleRun('run-1');
  text = await writeRun(run);
  lines = text.trimEnd().split('\n');
});

/** A file of these lines with a footer that fits them. */
function signed(all: readonly string[]): string {
  const body = all.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ type: 'footer', counts: {}, sha256 })}\n`;
}

/** The file with one record changed, and a footer that fits again. */
function changed(line: number, change: (record: Record<string, unknown>) => unknown): string {
  const record = JSON.parse(lines[line - 1] ?? '') as Record<string, unknown>;
  change(record);
  return signed(lines.slice(0, -1).map((old, i) => (i === line - 1 ? JSON.stringify(record) : old)));
}

function set(target: unknown, [key = '', ...rest]: string[], value: unknown): void {
  const object = target as Record<string, unknown>;
  if (rest.length > 0) set(object[key], rest, value);
  else object[key] = value;
}

const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '7', '', 'runId', 'x y'));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\u2028', '"\\\n\r\0'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(keys, tie('value')),
  ),
})).value;
const extras = fc.dictionary(
  keys.filter((key) => key !== 'runId').map((key) => `x${key}`),
  json,
);
const protoKey = fc.boolean().map((yes) => JSON.parse(yes ? '{"__proto__":{"a":[1]}}' : '{}') as object);

describe('round trip', () => {
  it('writes a header, steps and a footer with counts and the hash of what stands before it', () => {
    expect(lines.map((line) => (JSON.parse(line) as OtherRecord).type)).toEqual([
      'header',
      'step',
      'step',
      'step',
      'footer',
    ]);
    const before = text.slice(0, text.lastIndexOf('{"type":"footer"'));
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      type: 'footer',
      counts: { header: 1, step: 3 },
      sha256: createHash('sha256').update(before).digest('hex'),
    });
  });

  it('reads what it wrote, several runs too, without a warning and byte for byte', async () => {
    const two = await writeTrace([run, await sampleRun('run-2')]);
    const read = await readTrace(two);
    expect(read.warnings).toEqual([]);
    expect(read.runs.map(({ header }) => header.id)).toEqual(['run-1', 'run-2']);
    expect(await writeTrace(read.runs)).toBe(two);
    expect(sameRun(read.runs[0] as RunRecord, run)).toBe(true);
    expect(sameRun(read.runs[0] as RunRecord, read.runs[1] as RunRecord)).toBe(false);
  });

  it('keeps unknown keys and unknown types of any content, in their place, byte for byte', async () => {
    const other = fc.record({
      type: fc.constantFrom('vote', 'note', 'metric', '__proto__'),
      rest: extras,
      proto: protoKey,
    });
    const arbitrary = fc.record({
      head: extras,
      proto: protoKey,
      steps: fc.array(extras, { minLength: 3, maxLength: 3 }),
      others: fc.array(other, { maxLength: 4 }),
      foot: extras,
      minor: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ head, proto, steps, others, foot, minor }) => {
        const records = run.records.map((step, i) => ({ ...step, ...steps[i] }) as StepRecord);
        const notes = others.map(({ type, rest, proto: own }) => ({ ...own, ...rest, type }) as OtherRecord);
        const header = { ...proto, ...run.header, ...head, version: [1, minor] as [number, number] };
        const first = await writeRun({
          header,
          records: [...records, ...notes],
          footer: foot as RunRecord['footer'] & object,
        });
        const { runs, warnings } = await readTrace(first);
        expect(await writeTrace(runs)).toBe(first);
        expect(warnings).toHaveLength(minor > 0 ? 1 : 0);
      }),
      { numRuns: 60 },
    );
  });

  it('never writes NaN or Infinity', () => {
    const bad = { type: 'note', deep: [{ x: NaN }] };
    expect(() => traceLine(bad)).toThrow(expect.objectContaining({ code: 'not_finite' }));
    expect(() => traceLine(bad)).toThrow('/deep/0/x');
    expect(() => traceLine({ type: 'note', y: -Infinity })).toThrow('/y');
  });

  it('takes Windows line ends, a byte order mark and empty lines', async () => {
    const { runs, warnings } = await readTrace(`\ufeff${text.replaceAll('\n', '\r\n')}\r\n\r\n`);
    expect(warnings).toEqual([]);
    expect(await writeTrace(runs)).toBe(text);
  });
});

describe('recordings that broke off', () => {
  it('imports without a footer, says so, and marks the run', async () => {
    const { runs, warnings } = await readTrace(`${lines.slice(0, 3).join('\n')}\n`);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('no footer');
    expect(runs[0]?.records).toHaveLength(2);
    expect(JSON.parse((await writeTrace(runs)).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ truncated: true });
    const again = await writeTrace(runs);
    expect(await writeTrace((await readTrace(again)).runs)).toBe(again);
  });

  it('is readable wherever it is cut behind the header', async () => {
    const start = (lines[0] ?? '').length + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: start, max: text.length - 2 }), async (cut) => {
        const { runs, warnings } = await readTrace(text.slice(0, cut));
        expect(warnings.length).toBeGreaterThan(0);
        const whole = text.slice(0, cut + 1).split('\n').length - 1;
        // A cut right behind a line leaves it whole, line break or not.
        expect(runs[0]?.records).toHaveLength(Math.min(3, whole - 1));
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a broken line in the middle', async () => {
    const broken = [lines[0], (lines[1] ?? '').slice(0, 50), ...lines.slice(2)].join('\n');
    await expect(readTrace(broken)).rejects.toThrow(/^Line 2 cannot be read/);
  });
});

describe('what is refused', () => {
  it.each([
    ['', 'empty'],
    ['<!doctype html>', 'not JSON'],
    ['{"a":1}', 'has no "type"'],
    ['[1]', 'not a JSON object'],
    ['{"type":"step"}', 'not a header'],
    ['{"type":"header","format":"other"}', 'not "wmtrace"'],
  ])('%j', async (content, message) => {
    await expect(readTrace(content)).rejects.toThrow(message);
  });

  it('another major version, with advice that fits', async () => {
    const wrong = (version: number[]) => readTrace(changed(1, (header) => (header['version'] = version)));
    await expect(wrong([2, 0])).rejects.toMatchObject({
      code: 'wrong_version',
      advice: 'Open it with a newer Terrarium.',
    });
    await expect(wrong([0, 3])).rejects.toMatchObject({
      code: 'wrong_version',
      advice: expect.stringContaining('written by'),
    });
    await expect(wrong([1])).rejects.toMatchObject({ code: 'bad_line' });
  });

  it('lines that are not those of the footer', async () => {
    const forged = text.replace('rate_limited', 'not_permitted');
    expect(forged).not.toBe(text);
    await expect(readTrace(forged)).rejects.toMatchObject({ code: 'changed' });
    await expect(readTrace([...lines.slice(0, 3), lines.at(-1)].join('\n'))).rejects.toMatchObject({ code: 'changed' });
  });

  type Case = [name: string, line: number, path: string, value: unknown, message: string];
  it.each<Case>([
    ['a header without a world', 1, 'world', undefined, '/world is not an object'],
    ['an operator unknown to checks', 1, 'world/task/checks/0/op', '~', '/world/task/checks/0/op is "~"'],
    ['a step of another run', 2, 'runId', 'other', 'belongs to the run "other"'],
    ['a parent that is not there', 3, 'parentId', 's9', 'parent "s9" does not stand before it'],
    ['a wrong index', 3, 'index', 5, 'index is 5 and should be 1'],
    ['two steps with one id', 3, 'id', 's1', 'two steps "s1"'],
    ['an action that is none', 2, 'action', { tool: 'x' }, '/action/args is not an object'],
    ['an unknown directive', 2, 'directives', [{ kind: 'lie' }], '/directives/0/kind is "lie"'],
    ['a model the header lacks', 2, 'results/twin/model', 0, 'names model 0'],
    ['a lane without an answer', 2, 'results/twin/prediction', null, 'either a prediction or a failure'],
    ['a delta that is a list', 2, 'results/say/prediction/transition/delta', [], '/transition/delta is not an object'],
    ['a token in no slot', 2, 'results/say/prediction/tokens/0/slot', 'x', '/tokens/0/slot is none of'],
  ])('%s', async (_name, line, path, value, message) => {
    const refused = readTrace(changed(line, (record) => set(record, path.split('/'), value)));
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(`Line ${line} `);
  });

  it('numbers too large for a double, which would come back as null', async () => {
    const big = signed([...lines.slice(0, -1), '{"type":"note","n":[1e999]}']);
    await expect(readTrace(big)).rejects.toThrow('Line 5 cannot be read: a number is too large');
  });

  it('one run twice in a file', async () => {
    await expect(readTrace(text + text)).rejects.toThrow('"run-1" stands in the file twice');
  });

  it('only whatever text one gives it with an error of its own, never another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: text.length }), fc.string(), async (at, inserted) => {
        const spoiled = text.slice(0, at) + inserted + text.slice(at);
        const outcome = await readTrace(spoiled).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome.name).toBe('RolloutError');
      }),
      { numRuns: 100 },
    );
  });
});
