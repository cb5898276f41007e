/** `npm run size`: gzip size of the JavaScript of the first load (the entry and its static imports), with its bound. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BOUND_KB = 300;
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');

/** @type {Record<string, { file: string, isEntry?: boolean, imports?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
/** @type {Set<string>} */
const files = new Set();
const visit = (/** @type {string} */ key) => {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  chunk.imports?.forEach(visit);
};
visit('index.html');

let total = 0;
for (const file of [...files].filter((name) => /\.m?js$/.test(name))) {
  const size = gzipSync(readFileSync(join(dist, file))).length;
  total += size;
  console.log(`${(size / 1000).toFixed(1).padStart(8)} kB  ${file}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(8)} kB  in all, gzip; the bound is ${BOUND_KB} kB`);
if (total > BOUND_KB * 1000) process.exitCode = 1;
