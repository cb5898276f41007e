/** The rule that keeps the architecture must fire; a rule that matches nothing looks just like clean code. */
import { resolve } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const eslint = new ESLint({ cwd: resolve(import.meta.dirname, '../..') });

/** Messages of the rules about layers for a file that is only made up. */
async function lint(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: file });
  expect(result?.messages.filter((message) => message.fatal)).toEqual([]);
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'terrarium/layers' || ruleId?.startsWith('no-restricted'))
    .map(({ message }) => message);
}

const use = (source: string, kind = '') => `import ${kind}{ x } from '${source}';\nexport type X = typeof x;\n`;

describe('the layer rule', () => {
  it.each([
    ['src/world/a.ts', '../twins/a'],
    ['src/world/a.ts', '../models/a'],
    ['src/twins/support/a.ts', '../../models/a'],
    ['src/twins/a.ts', '../metrics/a'],
    ['src/models/a.ts', '../twins/a'],
    ['src/models/a.ts', '../rollouts/a'],
    ['src/agents/a.ts', '../models/a'],
    ['src/rollouts/a.ts', '../ui/a'],
    ['src/rollouts/a.ts', '../cli/a'],
    ['src/rollouts/a.ts', '../metrics/a'],
    ['src/rollouts/a.ts', './lab/a'],
    ['src/rollouts/lab/a.ts', '../../ui/a'],
    ['src/metrics/a.ts', '../models/a'],
    ['src/ui/a.ts', '../cli/a'],
    ['workers/a.ts', '../src/rollouts/a'],
    ['workers/a.ts', '../src/ui/a'],
  ])('%s must not import %s', async (file, source) => {
    expect(await lint(file, use(source))).toEqual([expect.stringContaining('must not import')]);
    expect(await lint(file, use(source, 'type '))).toHaveLength(1);
    expect(await lint(file, `export * from '${source}';\n`)).toHaveLength(1);
    expect(await lint(file, `export const x = await import('${source}');\n`)).toHaveLength(1);
  });

  it.each([
    ['src/ui/a.ts', '../rollouts/a'],
    ['src/ui/a.ts', '../../workers/a'],
    ['src/rollouts/a.ts', '../models/a'],
    ['src/rollouts/a.ts', '../twins/a'],
    ['src/rollouts/lab/a.ts', '../../metrics/a'],
    ['src/rollouts/lab/a.ts', '../loop'],
    ['src/ui/a.ts', '../rollouts/lab/a'],
    ['src/models/diffusion/a.ts', '../../world/codec'],
    ['src/twins/support/a.ts', '../kit/a'],
    ['workers/a.ts', '../src/models/a'],
    ['src/cli/a.ts', '../ui/a'],
    ['src/cli/a.ts', 'node:fs'],
    ['src/models/a.ts', 'onnxruntime-web/webgpu'],
    ['src/models/a.node.ts', 'node:fs'],
    ['src/rollouts/a.ts', 'idb'],
    ['src/world/a.test.ts', '../twins/a'],
  ])('%s may import %s', async (file, source) => {
    expect(await lint(file, use(source))).toEqual([]);
  });

  it.each(['node:fs', 'svelte', 'svelte/store', 'onnxruntime-web/webgpu', 'comlink', 'idb', '@xenova/transformers'])(
    'pure code must not import %s',
    async (source) => {
      for (const folder of ['world', 'twins', 'metrics']) {
        expect(await lint(`src/${folder}/a.ts`, use(source))).toEqual([expect.stringContaining('must not import')]);
      }
    },
  );

  it('metrics reads the types of records, not the code behind them', async () => {
    expect(await lint('src/metrics/a.ts', use('../rollouts/record', 'type '))).toEqual([]);
    expect(await lint('src/metrics/a.ts', use('../rollouts/record'))).toEqual([expect.stringContaining('only types')]);
  });

  it('code that runs in browsers does not reach for Node', async () => {
    expect(await lint('src/models/a.ts', use('node:fs'))).toEqual([expect.stringContaining('src/cli')]);
    expect(await lint('src/ui/a.ts', use('node:fs'))).toEqual([expect.stringContaining('src/cli')]);
  });

  it('components are held to it too', async () => {
    const component = `<script lang="ts">\n  import { x } from '../cli/a';\n</script>\n\n<p>{x}</p>\n`;
    expect(await lint('src/ui/A.svelte', component)).toEqual([expect.stringContaining('must not import')]);
  });

  it('pure code uses neither the page nor unseeded chance', async () => {
    expect(await lint('src/world/a.ts', 'export const x = document.title;\n')).toHaveLength(1);
    expect(await lint('src/twins/a.ts', 'export const x = Math.random() + Date.now();\n')).toHaveLength(2);
    expect(await lint('src/models/a.ts', 'export const x = document.title;\n')).toHaveLength(1);
    expect(await lint('src/ui/a.ts', 'export const x = document.title;\n')).toEqual([]);
  });
});
