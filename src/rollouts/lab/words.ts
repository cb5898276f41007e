/** What each number of a table is, in a sentence: for people who read the report or the page without the code. */
import type { Metric, TemporalCheck } from '../../metrics';

export const METRIC_WORDS: { readonly [metric in Metric]: string } = {
  parseOk: 'answers of which every slot parses',
  schemaOk: "successful answers that fit the tool's output schema, errors that are plain text",
  statusMatch: "same status as the twin's: ok, or the same kind of error",
  classMatch: 'both succeed or both fail',
  errorKindMatch: 'same kind of error, where the twin fails',
  observationExact: "observation exactly the twin's (key order does not matter)",
  observationExactSuccess: 'the same, where the twin succeeds',
  observationExactError: 'the same, where the twin fails',
  wrongOutcome:
    'observation wrong, and another status than the twin; with the next two and observationExact all answers',
  wrongNumbers: 'observation right but for digits',
  wrongText: 'observation wrong in another way, under the same status',
  deltaExact: "state delta exactly the twin's",
  deltaExactChanged: 'the same, where the twin changes something (dynamic)',
  deltaExactUnchanged: 'the same, where the twin changes nothing (static): copying nothing scores 1 here',
  deltaF1: 'F1 over leaves of the delta; extras count against',
  deltaF1Changed: 'the same, where the twin changes something',
  deltaF1Unchanged: 'the same, where the twin changes nothing',
  stateExact: "the answer leads to the twin's state",
  answerExact: 'observation, delta and status all exact',
  leafPrecision: "leaves of the observation that are the twin's, over leaves written",
  leafRecall: "the same over the twin's leaves",
  leafF1: 'F1 of both; extras count against',
  hallucinatedIds: 'identifiers from nowhere over identifiers named; less is better',
  contentScore: 'leaves right by their class (numbers within tolerance, ids and times by form)',
  contentObjective: 'of these, objective facts',
  contentNumeric: 'of these, numbers within tolerance',
  contentGeneratedId: 'of these, generated ids, by form',
  contentTimestamp: 'of these, timestamps, by form',
  contentFreeText: 'of these, free text',
  conservation: 'sums that must stay the same do, where something is moved',
  directiveCompliance: 'steps whose directives are all followed, of those on which one has an effect',
  collateralKept: 'leaves that directives leave alone and that stayed as they are',
};

export const TEMPORAL_WORDS: { readonly [check in TemporalCheck]: string } = {
  readAfterWrite: 'what was written is what is read later',
  repeatedRead: 'the same reading call in the same state is answered the same',
  deleted: 'a removed record is not shown any more',
  freshId: 'a new record gets an id that no record had before',
  counters: 'counters only count upwards',
};
