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
import { type Filled, MAX_FIELD_LENGTH, type ReviewPage, reviewCard } from '../cards/reviewCard.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { type Pressed, readDrawnUnder, requireInterruptId } from './answers.ts';
import { describeError } from './cardActions.ts';
import { requireSender, type Source } from './source.ts';

const messageAnswer = (value: string): InvokeAnswer => ({ status: 200, body: { task: { type: 'message', value } } });

const pressedIn = ({ activity }: Source) => ((activity.value as { data?: Pressed } | undefined)?.data ?? {}) as Pressed;

type OpenDialog = {
  review: Review;
  pressed: Pressed;
  /** Draws a page of the review. */
  show(at: Question, to: ReviewPage): InvokeAnswer;
};

/** Opens the review behind a dialog for its sender. @throws AppError not_allowed, not_found, already_answered */
async function openDialog(source: Source): Promise<OpenDialog> {
  const pressed = pressedIn(source);
  const who = await requireSender(source);
  const review = await openReview(
    who,
    requireInterruptId(pressed),
    'teams',
    readDrawnUnder(pressed),
    readText(pressed.seenAt),
  );
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

/** Opens a review at its first undecided row. */
export async function onDialogFetch(source: Source): Promise<InvokeAnswer> {
  try {
    const { review, show } = await openDialog(source);
    return show(review.question, { page: firstOpenPage(review.question) });
  } catch (error) {
    return messageAnswer(describeError(error, source.activity.id));
  }
}

const readText = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_FIELD_LENGTH) : undefined);

/** Reads the inputs of a page. */
const readFilledRow = (pressed: Pressed, { fields }: Review['rows']): FilledRow => ({
  outcome: pressed.outcome,
  choice: readText(pressed.choice),
  reason: readText(pressed.reason),
  values: Object.fromEntries(fields.map(({ name }) => [name, readText(pressed[inputOf(name)])])),
});

/** Handlers of a page's buttons, by their verb. */
const STEPS: Record<string, (dialog: OpenDialog, from: Page) => Promise<InvokeAnswer>> = {
  review_row: submitPage,
  review_back: (dialog, from) => turnPage(dialog, from, -1),
  review_skip: (dialog, from) => turnPage(dialog, from, 1),
};

/** Saves the page's row and shows the next undecided one, or sends the review when all are decided. */
async function submitPage({ review, pressed, show }: OpenDialog, from: Page): Promise<InvokeAnswer> {
  const { page, row } = from;
  const fault = findPageFault(review, from);
  if (!row || fault) return show(review.question, { page, fault: fault?.text ?? '', filled: pressed as Filled });
  const { at, page: next, ...more } = await sendPage(review, page, row);
  if (next !== null) return show(at, { page: next, ...more });
  await answerInterrupt(review.who, at.id, answerOfReview(at), 'teams', { drawnUnder: review.drawnUnder });
  return messageAnswer('The review is recorded.');
}

async function turnPage({ review, show }: OpenDialog, from: Page, by: 1 | -1): Promise<InvokeAnswer> {
  const { at, page } = await walk(review, from, by);
  return show(at, { page });
}

/** Handles a button of a page. An input error is shown on the page, which keeps its inputs. */
export async function onDialogSubmit(source: Source): Promise<InvokeAnswer> {
  try {
    const dialog = await openDialog(source);
    const { review, pressed } = dialog;
    const page = Number(pressed.page);
    const run = ownEntry(STEPS, pressed.verb);
    if (!review.rows.rows[page] || !run) throw new AppError('bad_request');
    return await run(dialog, readPage(review, page, readFilledRow(pressed, review.rows)));
  } catch (error) {
    return messageAnswer(describeError(error, source.activity.id));
  }
}
