/**
 * Finds the Chromium that tests and benches drive: CHROME_PATH, then the system's, then one that is installed on the spot.
 * Run directly it makes sure there is one and prints its path.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Flags for a headless browser that has a software WebGPU adapter and talks to nobody. */
export const CHROMIUM_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
];

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} file An apt "chromium" can be a wrapper that only tells to install a snap, so ask it. */
function answers(file) {
  return spawnSync(file, ['--version', '--no-sandbox'], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

/**
 * The path of an installed Chromium, or undefined. Installs nothing.
 * @returns {string | undefined}
 */
export function findChromium() {
  const wanted = process.env['CHROME_PATH'];
  if (wanted) {
    if (!isExecutable(wanted)) throw new Error(`CHROME_PATH=${wanted} is not an executable file.`);
    return wanted;
  }
  for (const name of NAMES) {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      const file = join(folder, name);
      if (folder && isExecutable(file) && answers(file)) return file;
    }
  }
  return undefined;
}

/** Playwright's own download, if it is there already. */
async function playwrightChromium() {
  const { chromium } = await import('playwright');
  const file = chromium.executablePath();
  return file && existsSync(file) ? file : undefined;
}

/**
 * The path of a Chromium; installs one if there is none (apt-get as root, else Playwright's download).
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const found = findChromium() ?? (await playwrightChromium());
  if (found) return found;
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) => {
    console.error(`No Chromium found; running: ${command} ${args.join(' ')}`);
    // Its chatter goes to stderr: stdout carries the path.
    execFileSync(command, args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  };
  if (process.platform === 'linux' && process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    try {
      run('apt-get', ['update']);
      run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
      const installed = findChromium();
      if (installed) return installed;
    } catch (error) {
      console.error(`apt-get could not install chromium (${error instanceof Error ? error.message : error}).`);
    }
  }
  try {
    run('npx', ['playwright', 'install', 'chromium']);
    const downloaded = await playwrightChromium();
    if (downloaded) return downloaded;
  } catch (error) {
    console.error(`Playwright could not download one (${error instanceof Error ? error.message : error}).`);
  }
  throw new Error('No Chromium. Install chromium or google-chrome, or set CHROME_PATH to its executable.');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureChromium().then(
    (file) => console.log(file),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
