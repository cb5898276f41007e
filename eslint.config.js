import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { layers } from './scripts/eslint/layers.mjs';

/** Names of the page, of workers and of Node that code which runs everywhere must not use. */
const PAGE = ['window', 'document', 'localStorage', 'sessionStorage', 'location', 'history', 'alert', 'HTMLElement'];
const OUTSIDE = [...PAGE, 'navigator', 'indexedDB', 'caches', 'fetch', 'self', 'Worker', 'postMessage', 'process'];
const CHANCE = [
  { object: 'Math', property: 'random', message: 'Draws come from the seeded generator of src/world/rng.ts.' },
  { object: 'Date', property: 'now', message: 'An answer is a function of what the codec shows; pass times in.' },
];

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'models/', 'test/fixtures/', 'shared/', '.library/', 'out/', 'corpus/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...ts.configs.stylistic,
  ...svelte.configs.recommended,
  ...svelte.configs.prettier,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.worker, ...globals.node },
    },
    plugins: { terrarium: { rules: { layers } } },
    rules: {
      'terrarium/layers': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A type for records and an interface for objects with methods are both fine here.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // A recursive JSON type has to be written with an index signature.
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      eqeqeq: ['error', 'always'],
      'no-undef': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'] } },
  },
  {
    files: ['src/{world,twins,metrics}/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-globals': ['error', ...OUTSIDE], 'no-restricted-properties': ['error', ...CHANCE] },
  },
  {
    files: ['src/{models,agents,rollouts}/**/*.ts', 'workers/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-globals': ['error', 'window', 'document', 'localStorage', 'sessionStorage', 'alert'] },
  },
);
