/** Steering measured: directives (compliance and collateral) and pinned outcomes (anchors), docs/steering.md, docs/anchors.md. */
export { casesOf, OUTCOMES, sampleSteps, toldOf, type AnchorCase, type OutcomeKind } from './anchorCases';
export { answerStep, runAnchors, type AnchorAnswer, type AnchorSampling } from './anchorRun';
export { anchorRecord, outcomesReport, type AnchorRecord, type KindReport } from './anchorReport';
export { DIRECTIVES, steeringCases, type DirectiveKind, type SteeringCase, type SteeringSpec } from './cases';
export { answerCase, type SteeringRecord } from './run';
export { ALL, cellOf, steeringGrid, type GridCell, type GridWorld, type SteeringGrid } from './grid';
export { countParts, pinnable, steeringParts, type SteeringItem, type SteeringPart, type SteeringSuite } from './suite';
export { anchorTable, factsOf, gridTable, steeringTables, type SteeringFacts, type SteeringTables } from './tables';
