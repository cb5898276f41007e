import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type UserConfig } from 'vite';
import { modelFiles } from './scripts/modelFiles.ts';
import { ISOLATION_HEADERS } from './scripts/serve.mjs';

/** What the page's build and the browser tests have in common. */
export const shared = {
  plugins: [svelte(), modelFiles()],
  // No fallback to index.html: a page in place of a missing wasm or model file is a nasty error to find.
  appType: 'mpa',
  optimizeDeps: {
    // Pre-bundling would part ONNX Runtime's JavaScript from its wasm.
    exclude: ['onnxruntime-web', '@xenova/transformers'],
  },
  worker: { format: 'es' },
  server: { headers: ISOLATION_HEADERS },
} satisfies UserConfig;

export default defineConfig({
  ...shared,
  build: {
    target: 'es2023',
    // Models are fetched by path; nothing worth having is small enough to be inlined.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    // The list of what the first load needs, for scripts/size.mjs.
    manifest: true,
    // The second page is for `npm run bench` alone; the first links to nothing of it.
    rolldownOptions: { input: ['index.html', 'bench.html'] },
  },
});
