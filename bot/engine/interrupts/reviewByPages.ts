import { type ChannelName, wordsSurfaceOf } from '../../../models/contracts/channels.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import {
  type FilledRow,
  findRowFault,
  listOutcomes,
  nextOpenRow,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowPart,
  readRow,
  wordsOf,
} from '../../../models/contracts/questionRows.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import type { Who } from '../../../models/policies/who.ts';
import { consentFor, leastOf } from '../delivery/consent.ts';
import { keepRow } from './keepRow.ts';
import { requireOpen } from './openQuestion.ts';

/** A row review that somebody has open on a channel, one page per row. */
export type Review = {
  who: Who;
  question: Question;
  rows: QuestionRows;
  via: Surface;
  /** The channel's current consent mode. */
  mode: ConsentMode;
  /** The strictest mode under which any of its pages was shown. */
  drawnUnder: ConsentMode;
  /** When the draft that the page showed was saved, empty for none; undefined where the page does not say. */
  seenAt: string | undefined;
};

/** A page's index, its row and the entered decision; `row` is null where no outcome is chosen. */
export type Page = { page: number; asked: QuestionRow; row: RowDecision | null };

/** Why a page can't be sent, and its faulty part. */
type PageFault = { part: RowPart; field?: string; text: string };

/** The page to show next, with the current question and, where there is one, the fault of its row. */
type Shown = { at: Question; page: number; fault?: string };

/**
 * Opens a review in its current state.
 * @param shownUnder the strictest mode of the pages shown so far; absent where it was just opened
 * @param seenAt as in {@link Review}
 * @throws AppError not_found, already_answered, bad_request for a question without rows
 */
export async function openReview(
  who: Who,
  interruptId: number,
  channel: ChannelName,
  shownUnder?: ConsentMode,
  seenAt?: string,
): Promise<Review> {
  const question = await requireOpen(who, interruptId);
  const { rows } = question.view;
  if (!rows) throw new AppError('bad_request');
  const mode = await consentFor(who.accountId, channel);
  return {
    who,
    question,
    rows,
    via: wordsSurfaceOf(channel),
    mode,
    drawnUnder: leastOf(mode, shownUnder ?? mode),
    seenAt,
  };
}

/** Index of the first undecided row's page; 0 where all are decided. */
export const firstOpenPage = ({ view, draft }: Question): number =>
  view.rows ? Math.max(0, nextOpenRow(view.rows, draft?.rows ?? [])) : 0;

/**
 * Reads the input of a page.
 * @throws AppError not_found where the review has no such page
 */
export function readPage({ rows, question }: Review, page: number, filled: FilledRow): Page {
  const asked = rows.rows[page];
  if (!asked) throw new AppError('not_found');
  const decided = question.draft?.rows.find(({ id }) => id === asked.id);
  return { page, asked, row: readRow(rows, asked, filled, decided) };
}

/** When the draft of a question was saved, for its pages to name; empty for none. */
export const savedAtOf = ({ draft }: Pick<Question, 'draft'>): string => draft?.savedAt ?? '';

/** What a colleague decided on a row after its page was drawn; null where nobody did. */
function findMeanwhile({ who, question, rows, seenAt }: Review, rowId: string): string | null {
  const decider = question.decidedBy.find(({ id }) => id === rowId);
  const decided = question.draft?.rows.find(({ id }) => id === rowId);
  if (!decider || !decided || seenAt === undefined) return null;
  if (decider.userId === who.userId || decider.at <= seenAt) return null;
  const { done } = wordsOf(rows, decided.outcome);
  return `${decider.name} has decided this row meanwhile: ${done}. Nothing was changed. Send the page again to decide it yourself.`;
}

/** The fault of a page; null where it can be sent. */
export function findPageFault({ rows }: Review, { asked, row }: Page): PageFault | null {
  return row ? findRowFault(rows, asked, row) : { part: 'outcome', text: `Choose ${listOutcomes(rows)}.` };
}

/**
 * Saves a page's decision and goes to the next undecided row. A row that a colleague decided after the page was drawn
 * is shown with that decision instead.
 * @returns the page to show; `page` null where every row is decided and the review can be sent
 */
export async function sendPage(
  review: Review,
  page: number,
  row: RowDecision,
): Promise<Shown | { at: Question; page: null }> {
  const { who, question, rows, via } = review;
  const meanwhile = findMeanwhile(review, row.id);
  if (meanwhile) return { at: question, page, fault: meanwhile };
  const kept = await keepRow(who, question, row, via);
  const decided = kept.draft?.rows ?? [];
  const next = nextOpenRow(rows, decided, page + 1);
  if (next >= 0) return { at: kept, page: next };
  // Another reviewer may have saved an invalid decision: show that page and its fault.
  for (const [index, it] of rows.rows.entries()) {
    const decision = decided.find(({ id }) => id === it.id);
    const wrong = decision && findRowFault(rows, it, decision);
    if (wrong) return { at: kept, page: index, fault: wrong.text };
  }
  return { at: kept, page: null };
}

/** Goes to the page before or after. A valid decision is saved, an incomplete one is dropped, as when closing. */
export async function walk(review: Review, from: Page, by: 1 | -1): Promise<Shown> {
  const { who, question, rows, via } = review;
  const { page, row } = from;
  const kept =
    row && !findPageFault(review, from) && !findMeanwhile(review, row.id)
      ? await keepRow(who, question, row, via)
      : question;
  return { at: kept, page: Math.min(rows.rows.length - 1, Math.max(0, page + by)) };
}

/** The answer that a review's saved decisions form. */
export const answerOfReview = ({ draft }: Question) => ({
  userResponse: { rows: draft?.rows ?? [] },
  draftVersion: draft?.version,
});
