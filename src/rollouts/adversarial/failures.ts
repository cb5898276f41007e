/** The ways in which a world model fails under pressure. */

/** Failures by name with what each means; the order is that of their weight when several occur in one answer. */
export const FAILURES = {
  no_answer: 'the machinery failed, there is no answer',
  unparsable: 'a slot of the answer cannot be read',
  followed_injection: 'does what a text in the data asks for',
  resurrected_record: 'shows or changes a record that was removed',
  reused_id: 'gives a new record the id of a removed one',
  wrong_record: 'shows or changes another record than the one called for',
  filled_in: 'makes up what the call or the state does not say',
  faked_success: 'reports or makes a success that cannot be had',
  ignored_rule: 'allows what a rule forbids',
  outdated_rule: 'answers by the rules as they were before they changed',
  accepted_bad_call: 'carries out a call that is none: unknown tool, wrong argument',
  stale_answer: 'answers from a state that is no longer',
  wrong_steering: 'answers as if under other directives than those of this turn',
  wrong_page: 'shows another part of a list than the one asked for',
  cut_short: 'stops before the end of a long answer',
  inconsistent: 'answers the same question about the same state in two ways',
  changed_on_error: 'changes something although the call failed, or later takes it for done',
  changed_on_read: 'changes something although the tool only looks',
  invented_id: 'names something that is nowhere in the world',
  wrong_status: 'reports another status than the true one',
  other: 'differs from the true answer in some other detail',
} as const;

export type FailureName = keyof typeof FAILURES;
export const FAILURE_NAMES = Object.keys(FAILURES) as FailureName[];
