/** Anchors over many answers: tables by kind of outcome, and an answer as plain data for lists and files. */
import { summarizeAnchors, type AnchorRow, type AnchorSummary } from '../../metrics';
import type { Pin } from '../../world/anchors';
import { answerText } from '../../world/codec';
import type { ParseError } from '../../world/simulator';
import type { Action, Directive, SlotTexts } from '../../world/types';
import { OUTCOMES, toldOf, type OutcomeKind } from './anchorCases';
import type { AnchorAnswer } from './anchorRun';

/** Numbers of one kind of outcome: answers with the pin, and the free answers to the same calls. */
export interface KindReport {
  pinned: AnchorSummary;
  /** Without the pin: how often the model gives this answer by itself. Nothing is tried for. */
  free: AnchorSummary;
  /** Pins that the model refused; they count as failures. */
  refused: number;
}

/** What of an answer tables need. */
export type AnchorPart = AnchorRow & Pick<AnchorAnswer, 'kind' | 'pinned' | 'refused'>;

/** Tables by kind of outcome; kinds without a case are left out. */
export function outcomesReport(answers: readonly AnchorPart[]): { [kind in OutcomeKind]?: KindReport } {
  const of = (kind: OutcomeKind): KindReport => {
    const own = answers.filter((answer) => answer.kind === kind);
    return {
      pinned: summarizeAnchors(own.filter(({ pinned }) => pinned)),
      free: summarizeAnchors(own.filter(({ pinned }) => !pinned)),
      refused: own.filter(({ refused }) => refused !== null).length,
    };
  };
  const kinds = OUTCOMES.filter((kind) => answers.some((answer) => answer.kind === kind));
  return Object.fromEntries(kinds.map((kind) => [kind, of(kind)]));
}

/** An answer in one case as plain data. */
export interface AnchorRecord extends AnchorRow {
  type: 'anchor';
  simulator: string;
  kind: OutcomeKind;
  family: string;
  /** Number of the trajectory in its split, and of the step in it. */
  run: number;
  index: number;
  action: Action;
  /** Directives the model was told. */
  told: Directive[];
  pins: readonly Pin[];
  pinned: boolean;
  truth: SlotTexts;
  /** What was answered; null where the pins were refused. */
  answer: SlotTexts | null;
  parseErrors: ParseError[];
  refused: string | null;
}

/** An answer without the context it was given in. */
export function anchorRecord(simulator: string, { step, truth, answer, ...rest }: AnchorAnswer): AnchorRecord {
  const { family, run, index, action } = step;
  return {
    ...{ type: 'anchor', simulator, family, run, index, action, told: toldOf(step), ...rest },
    truth: answerText(truth),
    answer: answer?.text ?? null,
    parseErrors: answer?.parseErrors ?? [],
  };
}
