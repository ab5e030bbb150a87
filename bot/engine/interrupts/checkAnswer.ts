import { AppError } from '../../../models/contracts/errors.ts';
import type { NewHazard, ReviewRow } from '../../../models/contracts/hazards.ts';
import {
  type AnswerBody,
  hazardReviewAnswer,
  type InterruptType,
  type Resolution,
} from '../../../models/contracts/interrupts.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';

export type CheckedAnswer = { userResponse: unknown; outcome: Resolution['outcome'] };
type Check = (row: InterruptRow, answer: AnswerBody) => CheckedAnswer;

const bad = (field: string, text: string) => new AppError('bad_request', {}, { fields: { [field]: text } });

/** How an answer of each type is read; what does not fit is refused, never guessed. */
const CHECKS: Record<InterruptType, Check> = {
  approval(_row, { approved }) {
    if (approved === undefined) throw bad('approved', 'Choose approve or reject.');
    return { userResponse: { approved }, outcome: approved ? 'approved' : 'rejected' };
  },
  decision(row, { selectedOption }) {
    const known = row.options.some((option) => (typeof option === 'string' ? option : option.id) === selectedOption);
    if (!selectedOption || !known) throw bad('selectedOption', 'Choose one of the options.');
    return { userResponse: { selectedOption }, outcome: 'answered' };
  },
  input(_row, { userInput }) {
    if (!userInput?.trim()) throw bad('userInput', 'Please write an answer.');
    return { userResponse: { userInput: userInput.trim() }, outcome: 'answered' };
  },
  hazard_review: checkReview,
  project_preview: checkProject,
  REPLIT_PROJECT_CREATED: checkProject,
};

/**
 * Checks an answer against its question.
 * @throws AppError bad_request naming the field at fault
 */
export function checkAnswer(row: InterruptRow, answer: AnswerBody): CheckedAnswer {
  return CHECKS[row.interruptType](row, answer);
}

function checkProject(row: InterruptRow, { userResponse }: AnswerBody): CheckedAnswer {
  const given = userResponse as { choice?: string; text?: string } | string | undefined;
  const choice = typeof given === 'string' ? given : given?.choice;
  const known = row.options.some((option) => typeof option !== 'string' && option.id === choice);
  if (!choice || !known) throw bad('userResponse', 'Choose one of the options.');
  const text = typeof given === 'object' ? given.text?.trim() : undefined;
  if (choice === 'edit' && !text) throw bad('userResponse', 'Say what should change.');
  return { userResponse: { choice, ...(text ? { text } : {}) }, outcome: 'answered' };
}

/**
 * One word for all rows is only for a review that nobody has begun: it would write over the decisions in its draft.
 * @throws AppError review_begun
 */
export function requireUndecided({
  status,
  context,
  draft,
}: Pick<InterruptRow, 'status' | 'context'> & { draft: { rows: readonly unknown[] } | null }): void {
  const decided = draft?.rows.length ?? 0;
  if (status !== 'pending' || decided === 0) return;
  const of = (context.rows as NewHazard[] | undefined)?.length ?? 0;
  throw new AppError('review_begun', { decided: `${decided} of ${of} rows ${decided === 1 ? 'is' : 'are'} decided` });
}

/** Every proposed row is decided on, once; an edit changes something; a choice is one of the candidates. */
function checkReview(row: InterruptRow, { approved, userResponse, reason }: AnswerBody): CheckedAnswer {
  const proposed = (row.context.rows ?? []) as NewHazard[];
  if (approved !== undefined) {
    requireUndecided(row);
    const outcome = approved ? 'accepted' : 'rejected';
    const rows = proposed.map(
      (proposal): ReviewRow => ({
        id: proposal.id,
        outcome,
        ...(approved && hasChoice(proposal) ? matchOf(proposal, row.draft?.chosen?.[proposal.id]) : {}),
        ...(reason && !approved ? { reason } : {}),
      }),
    );
    return { userResponse: { rows }, outcome: approved ? 'approved' : 'rejected' };
  }
  const read = hazardReviewAnswer.safeParse(userResponse);
  if (!read.success) throw bad('userResponse', 'Decide on every row: accept, edit or reject.');
  const byId = new Map(proposed.map((one) => [one.id, one]));
  const seen = new Set<string>();
  for (const decided of read.data.rows) {
    const proposal = byId.get(decided.id);
    if (!proposal) throw bad('userResponse', 'One of the rows is not part of this review. Reload and try again.');
    if (seen.has(decided.id)) throw bad('userResponse', `${proposal.proposedId} was decided on twice.`);
    seen.add(decided.id);
    const fault = findRowFault(proposal, decided);
    if (fault) throw bad('userResponse', fault.text);
  }
  const left = proposed.filter(({ id }) => !seen.has(id));
  if (left.length > 0) {
    throw bad(
      'userResponse',
      `${left.length} of ${proposed.length} rows are not decided: ${left.map((one) => one.proposedId).join(', ')}.`,
    );
  }
  const rows = proposed.map((proposal) => {
    const { bestMatch, ...row } = read.data.rows.find((one) => one.id === proposal.id) as ReviewRow;
    // "Nobody chose" is kept only where there was a choice, and the best match is what stands.
    const unchosen = bestMatch && row.outcome !== 'rejected' && hasChoice(proposal) && row.kbId === proposal.kbId;
    return unchosen ? { ...row, bestMatch } : row;
  });
  return { userResponse: { rows }, outcome: reviewOutcome(rows) };
}

/** What is wrong with the decision on one row, and with which part of it; null where nothing is. */
export function findRowFault(
  proposal: NewHazard,
  { outcome, kbId, values }: ReviewRow,
): { part: 'kbId' | 'outcome' | 'name'; text: string } | null {
  const { proposedId, candidates } = proposal;
  if (kbId && !candidates.some((one) => one.kbId === kbId))
    return { part: 'kbId', text: `${proposedId}: the chosen candidate was not proposed.` };
  if (outcome === 'rejected') return null;
  if (hasChoice(proposal) && !kbId)
    return { part: 'kbId', text: `${proposedId} has more than one match. Choose one of them.` };
  if (outcome === 'accepted') return null;
  if (values?.name?.trim() === '') return { part: 'name', text: `${proposedId}: a hazard needs a name.` };
  if (!changesSomething(proposal, { outcome, kbId, values, id: proposal.id }))
    return { part: 'outcome', text: `${proposedId} is marked as edited and nothing was changed.` };
  return null;
}

/** Whether a person has to say which of several candidates it is. */
const hasChoice = ({ sure, candidates }: NewHazard) => !sure && candidates.length > 1;

/** The match that somebody chose for a row; else the best one, marked as nobody's choice. */
const matchOf = ({ kbId, candidates }: NewHazard, chosen: string | undefined) =>
  chosen && candidates.some((one) => one.kbId === chosen) ? { kbId: chosen } : { kbId, bestMatch: true };

function changesSomething(proposal: NewHazard, { values, kbId }: ReviewRow): boolean {
  if (kbId && kbId !== proposal.kbId) return true;
  return Object.entries(values ?? {}).some(
    ([field, text]) => text !== proposal.values[field as keyof NewHazard['values']],
  );
}

function reviewOutcome(rows: readonly ReviewRow[]): Resolution['outcome'] {
  if (rows.every((row) => row.outcome === 'accepted')) return 'approved';
  return rows.every((row) => row.outcome === 'rejected') ? 'rejected' : 'modified';
}
