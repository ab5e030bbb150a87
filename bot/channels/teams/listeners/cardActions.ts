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
import { requireSender, type Source } from './source.ts';

/** A message that Teams shows only to the person who pressed. */
const messageAnswer = (text: string): InvokeAnswer => ({
  status: 200,
  body: { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: text },
});
const cardAnswer = (value: Card): InvokeAnswer => ({ status: 200, body: { statusCode: 200, type: CARD_TYPE, value } });

/** A question's card as one person sees it now. */
async function cardFor(who: Who, question: Question, userId: string, fault?: string): Promise<Card> {
  const mode = await consentFor(who.accountId, 'teams');
  if (question.status !== 'pending') return closedCard(question, mode);
  return questionCard(question, mode, { mayAnswer: question.abilities.answer, refreshFor: [userId] }, fault);
}

/**
 * The card without buttons, for people who are not members; only in the question's own conversation, which they can
 * read.
 */
async function cardForStranger({ installation, place, activity }: Source, pressed: Pressed): Promise<Card | null> {
  const { accountId } = installation.row;
  const question = await findQuestionAskedIn(accountId, addressOf(place), pressed.interruptId);
  if (!question) return null;
  const mode = await consentFor(accountId, 'teams');
  if (question.status !== 'pending') return closedCard(question, mode);
  return questionCard(question, mode, { mayAnswer: false, refreshFor: [activity.from.id] });
}

/** Handles a card's button, or a refresh of the card for one person, by returning the new card. */
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
    who = await requireSender(source);
  } catch (error) {
    // An automatic refresh for somebody who only reads along: show the question's state.
    const card = trigger === 'automatic' ? await cardForStranger(source, pressed) : null;
    return card ? cardAnswer(card) : messageAnswer(describeError(error, source.activity.id));
  }
  try {
    if (isAnswer(pressed.verb)) await answerByButton(who, pressed);
    return cardAnswer(await cardFor(who, await requireQuestion(who, pressed), userId));
  } catch (error) {
    const question = await requireQuestion(who, pressed).catch(() => null);
    const text = describeError(error, source.activity.id);
    // An input error is shown on the pending card; a late or refused click only to the person.
    if (!question || !(error instanceof AppError) || error.code !== 'bad_request') return messageAnswer(text);
    return cardAnswer(await cardFor(who, question, userId, text));
  }
}

/** The text of an error for people, without internals. */
export function describeError(error: unknown, reference: string): string {
  if (refusalOf(error)) return plainText(new AppError('teams_unavailable'));
  return error instanceof AppError ? plainText(error) : toPublicError(error, reference).body.error;
}
