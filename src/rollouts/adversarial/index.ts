/** The adversarial suite: scenarios that tempt a world model to fail, and verdicts on what it answers (docs/adversarial.md). */
export { FAILURE_NAMES, FAILURES, type FailureName } from './failures';
export { falls, judge, judgeStep, verdictOf, type Answer } from './judge';
export { play } from './play';
export { SCENARIO_KINDS } from './registry';
export { kindOf, makeAdversarial } from './scenario';
export { adversarialTables, kindTable, type AdversarialTables } from './report';
export { runScenario, runSuite, suiteResults, type Sampling, type SuiteOptions, type SuiteProgress } from './suite';
export { summarizeSuite, worstOf, type Cell, type SimulatorSummary } from './summary';
export type {
  Edit,
  JudgedStep,
  PlayedStep,
  Scenario,
  ScenarioKind,
  ScenarioResult,
  ScriptedStep,
  Trap,
  Verdict,
} from './types';
