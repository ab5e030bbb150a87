import { AppError } from '../../../../models/contracts/errors.ts';
import type { ReviewRow } from '../../../../models/contracts/hazards.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import type { InvokeAnswer } from '../activity.ts';
import { attach } from '../cards/card.ts';
import { type Filled, reviewCard } from '../cards/reviewCard.ts';
import { answerReview, keepRow, type Pressed, requireOpen } from './answers.ts';
import { wordsFor } from './cardActions.ts';
import { memberBehind, type Source } from './source.ts';

const message = (value: string): InvokeAnswer => ({ status: 200, body: { task: { type: 'message', value } } });

const page = (question: Question, mode: ConsentMode, at: number, fault?: string, filled?: Filled): InvokeAnswer => ({
  status: 200,
  body: {
    task: {
      type: 'continue',
      value: {
        title: `Row ${at + 1} of ${question.context.rows?.length ?? 0}`,
        height: 'large',
        width: 'medium',
        card: attach(reviewCard(question, mode, at, fault, filled)),
      },
    },
  },
});

const pressedIn = ({ activity }: Source) => ((activity.value as { data?: Pressed } | undefined)?.data ?? {}) as Pressed;

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
    const who = await memberBehind(source);
    const question = await requireOpen(who, pressedIn(source).interruptId);
    if (!question.abilities.answer) throw new AppError('not_allowed');
    return page(question, await consentFor(who.accountId, 'teams'), Math.max(0, nextRow(question, 0)));
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
const OUTCOMES = new Set<unknown>(['accepted', 'edited', 'rejected']);

/** What the row's page says, as a row of a review. @throws AppError bad_request with the field at fault */
function readRow(question: Question, at: number, pressed: Pressed): ReviewRow {
  const proposal = question.context.rows?.[at];
  if (!proposal) throw new AppError('bad_request');
  const bad = (field: string, words: string) => new AppError('bad_request', {}, { fields: { [field]: words } });
  if (!OUTCOMES.has(pressed.outcome)) throw bad('outcome', 'Accept, edit or reject the row.');
  const outcome = pressed.outcome as ReviewRow['outcome'];
  const [reason, name, kbId] = [text(pressed.reason), text(pressed.name), text(pressed.candidate)];
  if (outcome === 'rejected') {
    if (!reason) throw bad('reason', 'Say why the row is rejected.');
    return { id: proposal.id, outcome, reason: reason.slice(0, 2000) };
  }
  if (!proposal.sure && proposal.candidates.length > 1 && !kbId)
    throw bad('candidate', `${proposal.proposedId} has more than one match. Choose one of them.`);
  const changed = outcome === 'edited' && name && name !== proposal.values.name;
  if (outcome === 'edited' && !changed && (!kbId || kbId === proposal.kbId))
    throw bad('name', `${proposal.proposedId} is marked as edited and nothing was changed.`);
  return {
    id: proposal.id,
    outcome,
    ...(changed ? { values: { name: name.slice(0, 500) } } : {}),
    ...(kbId ? { kbId } : {}),
    ...(reason ? { reason: reason.slice(0, 2000) } : {}),
  };
}

/** A page of the review was sent: what can't be taken is said on it and nothing of it is lost; else the next one comes. */
export async function onDialogSubmit(source: Source): Promise<InvokeAnswer> {
  const pressed = pressedIn(source);
  try {
    const who = await memberBehind(source);
    const question = await requireOpen(who, pressed.interruptId);
    return await takePage(who, question, pressed);
  } catch (error) {
    return message(wordsFor(error, source.activity.id));
  }
}

async function takePage(who: Who, question: Question, pressed: Pressed): Promise<InvokeAnswer> {
  const at = Number(pressed.page);
  const mode = await consentFor(who.accountId, 'teams');
  try {
    const kept = await keepRow(who, question, readRow(question, at, pressed));
    const left = nextRow(kept, at + 1);
    if (left >= 0) return page(kept, mode, left);
    await answerReview(who, kept);
    return message('The review is recorded.');
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request' || !question.context.rows?.[at]) throw error;
    return page(question, mode, at, wordsFor(error, String(question.id)), pressed as Filled);
  }
}
