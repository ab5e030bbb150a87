import { type Feedback, feedback } from '../../../../models/contracts/chat.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import { giveFeedbackIn } from '../../../engine/conversations/giveFeedback.ts';
import { findSentMessage } from '../../../engine/delivery/findSentMessage.ts';
import { identifyTeamsUser } from '../identity/people.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { addressOf } from '../platform/address.ts';
import type { Source } from './source.ts';

const VALUES: Record<string, Feedback['value']> = { like: 'good', dislike: 'bad' };

/** The words in Teams' own form, which it sends as JSON text. */
function readReason(form: unknown): string {
  try {
    const { feedbackText } = JSON.parse(String(form)) as { feedbackText?: unknown };
    return typeof feedbackText === 'string' ? feedbackText.trim().slice(0, LIMITS.feedbackReason) : '';
  } catch {
    return '';
  }
}

/**
 * Keeps a thumb below an answer, and the reason from Teams' form, of somebody who may speak there.
 * @throws AppError not_allowed, not_found, bad_request
 */
export async function onFeedback(source: Source): Promise<InvokeAnswer> {
  const { installation, activity, place } = source;
  const { actionName, actionValue } = (activity.value ?? {}) as {
    actionName?: string;
    actionValue?: { reaction?: string; feedback?: unknown };
  };
  const value = ownEntry(VALUES, actionValue?.reaction);
  if (actionName !== 'feedback' || !value || !activity.replyToId) throw new AppError('bad_request');
  const reference = await source.reference();
  const identity = reference && (await identifyTeamsUser(installation, reference, activity.from.id));
  if (!identity?.mayAsk) throw new AppError('not_allowed');
  const { accountId } = installation.row;
  const address = addressOf(place);
  const messageId = await findSentMessage(accountId, address, activity.replyToId);
  if (!messageId) throw new AppError('not_found');
  const given = feedback.parse({ value, reason: readReason(actionValue?.feedback) });
  await giveFeedbackIn(accountId, address, messageId, given);
  // Teams refuses an answer that is not empty.
  return { status: 200, body: {} };
}
