import { AppError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import type { FilledRow } from '../../../../models/contracts/questionRows.ts';
import { answerInterrupt } from '../../../engine/interrupts/answerInterrupt.ts';
import {
  answerOfReview,
  findPageFault,
  firstOpenPage,
  openReview,
  type Page,
  type Review,
  readPage,
  sendPage,
  walk,
} from '../../../engine/interrupts/reviewByPages.ts';
import { attach, inputOf } from '../cards/card.ts';
import { type Filled, LONGEST_FIELD, type ReviewPage, reviewCard } from '../cards/reviewCard.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { drawnUnderIn, idIn, type Pressed } from './answers.ts';
import { wordsFor } from './cardActions.ts';
import { memberBehind, type Source } from './source.ts';

const message = (value: string): InvokeAnswer => ({ status: 200, body: { task: { type: 'message', value } } });

const pressedIn = ({ activity }: Source) => ((activity.value as { data?: Pressed } | undefined)?.data ?? {}) as Pressed;

type Opened = {
  review: Review;
  pressed: Pressed;
  /** A page of it, as it is shown. */
  show(at: Question, to: ReviewPage): InvokeAnswer;
};

/** Where a review stands for whoever has its dialog open. @throws AppError not_allowed, not_found, already_answered */
async function openDialog(source: Source): Promise<Opened> {
  const pressed = pressedIn(source);
  const who = await memberBehind(source);
  const review = await openReview(who, idIn(pressed), 'teams', drawnUnderIn(pressed));
  const { question, rows, mode, drawnUnder } = review;
  if (!question.abilities.answer)
    throw new AppError(question.requires && who.hasOfficer ? 'needs_officer' : 'not_allowed');
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
  return { review, pressed, show };
}

/** A dialog is opened: the review of a question's rows, at the first that is not decided. */
export async function onDialogFetch(source: Source): Promise<InvokeAnswer> {
  try {
    const { review, show } = await openDialog(source);
    return show(review.question, { page: firstOpenPage(review.question) });
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}

const typed = (value: unknown) => (typeof value === 'string' ? value.slice(0, LONGEST_FIELD) : undefined);

/** What was filled in on a page. */
const filledIn = (pressed: Pressed, { fields }: Review['rows']): FilledRow => ({
  outcome: pressed.outcome,
  choice: typed(pressed.choice),
  reason: typed(pressed.reason),
  values: Object.fromEntries(fields.map(({ name }) => [name, typed(pressed[inputOf(name)])])),
});

/** What the buttons of a page do, by their verb. */
const STEPS: Record<string, (opened: Opened, from: Page) => Promise<InvokeAnswer>> = {
  review_row: submitPage,
  review_back: (opened, from) => turn(opened, from, -1),
  review_skip: (opened, from) => turn(opened, from, 1),
};

/** Keeps the page's row and goes to the next that is open; when none is, the review is sent. */
async function submitPage({ review, pressed, show }: Opened, from: Page): Promise<InvokeAnswer> {
  const { page, row } = from;
  const fault = findPageFault(review, from);
  if (!row || fault) return show(review.question, { page, fault: fault?.text ?? '', filled: pressed as Filled });
  const { at, page: next, ...more } = await sendPage(review, page, row);
  if (next !== null) return show(at, { page: next, ...more });
  await answerInterrupt(review.who, at.id, answerOfReview(at), 'teams', review.drawnUnder);
  return message('The review is recorded.');
}

async function turn({ review, show }: Opened, from: Page, by: 1 | -1): Promise<InvokeAnswer> {
  const { at, page } = await walk(review, from, by);
  return show(at, { page });
}

/** A button of a page: what can't be taken is said on it and nothing of it is lost. */
export async function onDialogSubmit(source: Source): Promise<InvokeAnswer> {
  try {
    const opened = await openDialog(source);
    const { review, pressed } = opened;
    const page = Number(pressed.page);
    const take = ownEntry(STEPS, pressed.verb);
    if (!review.rows.rows[page] || !take) throw new AppError('bad_request');
    return await take(opened, readPage(review, page, filledIn(pressed, review.rows)));
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}
