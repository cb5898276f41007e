/** Before the browser tests: Node makes the fingerprints of all families, so that no stored file can be out of date. */
import type { TestProject } from 'vitest/node';
import { fingerprints, type Fingerprints } from './families.fixture';

declare module 'vitest' {
  export interface ProvidedContext {
    /** What Node got; a browser must get the same. */
    nodeFingerprints: Fingerprints;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  project.provide('nodeFingerprints', await fingerprints());
}
