import { AppError } from '../../../models/contracts/errors.ts';
import type { AnswerBody, ReviewStep } from '../../../models/contracts/interrupts.ts';
import { partOfRows, type QuestionRows, wordsOf } from '../../../models/contracts/questionRows.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { kindOf } from '../questions/kinds/index.ts';
import { unfit } from '../questions/kinds/kind.ts';
import { decideAlike, undecidedRows } from '../questions/kinds/reviewSteps.ts';
import { canonicalJson } from './digest.ts';
import { saveDraft } from './saveDraft.ts';

/** A step that changes the draft of a review. */
type DraftStep = Exclude<ReviewStep, { step: 'send' }>;

/**
 * Decides the undecided rows of a pending review alike, or takes that back. A decision that somebody has made is never
 * changed, and nothing is sent.
 * @throws AppError bad_request for a question without rows, a missing reason, or another number of undecided rows than
 *   was shown; conflict where somebody saved in between; not_allowed
 */
export async function takeStep(
  who: Who,
  row: InterruptRow,
  step: DraftStep,
  { reason }: Pick<AnswerBody, 'reason'>,
  via: Surface,
): Promise<InterruptRow> {
  const view = kindOf(row.interruptType).rows?.(row, 'full');
  const { draft } = row;
  if (!view || !draft) throw new AppError('bad_request');
  if (step.step === 'undo-rest') {
    const last = new Set((draft.rest ?? []).map(canonicalJson));
    // A row that was decided again since keeps that decision.
    const rows = draft.rows.filter((one) => !last.has(canonicalJson(one)));
    return saveDraft(who, row._id, rows, draft.version, undefined, { via, rest: [] });
  }
  const open = undecidedRows(view, draft);
  requireOffered(view, step, open.length, reason);
  const rest = decideAlike(view, open, step.outcome, { chosen: draft.chosen, reason });
  return saveDraft(who, row._id, [...draft.rows, ...rest], draft.version, undefined, { via, rest });
}

function requireOffered(
  view: QuestionRows,
  { outcome, undecided }: Extract<DraftStep, { step: 'decide-rest' }>,
  now: number,
  reason: string | undefined,
): void {
  const { all, counted } = wordsOf(view, outcome);
  if (all === null) throw unfit('review', 'Decide row by row: each row needs its own answer.');
  if (now !== undecided)
    throw unfit('review', `${partOfRows(view.noun, now, view.rows.length)} are undecided now. Nothing was changed.`);
  if (view.reasons.includes(outcome) && !reason?.trim())
    throw unfit('reason', `Say why all are ${counted}, or decide row by row.`);
}
