/** Measurements that the page runs in a worker: the adversarial suite, and steering. */
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
