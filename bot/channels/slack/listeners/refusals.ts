import { randomBytes } from 'node:crypto';
import { AppError, plainText, toPublicError } from '../../../../models/contracts/errors.ts';
import { logger } from '../../../../models/logger.ts';
import { refusalOf } from '../client.ts';

/** Replies for Slack's error codes that concern the person who clicked. */
const REFUSALS: Record<string, string> = {
  expired_trigger_id: 'Slack stopped waiting before the form could open. Please click again.',
  trigger_expired: 'Slack stopped waiting before the form could open. Please click again.',
  exchanged_trigger_id: 'The form is already open.',
};

/** The reply where Arc is not connected. A form keeps its input. */
export const NOT_CONNECTED =
  'Arc is not connected to this workspace, or is switched off. Ask the owner of your Arc account to connect it under Integrations.';

/** The text of an error for people: its own, if it is meant for them, or else one with a reference to the log. */
export function describeError(error: unknown): string {
  if (error instanceof AppError) return plainText(error);
  const refusal = refusalOf(error) ?? '';
  if (Object.hasOwn(REFUSALS, refusal)) return REFUSALS[refusal] ?? '';
  const reference = randomBytes(4).toString('hex');
  logger.error({ err: error, reference }, 'slack listener failed');
  return toPublicError(error, reference).body.error;
}
