/** Every family gives the same bytes for the same seed in Node and in Chromium: worlds, tasks, plans and answers. */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { fingerprints, type Fingerprints } from '../../test/browser/families.fixture';
import { REGISTRY } from './registry';

const ofNode = inject('nodeFingerprints');
let ofBrowser: Fingerprints;

beforeAll(async () => {
  ofBrowser = await fingerprints();
}, 120_000);

test('Node made the fingerprints, for all families', () => {
  expect(Object.keys(ofNode)).toEqual(REGISTRY.map(({ name }) => name));
});

describe.each(REGISTRY.map(({ name }) => name))('%s', (name) => {
  test('the same seed gives the same bytes here and in Node, another seed others', () => {
    expect(ofBrowser[name]).toEqual(ofNode[name]);
    const all = Object.values(ofNode[name] ?? {});
    expect(all.length).toBeGreaterThanOrEqual(9);
    expect(new Set(all).size).toBe(all.length);
  });
});
