import { AppError, plainText, toPublicError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { findQuestionAskedIn } from '../../../engine/interrupts/listQuestions.ts';
import { CARD_TYPE, type Card } from '../cards/card.ts';
import { closedCard, questionCard } from '../cards/questionCard.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { addressOf } from '../platform/address.ts';
import { refusalOf } from '../platform/refusal.ts';
import { answerByButton, isAnswer, type Pressed, requireQuestion } from './answers.ts';
import { memberBehind, type Source } from './source.ts';

/** What Teams shows the person who pressed, and nobody else. */
const told = (text: string): InvokeAnswer => ({
  status: 200,
  body: { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: text },
});
const shown = (value: Card): InvokeAnswer => ({ status: 200, body: { statusCode: 200, type: CARD_TYPE, value } });

/** A question's card as one person sees it now. */
async function cardFor(who: Who, question: Question, userId: string, fault?: string): Promise<Card> {
  const mode = await consentFor(who.accountId, 'teams');
  if (question.status !== 'pending') return closedCard(question, mode);
  return questionCard(question, mode, { mayAnswer: question.abilities.answer, refreshFor: [userId] }, fault);
}

/** The card without its buttons, for someone who is no member; only where it was asked, which they read anyway. */
async function cardForStranger({ installation, place, activity }: Source, pressed: Pressed): Promise<Card | null> {
  const { accountId } = installation.row;
  const question = await findQuestionAskedIn(accountId, addressOf(place), pressed.interruptId);
  if (!question) return null;
  const mode = await consentFor(accountId, 'teams');
  if (question.status !== 'pending') return closedCard(question, mode);
  return questionCard(question, mode, { mayAnswer: false, refreshFor: [activity.from.id] });
}

/** A button of a card, answered in place; or a card that Teams fetches anew for one person. */
export async function onCardAction(source: Source): Promise<InvokeAnswer> {
  if (typeof source.activity.value !== 'object' || source.activity.value === null) return { status: 400 };
  const { action, trigger } = source.activity.value as {
    action?: { verb?: string; data?: Pressed };
    trigger?: string;
  };
  const pressed: Pressed = { ...action?.data, verb: action?.verb ?? action?.data?.verb ?? '' };
  const userId = source.activity.from.id;
  let who: Who;
  try {
    who = await memberBehind(source);
  } catch (error) {
    // Nobody pressed anything: whoever only reads along is shown how it stands.
    const card = trigger === 'automatic' ? await cardForStranger(source, pressed) : null;
    return card ? shown(card) : told(wordsFor(error, source.activity.id));
  }
  try {
    if (isAnswer(pressed.verb)) await answerByButton(who, pressed);
    return shown(await cardFor(who, await requireQuestion(who, pressed), userId));
  } catch (error) {
    const question = await requireQuestion(who, pressed).catch(() => null);
    const text = wordsFor(error, source.activity.id);
    // What was wrong is said on the card itself while it waits; a late or refused click is told to the person alone.
    if (!question || !(error instanceof AppError) || error.code !== 'bad_request') return told(text);
    return shown(await cardFor(who, question, userId, text));
  }
}

/** What an error says to a person; the inside of it stays inside. */
export function wordsFor(error: unknown, reference: string): string {
  if (refusalOf(error)) return plainText(new AppError('teams_unavailable'));
  return error instanceof AppError ? plainText(error) : toPublicError(error, reference).body.error;
}
