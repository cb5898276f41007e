/** Measurements that the page runs in a worker: the adversarial suite, and steering. */
export {
  readSuite,
  SUITE_ENDING,
  SUITE_FILE_VERSION,
  suiteTextOf,
  writeSuite,
  type OpenedSuite,
  type SuiteHead,
} from './file';
export { newRow, SuiteStore, SUITES_DATABASE, type SuiteRow } from './store';
export {
  KIND_NAMES,
  suiteParts,
  suiteSize,
  type AdversarialSuite,
  type SuiteItem,
  type SuiteName,
  type SuitePart,
  type Suites,
  type SuiteSpec,
} from './suites';
