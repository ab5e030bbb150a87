import type { ChannelName } from '../../../models/contracts/channels.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import {
  type FilledRow,
  findRowFault,
  NOT_DECIDED,
  nextOpenRow,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowPart,
  readRow,
} from '../../../models/contracts/questionRows.ts';
import type { Who } from '../../../models/policies/who.ts';
import { consentFor, leastOf } from '../delivery/consent.ts';
import { keepRow } from './keepRow.ts';
import { requireOpen } from './openQuestion.ts';

/** A review of rows that somebody has open on a channel, where each row is a page. */
export type Review = {
  who: Who;
  question: Question;
  rows: QuestionRows;
  /** What the channel may show now. */
  mode: ConsentMode;
  /** The least mode under which a page of it was shown. */
  drawnUnder: ConsentMode;
};

/** A page of a review: its row, and what was filled in on it; no decision where nothing is chosen. */
export type Page = { page: number; asked: QuestionRow; row: RowDecision | null };

/** What keeps a page from being sent, and which part of it is to blame. */
type PageFault = { part: RowPart; field?: string; text: string };

/** What follows a press: a page to show with the question as it stands, perhaps with what is wrong in its row. */
type Shown = { at: Question; page: number; fault?: string };

/**
 * Opens a review where it stands.
 * @param shownUnder the least mode under which pages before this one were shown; absent for one that is just opened
 * @throws AppError not_found, already_answered, bad_request for a question without rows
 */
export async function openReview(
  who: Who,
  interruptId: number,
  channel: ChannelName,
  shownUnder?: ConsentMode,
): Promise<Review> {
  const question = await requireOpen(who, interruptId);
  const { rows } = question.view;
  if (!rows) throw new AppError('bad_request');
  const mode = await consentFor(who.accountId, channel);
  return { who, question, rows, mode, drawnUnder: leastOf(mode, shownUnder ?? mode) };
}

/** The page of the first row that is not decided; the first page where all are. */
export const firstOpenPage = ({ view, draft }: Question): number =>
  view.rows ? Math.max(0, nextOpenRow(view.rows, draft?.rows ?? [])) : 0;

/** A page as it was filled in. @throws AppError not_found where the review has no such page */
export function readPage({ rows, question }: Review, page: number, filled: FilledRow): Page {
  const asked = rows.rows[page];
  if (!asked) throw new AppError('not_found');
  const decided = question.draft?.rows.find(({ id }) => id === asked.id);
  return { page, asked, row: readRow(rows, asked, filled, decided) };
}

/** What is wrong with a page; null where it can be sent. */
export function findPageFault({ rows }: Review, { asked, row }: Page): PageFault | null {
  return row ? findRowFault(rows, asked, row) : { part: 'outcome', text: NOT_DECIDED };
}

/**
 * Keeps a page's row and goes to the next that is open.
 * @returns the page to show; none where every row is decided and the review can be sent
 */
export async function sendPage(
  { who, question, rows }: Review,
  page: number,
  row: RowDecision,
): Promise<Shown | { at: Question; page: null }> {
  const kept = await keepRow(who, question, row);
  const decided = kept.draft?.rows ?? [];
  const next = nextOpenRow(rows, decided, page + 1);
  if (next >= 0) return { at: kept, page: next };
  // Another reviewer may have left a row as it can't be sent: the page opens there and says why.
  for (const [index, it] of rows.rows.entries()) {
    const decision = decided.find(({ id }) => id === it.id);
    const wrong = decision && findRowFault(rows, it, decision);
    if (wrong) return { at: kept, page: index, fault: wrong.text };
  }
  return { at: kept, page: null };
}

/** Goes to another page. A decision that is whole is kept; one that is not is left, as it would be on closing. */
export async function walk(review: Review, from: Page, by: 1 | -1): Promise<Shown> {
  const { who, question, rows } = review;
  const { page, row } = from;
  const kept = row && !findPageFault(review, from) ? await keepRow(who, question, row) : question;
  return { at: kept, page: Math.min(rows.rows.length - 1, Math.max(0, page + by)) };
}

/** The answer that a review's decisions are, as they were kept. */
export const answerOfReview = ({ draft }: Question) => ({
  userResponse: { rows: draft?.rows ?? [] },
  draftVersion: draft?.version,
});
