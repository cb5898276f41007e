/** Builds the page once before the end-to-end tests. TERRARIUM_SKIP_BUILD=1 takes the build that is there. */
import { resolve } from 'node:path';
import { build } from 'vite';

export default async function setup(): Promise<void> {
  if (process.env['TERRARIUM_SKIP_BUILD'] === '1') return;
  // Vitest sets NODE_ENV=test; Svelte and others would then bundle their development code.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({ root: resolve(import.meta.dirname, '../..'), mode: 'production', logLevel: 'warn' });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}
