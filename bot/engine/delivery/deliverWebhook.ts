import { runInBackground } from '../../../models/background.ts';
import type { QuestionEvent } from '../../../models/contracts/outsideQuestions.ts';
import type { DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { readWebhookSecret } from '../access/accessTokens.ts';
import { RefusedAddress } from '../network/address.ts';
import { postSigned } from '../webhooks/postSigned.ts';
import { tryDelivery, writeDelivery } from './outbox.ts';
import { PermanentError } from './permanentError.ts';
import { viewForPrograms } from './viewForPrograms.ts';

/** Stores the webhook of an answered or withdrawn question, once, and sends it in the background; the sweeper retries it. */
export async function deliverWebhook(row: InterruptRow): Promise<void> {
  const { accountId, _id: interruptId, outside } = row;
  if (!outside?.webhook) return;
  const delivery = await writeDelivery({
    accountId,
    surface: 'api',
    key: `webhook:${interruptId}`,
    webhook: { interruptId, tokenId: outside.tokenId },
  });
  if (delivery) runInBackground('a webhook', sendWebhook(delivery));
}

/** Sends the claimed webhook of a question that has ended. Never throws. */
export async function sendWebhook(delivery: DeliveryRow): Promise<void> {
  await tryDelivery(delivery, async () => {
    await post(delivery);
    return null;
  });
}

/** "Gone": the receiver wants no more. */
const GONE = 410;

/** @throws PermanentError where a retry can't help, Error otherwise */
async function post({ accountId, webhook }: DeliveryRow): Promise<void> {
  const row = webhook && (await Interrupt.findOne({ _id: webhook.interruptId, accountId }).lean());
  if (!webhook || !row?.outside?.webhook) throw new PermanentError('The question of this webhook no longer exists.');
  const secret = await readWebhookSecret(accountId, webhook.tokenId);
  if (!secret) throw new PermanentError('The access token that asked no longer works.');
  const data = viewForPrograms(row);
  const ended = row.status === 'cancelled' ? 'withdrawn' : 'answered';
  const timestamp = data.answeredAt ?? (row.resolvedAt ?? row.createdAt).toISOString();
  const event: QuestionEvent = { type: `question.${ended}`, timestamp, data };
  const sent = { id: `question-${row._id}-${ended}`, body: JSON.stringify(event) };
  const status = await postSigned(row.outside.webhook, secret, sent).catch((error: unknown) => {
    throw error instanceof RefusedAddress ? new PermanentError(error.message) : error;
  });
  if (status === GONE) throw new PermanentError('The receiver answered that it is gone (410).');
  if (status < 200 || status > 299) throw new Error(`The receiver answered with ${status}.`);
}
