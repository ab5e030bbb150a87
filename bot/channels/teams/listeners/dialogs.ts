import { AppError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import {
  findRowFault,
  NOT_DECIDED,
  nextOpenRow,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  readRow,
} from '../../../../models/contracts/questionRows.ts';
import { consentFor, leastOf } from '../../../engine/delivery/consent.ts';
import { keepRow } from '../../../engine/interrupts/keepRow.ts';
import { requireOpen } from '../../../engine/interrupts/openQuestion.ts';
import { attach } from '../cards/card.ts';
import { type Filled, inputOf, LONGEST_FIELD, type ReviewPage, reviewCard } from '../cards/reviewCard.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { answerReview, drawnUnderIn, idIn, type Pressed } from './answers.ts';
import { wordsFor } from './cardActions.ts';
import { memberBehind, type Source } from './source.ts';

const message = (value: string): InvokeAnswer => ({ status: 200, body: { task: { type: 'message', value } } });

const pressedIn = ({ activity }: Source) => ((activity.value as { data?: Pressed } | undefined)?.data ?? {}) as Pressed;

type Review = {
  question: Question;
  rows: QuestionRows;
  pressed: Pressed;
  /** A page of it, as it is shown. */
  show(at: Question, to: ReviewPage): InvokeAnswer;
  keep(row: RowDecision): Promise<Question>;
  send(at: Question): Promise<void>;
};

/** Where a review stands for whoever has its dialog open. @throws AppError not_allowed, not_found, already_answered */
async function openReview(source: Source): Promise<Review> {
  const pressed = pressedIn(source);
  const who = await memberBehind(source);
  const question = await requireOpen(who, idIn(pressed));
  if (!question.abilities.answer)
    throw new AppError(question.requires && who.hasOfficer ? 'needs_officer' : 'not_allowed');
  const { rows } = question.view;
  if (!rows) throw new AppError('bad_request');
  const mode = await consentFor(who.accountId, 'teams');
  // Pages before this one may have shown less.
  const drawnUnder = leastOf(mode, drawnUnderIn(pressed) ?? mode);
  const show = (at: Question, to: ReviewPage): InvokeAnswer => {
    const title = `Row ${to.page + 1} of ${rows.rows.length}`;
    const value = {
      title,
      height: 'large',
      width: 'medium',
      card: attach(reviewCard(at, mode, { ...to, drawnUnder })),
    };
    return { status: 200, body: { task: { type: 'continue', value } } };
  };
  return {
    question,
    rows,
    pressed,
    show,
    keep: (row) => keepRow(who, question, row),
    send: (at) => answerReview(who, at, drawnUnder),
  };
}

/** A dialog is opened: the review of a question's rows, at the first that is not decided. */
export async function onDialogFetch(source: Source): Promise<InvokeAnswer> {
  try {
    const { question, rows, show } = await openReview(source);
    return show(question, { page: Math.max(0, nextOpenRow(rows, question.draft?.rows ?? [])) });
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}

const typed = (value: unknown) => (typeof value === 'string' ? value.slice(0, LONGEST_FIELD) : undefined);

/** What a page says of its row; null where nothing is chosen on it. */
function rowOn({ question, rows, pressed }: Review, row: QuestionRow): RowDecision | null {
  const filled = {
    outcome: pressed.outcome,
    choice: typed(pressed.choice),
    reason: typed(pressed.reason),
    values: Object.fromEntries(rows.fields.map(({ name }) => [name, typed(pressed[inputOf(name)])])),
  };
  return readRow(
    rows,
    row,
    filled,
    question.draft?.rows.find(({ id }) => id === row.id),
  );
}

/** What is wrong with a row as a page sends it. */
const faultOf = ({ rows }: Review, row: QuestionRow, decided: RowDecision | null): string | null =>
  decided ? (findRowFault(rows, row, decided)?.text ?? null) : NOT_DECIDED;

/** What the buttons of a page do, by their verb. */
const STEPS: Record<string, (review: Review, row: QuestionRow, page: number) => Promise<InvokeAnswer>> = {
  review_row: sendPage,
  review_back: (review, row, page) => walk(review, row, page - 1),
  review_skip: (review, row, page) => walk(review, row, page + 1),
};

/** Keeps the page's row and goes to the next that is open; when none is, the review is sent. */
async function sendPage(review: Review, asked: QuestionRow, page: number): Promise<InvokeAnswer> {
  const row = rowOn(review, asked);
  const fault = faultOf(review, asked, row);
  if (!row || fault)
    return review.show(review.question, { page, fault: fault ?? '', filled: review.pressed as Filled });
  const kept = await review.keep(row);
  const left = nextOpenRow(review.rows, kept.draft?.rows ?? [], page + 1);
  if (left >= 0) return review.show(kept, { page: left });
  // Another reviewer may have left a row as it can't be sent: the page opens there and says why.
  for (const [index, it] of review.rows.rows.entries()) {
    const decided = kept.draft?.rows.find(({ id }) => id === it.id);
    const wrong = decided && findRowFault(review.rows, it, decided);
    if (wrong) return review.show(kept, { page: index, fault: wrong.text });
  }
  await review.send(kept);
  return message('The review is recorded.');
}

/** Goes to another page. A decision that is whole is kept; one that is not is left, as it would be on closing. */
async function walk(review: Review, asked: QuestionRow, to: number): Promise<InvokeAnswer> {
  const row = rowOn(review, asked);
  const kept = row && faultOf(review, asked, row) === null ? await review.keep(row) : review.question;
  return review.show(kept, { page: Math.min(review.rows.rows.length - 1, Math.max(0, to)) });
}

/** A button of a page: what can't be taken is said on it and nothing of it is lost. */
export async function onDialogSubmit(source: Source): Promise<InvokeAnswer> {
  try {
    const review = await openReview(source);
    const page = Number(review.pressed.page);
    const row = review.rows.rows[page];
    const take = ownEntry(STEPS, review.pressed.verb);
    if (!row || !take) throw new AppError('bad_request');
    return await take(review, row, page);
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}
