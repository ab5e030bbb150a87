import { randomBytes } from 'node:crypto';
import { AppError, plainText, toPublicError } from '../../../../models/contracts/errors.ts';
import { logger } from '../../../../models/logger.ts';
import { refusalOf } from '../client.ts';

/** What Slack's own refusals mean to the person who clicked. */
const REFUSALS: Record<string, string> = {
  expired_trigger_id: 'Slack gave up waiting before the form could open. Please click again.',
  trigger_expired: 'Slack gave up waiting before the form could open. Please click again.',
  exchanged_trigger_id: 'The form is open already.',
};

/** What is said where Arc is not connected any more; what was written is not lost by it. */
export const NOT_CONNECTED =
  'Arc is not connected to this workspace, or is switched off. Ask whoever runs it to connect it under Integrations.';

/** What to say in Slack of an error: its own sentence where people may read it; else a reference to the log. */
export function tellError(error: unknown): string {
  if (error instanceof AppError) return plainText(error);
  const refusal = refusalOf(error) ?? '';
  if (Object.hasOwn(REFUSALS, refusal)) return REFUSALS[refusal] ?? '';
  const reference = randomBytes(4).toString('hex');
  logger.error({ err: error, reference }, 'slack listener failed');
  return toPublicError(error, reference).body.error;
}
