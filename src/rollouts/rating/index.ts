/** Blind rating: pairs from recorded runs, votes of several raters, and what they say. */
export { blindPair, itemOn, leftOf, orderFor, SIDES, type BlindPair, type Side } from './blind';
export { candidatesOf, TWIN, type Candidate } from './candidates';
export {
  draftOf,
  emptyDraft,
  FIELDS,
  fits,
  missing,
  moved,
  PREFERENCE,
  voteOf,
  withPreference,
  withScore,
  type Draft,
} from './draft';
export { RatingError, type RatingErrorCode } from './errors';
export { readVotes, votesFileName, writeVotes } from './file';
export { effective, isRevealed, mergeRatings, votesOf } from './log';
export { choosePairs, type PairChoice } from './pairs';
export {
  drawsFor,
  resultsOf,
  type Agreement,
  type AuthorResult,
  type RaterResult,
  type RatingResults,
} from './results';
export { dpoRows, ktoRows, rowsText, UNWANTED, WANTED, type DpoRow, type KtoRow, type Rows } from './rows';
export { RatingStore, RATING_DATABASE, type MergeReport } from './store';
export {
  authorKey,
  completionOf,
  SCALES,
  type Author,
  type ItemKey,
  type LogEntry,
  type Preference,
  type RatedItem,
  type RatedTurn,
  type Rater,
  type Rating,
  type RatingPair,
  type RatingSet,
  type Scale,
  type TruthRole,
  type VoteEntry,
} from './types';
