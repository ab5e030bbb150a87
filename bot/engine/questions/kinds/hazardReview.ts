import type { NewHazard, ReviewRow } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import {
  type AnswerBody,
  hazardReviewAnswer,
  type Interrupt,
  type Resolution,
} from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import { APPROVE, REJECT } from './approval.ts';
import { type CheckedAnswer, type QuestionKind, unfit } from './kind.ts';
import { makeItem, makeSection, sectionsOf } from './sections.ts';
import { readYesOrNo } from './words.ts';

/** All rows of a review need the word "all": one "yes" must not sign for thirty rows. */
const YES_ALL = /^(approve|accept) (all|everything|all rows)[\s.!]*$/i;
const NO_ALL = /^reject (all|everything|all rows)[\s.!]*$/i;

const LISTED = 5;

/** A proposed hazard as a mode lets it leave: with its words, with our own title alone, or as an id. */
export type ShownProposal = { id: string; proposedId: string; title: string | null; words: NewHazard | null };

/** The rows of a review as a mode lets them leave. */
export const proposalsUnder = ({ context }: Pick<Interrupt, 'context'>, mode: ConsentMode): ShownProposal[] =>
  (context.rows ?? []).map((row) => ({
    id: row.id,
    proposedId: row.proposedId,
    title: mode === 'reference-only' ? null : (row.candidates[0]?.title ?? null),
    words: mode === 'full' ? row : null,
  }));

/** Proposed hazards, decided on row by row, or all by one word while nobody has begun. */
export const hazardReview: QuestionKind = {
  id: 'hazard_review',
  label: 'Hazard review',
  requires: 'clinical-safety-officer',
  hasDraft: true,
  check: checkReview,
  requireAnswerable(question, { approved }) {
    if (approved !== undefined) requireUndecided(question);
  },
  readWords: (_row, text) => readYesOrNo(text, YES_ALL, NO_ALL),
  view(question, mode) {
    const proposals = proposalsUnder(question, mode);
    const items = proposals.slice(0, LISTED).map(({ proposedId, title, words }) => {
      const quote = words?.evidence[0];
      return makeItem({
        title: proposedId,
        text: words?.values.name ?? title,
        quote: quote ? { text: quote.quote, source: quote.ticketKey } : null,
      });
    });
    const count = proposals.length;
    return {
      prompt:
        mode === 'full'
          ? question.prompt
          : `Please review ${count} proposed ${count === 1 ? 'hazard' : 'hazards'} (question ${question.id}).`,
      sections: [
        ...sectionsOf(question, mode),
        ...(items.length > 0 ? [makeSection({ items, more: count - items.length })] : []),
      ],
      fields: [{ name: 'reason', label: 'Reason', required: false, maxLength: 2000, answers: 'reason' }],
      actions: [
        {
          id: 'review',
          name: 'review',
          label: 'Review row by row',
          tone: 'primary',
          fields: [],
          opens: 'rows',
          answer: {},
        },
        { ...APPROVE, label: 'Accept all', tone: 'plain' },
        { ...REJECT, label: 'Reject all', tone: 'danger' },
      ],
    };
  },
};

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
  if (!read.success) throw unfit('userResponse', 'Decide on every row: accept, edit or reject.');
  const byId = new Map(proposed.map((one) => [one.id, one]));
  const seen = new Set<string>();
  for (const decided of read.data.rows) {
    const proposal = byId.get(decided.id);
    if (!proposal) throw unfit('userResponse', 'One of the rows is not part of this review. Reload and try again.');
    if (seen.has(decided.id)) throw unfit('userResponse', `${proposal.proposedId} was decided on twice.`);
    seen.add(decided.id);
    const fault = findRowFault(proposal, decided);
    if (fault) throw unfit('userResponse', fault.text);
  }
  const left = proposed.filter(({ id }) => !seen.has(id));
  if (left.length > 0) {
    throw unfit(
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
