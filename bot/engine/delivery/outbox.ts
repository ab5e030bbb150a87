import { Types } from 'mongoose';
import type { Surface } from '../../../models/contracts/interrupts.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { logger } from '../../../models/logger.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';

/** First wait after a failed delivery, doubled each time, ten minutes at most. */
const BACK_OFF_MILLISECONDS = 2000;
const MOST_ATTEMPTS = 12;

/** What a platform says when it wants to be left alone for a while, in seconds. */
type Refusal = { retryAfter?: number; message?: string };

/** Writes an outbox row, once by its key. @returns the row where this call wrote it, else null */
export async function writeDelivery(
  it: Pick<DeliveryRow, 'accountId' | 'interruptId' | 'messageId' | 'surface'>,
): Promise<DeliveryRow | null> {
  const subject = it.messageId ? `message:${it.messageId}` : String(it.interruptId);
  const row: DeliveryRow = {
    ...it,
    _id: new Types.ObjectId(),
    key: `${subject}:${it.surface satisfies Surface}`,
    status: 'due',
    reference: null,
    attempts: 0,
    dueAt: new Date(),
    error: null,
  };
  return (await onceByKey(() => insertRow(Delivery, row))) ? row : null;
}

/**
 * Tries a delivery: what it gives is kept as the reference; a failure is noted and comes due again, later each time, or
 * when the platform says. Never throws.
 */
export async function tryDelivery(delivery: DeliveryRow, send: () => Promise<DeliveryRow['reference']>): Promise<void> {
  try {
    const reference = await send();
    const status = delivery.status === 'closing' ? 'closed' : 'sent';
    await Delivery.updateOne(
      { _id: delivery._id, status: delivery.status },
      { $set: { status, reference: reference ?? delivery.reference, error: null } },
    );
  } catch (error) {
    const { retryAfter, message } = error as Refusal;
    const attempts = delivery.attempts + 1;
    const wait = retryAfter ? retryAfter * 1000 : Math.min(600_000, BACK_OFF_MILLISECONDS * 2 ** delivery.attempts);
    logger.warn({ err: error, delivery: delivery.key, attempts }, 'delivery failed');
    await Delivery.updateOne(
      { _id: delivery._id },
      {
        $set: {
          attempts,
          dueAt: new Date(Date.now() + wait),
          error: String(message).slice(0, 500),
          ...(attempts >= MOST_ATTEMPTS ? { status: 'failed' } : {}),
        },
      },
    );
  }
}
