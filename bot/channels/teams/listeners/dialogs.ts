import {
  type NewHazard,
  PROPOSED_FIELDS,
  type ReviewRow,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import { consentFor, leastOf } from '../../../engine/delivery/consent.ts';
import { requireOpen } from '../../../engine/interrupts/openQuestion.ts';
import { keepRow, valuesShown } from '../../../engine/interrupts/reviewRows.ts';
import { findRowFault } from '../../../engine/questions/kinds/hazardReview.ts';
import type { InvokeAnswer } from '../activity.ts';
import { attach } from '../cards/card.ts';
import { type Filled, LONGEST_FIELD, type ReviewPage, reviewCard } from '../cards/reviewCard.ts';
import { answerReview, drawnUnderIn, idIn, type Pressed } from './answers.ts';
import { wordsFor } from './cardActions.ts';
import { memberBehind, type Source } from './source.ts';

const message = (value: string): InvokeAnswer => ({ status: 200, body: { task: { type: 'message', value } } });

const pressedIn = ({ activity }: Source) => ((activity.value as { data?: Pressed } | undefined)?.data ?? {}) as Pressed;

type Review = {
  question: Question;
  pressed: Pressed;
  /** A page of it, as it is shown. */
  show(at: Question, to: ReviewPage): InvokeAnswer;
  keep(row: ReviewRow): Promise<Question>;
  send(at: Question): Promise<void>;
};

/** Where a review stands for whoever has its dialog open. @throws AppError not_allowed, not_found, already_answered */
async function openReview(source: Source): Promise<Review> {
  const pressed = pressedIn(source);
  const who = await memberBehind(source);
  const question = await requireOpen(who, idIn(pressed));
  if (!question.abilities.answer)
    throw new AppError(question.requires && who.hasOfficer ? 'needs_officer' : 'not_allowed');
  const mode = await consentFor(who.accountId, 'teams');
  // Pages before this one may have shown less.
  const drawnUnder = leastOf(mode, drawnUnderIn(pressed) ?? mode);
  const show = (at: Question, to: ReviewPage): InvokeAnswer => {
    const title = `Row ${to.page + 1} of ${at.context.rows?.length ?? 0}`;
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
    pressed,
    show,
    keep: (row) => keepRow(who, question, row),
    send: (at) => answerReview(who, at, drawnUnder),
  };
}

/** The first row that is not decided, from a row on and then from the top; -1 where none is left. */
function nextRow({ context, draft }: Question, from: number): number {
  const rows = context.rows ?? [];
  const decided = new Set(draft?.rows.map(({ id }) => id));
  const next = rows.findIndex(({ id }, index) => index >= from && !decided.has(id));
  return next >= 0 ? next : rows.findIndex(({ id }) => !decided.has(id));
}

/** A dialog is opened: the review of a question's rows, at the first that is not decided. */
export async function onDialogFetch(source: Source): Promise<InvokeAnswer> {
  try {
    const { question, show } = await openReview(source);
    return show(question, { page: Math.max(0, nextRow(question, 0)) });
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}

const typed = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
const OUTCOMES = new Set<unknown>(['accepted', 'edited', 'rejected'] satisfies ReviewRow['outcome'][]);

/**
 * What a page says of its row; null where nothing is chosen on it. Only what the person changed against what the page
 * showed is an edit: a field that was not there, or was left as it was, changes nothing.
 */
function readRow(pressed: Pressed, proposal: NewHazard, decided: ReviewRow | undefined): ReviewRow | null {
  if (!OUTCOMES.has(pressed.outcome)) return null;
  const outcome = pressed.outcome as ReviewRow['outcome'];
  const { id } = proposal;
  const reason = typed(pressed.reason).slice(0, LONGEST_FIELD);
  if (outcome === 'rejected') return { id, outcome, ...(reason ? { reason } : {}) };
  const kbId = typed(pressed.candidate);
  const before = valuesShown(proposal, decided);
  const edited = PROPOSED_FIELDS.flatMap(({ name }) => {
    const given = pressed[name];
    if (typeof given !== 'string' || given.trim() === before[name].trim()) return [];
    return [[name, given.trim().slice(0, LONGEST_FIELD)] as const];
  });
  const values = outcome === 'edited' ? { ...decided?.values, ...Object.fromEntries(edited) } : {};
  return { id, outcome, ...(Object.keys(values).length > 0 ? { values } : {}), ...(kbId ? { kbId } : {}) };
}

/** What is wrong with a row as a page sends it; a rejection has its reason. */
function faultOf(proposal: NewHazard, row: ReviewRow | null): string | null {
  if (!row) return 'Accept, edit or reject the row.';
  if (row.outcome === 'rejected' && !row.reason) return 'Say why the row is rejected.';
  return findRowFault(proposal, row)?.text ?? null;
}

/** What the buttons of a page do, by their verb. */
const STEPS: Record<string, (review: Review, proposal: NewHazard, page: number) => Promise<InvokeAnswer>> = {
  review_row: sendPage,
  review_back: (review, proposal, page) => walk(review, proposal, page - 1),
  review_skip: (review, proposal, page) => walk(review, proposal, page + 1),
};

const rowOn = ({ question, pressed }: Review, proposal: NewHazard) =>
  readRow(
    pressed,
    proposal,
    question.draft?.rows.find(({ id }) => id === proposal.id),
  );

/** Keeps the page's row and goes to the next that is open; when none is, the review is sent. */
async function sendPage(review: Review, proposal: NewHazard, page: number): Promise<InvokeAnswer> {
  const row = rowOn(review, proposal);
  const fault = faultOf(proposal, row);
  if (!row || fault)
    return review.show(review.question, { page, fault: fault ?? '', filled: review.pressed as Filled });
  const kept = await review.keep(row);
  const left = nextRow(kept, page + 1);
  if (left >= 0) return review.show(kept, { page: left });
  // Another reviewer may have left a row as it can't be sent: the page opens there and says why.
  for (const [index, it] of (kept.context.rows ?? []).entries()) {
    const decided = kept.draft?.rows.find(({ id }) => id === it.id);
    const wrong = decided && findRowFault(it, decided);
    if (wrong) return review.show(kept, { page: index, fault: wrong.text });
  }
  await review.send(kept);
  return message('The review is recorded.');
}

/** Goes to another page. A decision that is whole is kept; one that is not is left, as it would be on closing. */
async function walk(review: Review, proposal: NewHazard, to: number): Promise<InvokeAnswer> {
  const row = rowOn(review, proposal);
  const kept = row && faultOf(proposal, row) === null ? await review.keep(row) : review.question;
  const last = (kept.context.rows?.length ?? 1) - 1;
  return review.show(kept, { page: Math.min(last, Math.max(0, to)) });
}

/** A button of a page: what can't be taken is said on it and nothing of it is lost. */
export async function onDialogSubmit(source: Source): Promise<InvokeAnswer> {
  try {
    const review = await openReview(source);
    const page = Number(review.pressed.page);
    const proposal = review.question.context.rows?.[page];
    const take = ownEntry(STEPS, review.pressed.verb);
    if (!proposal || !take) throw new AppError('bad_request');
    return await take(review, proposal, page);
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}
