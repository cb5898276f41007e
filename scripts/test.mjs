/**
 * `npm test`: every stage runs even when one before it failed; the last line is "N passed, N failed" over all of them.
 * Lint, format and types count as one check each, the test runs by their tests.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './chromium.mjs';

const totals = { passed: 0, failed: 0 };
const started = Date.now();
const bin = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '.bin');
/** A stage that hangs must not hang everything: the whole run is meant to stay under ten minutes. */
const STAGE_LIMIT_MS = 8 * 60_000;
const scratch = mkdtempSync(join(tmpdir(), 'terrarium-test-'));

/**
 * @param {string} title
 * @param {string[]} command
 * @param {{ env?: Record<string, string>, live?: boolean }} [options] `live` prints as it goes, otherwise at the end.
 * @returns {Promise<boolean>} whether it ended well
 */
function run(title, [program = '', ...args], { env = {}, live = false } = {}) {
  if (live) console.log(`\n== ${title}`);
  const start = Date.now();
  return new Promise((resolve) => {
    const child = spawn(join(bin, program), args, {
      timeout: STAGE_LIMIT_MS,
      env: { ...process.env, ...env },
      stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (data) => (output += data));
    child.stderr?.on('data', (data) => (output += data));
    const end = (/** @type {boolean} */ ok) => {
      const seconds = ((Date.now() - start) / 1000).toFixed(1);
      if (!live) console.log(`\n== ${title}\n${output.trim()}`);
      console.log(`-- ${title}: ${ok ? 'ok' : 'FAILED'} (${seconds} s)`);
      resolve(ok);
    };
    child.on('error', (error) => {
      output += error.message;
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

/** @param {boolean} ok */
function count(ok) {
  if (ok) totals.passed += 1;
  else totals.failed += 1;
}

/**
 * Runs one Vitest project and adds up what its JSON report says.
 * @param {string} project
 * @param {{ env?: Record<string, string> }} [options]
 */
async function vitest(project, { env = {} } = {}) {
  const report = join(scratch, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', project, ...reporters];
  const ok = await run(`tests: ${project}`, ['vitest', ...args], { env, live: true });
  let failed = 0;
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    totals.passed += numPassedTests;
    // A file that does not even load has no failed test, but is a failure.
    const broken = testResults.filter(
      (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
        file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    );
    failed = numFailedTests + broken.length;
  } catch {
    console.error(`${project}: no report was written`);
  }
  totals.failed += ok ? failed : Math.max(failed, 1);
}

async function main() {
  const statics = [
    ['lint', 'eslint', '.', '--max-warnings', '0'],
    ['format', 'prettier', '--check', '.', '--log-level', 'warn'],
    ['types', 'tsc', '--noEmit'],
    ['types in components', 'svelte-check', '--fail-on-warnings', '--output', 'human'],
  ];
  // Two at a time: the machines this runs on have two cores.
  const queue = [...statics];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [title = '', ...command] = next;
      count(await run(title, command));
    }
  };
  await Promise.all([work(), work()]);

  const env = await ensureChromium().then(
    (path) => ({ CHROME_PATH: path }),
    (error) => {
      console.error(error instanceof Error ? error.message : error);
      count(false);
      return null;
    },
  );
  // One after another: side by side, unit and browser tests took longer than in turns on two threads of one core.
  await vitest('unit');
  if (env) await vitest('browser', { env });
  // Alone: some of these watch how long the page is busy.
  if (env) await vitest('e2e', { env });
}

try {
  await main();
} catch (error) {
  console.error(error);
  count(false);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\nAll stages took ${((Date.now() - started) / 1000).toFixed(0)} s`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
