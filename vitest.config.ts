import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_FLAGS, findChromium } from './scripts/chromium.mjs';
import { shared } from './vite.config.ts';

const executablePath = findChromium();
const outside = ['**/node_modules/**', '**/dist/**', 'shared/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{src,workers,scripts,test}/**/*.test.ts'],
          exclude: [...outside, '**/*.browser.test.ts'],
          testTimeout: 30_000,
          // Vitest's own choice leaves one core free, which of two is half the machine.
          maxWorkers: '100%',
        },
      },
      {
        ...shared,
        optimizeDeps: { ...shared.optimizeDeps, include: ['vitest-browser-svelte', 'comlink', 'idb', 'diff'] },
        test: {
          name: 'browser',
          include: ['{src,workers,test}/**/*.browser.test.ts'],
          exclude: outside,
          globalSetup: ['test/browser/families.setup.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: CHROMIUM_FLAGS, ...(executablePath ? { executablePath } : {}) },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.e2e.ts'],
          globalSetup: ['test/e2e/build.ts'],
          // Two cores: pages that run models side by side would only slow each other down.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
