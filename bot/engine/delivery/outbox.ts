import { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { logger } from '../../../models/logger.ts';
import { countEvent } from '../../../models/metrics.ts';
import { scheduleSweep } from '../../../models/store/dueTimers.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { defineWork } from '../../../models/store/work.ts';
import type { WorkRow } from '../../../models/store/workKind.ts';
import { traced } from '../../../models/tracing.ts';
import type { Refusal, Sending } from './channel.ts';
import { PermanentError } from './permanentError.ts';

/** Deliveries as work. A person waits for messages, questions and tasks; webhooks and mails go after them. */
export const deliveries = defineWork<DeliveryRow>({
  name: 'deliveries',
  rows: Delivery,
  open: { status: { $in: ['due', 'closing'] } },
  asRead: ({ status }) => ({ status }),
  dead: { status: 'failed' },
  dropped: { status: 'dropped' },
  lanes: [{ webhook: null, mail: null }, { $or: [{ webhook: { $ne: null } }, { mail: { $ne: null } }] }],
  leaseMs: 30_000,
  retry: { attempts: 12, firstWait: 2000, longestWait: 600_000, jitter: 0.25 },
  atOnce: 8,
  groupOf: ({ conversationId, surface }) => (conversationId ? `${conversationId}:${surface}` : null),
});

/** After this many attempts a delivery no longer blocks the ones behind it. */
const MAX_BLOCKING_ATTEMPTS = 5;
/** The last queued task of each conversation: a remote platform gets one message at a time. */
const queues = new Map<string, Promise<unknown>>();

/** Runs a task after those queued before it in the same conversation; without a conversation, at once. */
export function runInQueue<T>(conversationId: Types.ObjectId | null, task: () => Promise<T>): Promise<T> {
  if (!conversationId) return task();
  const key = String(conversationId);
  const queued = (queues.get(key) ?? Promise.resolve()).then(task, task);
  queues.set(key, queued);
  const forget = () => queues.get(key) === queued && queues.delete(key);
  runInBackground('a queue of deliveries', queued.then(forget, forget));
  return queued;
}

/** A new row; the key defaults to subject and surface, tasks pass their own. */
type Written = Pick<DeliveryRow, 'accountId' | 'surface'> &
  Partial<
    Pick<
      DeliveryRow,
      'interruptId' | 'messageId' | 'conversationId' | 'task' | 'webhook' | 'mail' | 'key' | 'reference'
    >
  >;

function newRow(it: Written): Omit<DeliveryRow, keyof WorkRow> {
  const subject = it.messageId ? `message:${it.messageId}` : String(it.interruptId);
  return {
    interruptId: null,
    messageId: null,
    conversationId: null,
    key: `${subject}:${it.surface satisfies Surface}`,
    reference: null,
    ...it,
    status: 'due',
  };
}

/**
 * Writes an outbox row, once per key, claimed by this process, which sends it.
 * @returns the row; null where it existed already, or workers send it
 */
export async function writeDelivery(it: Written): Promise<DeliveryRow | null> {
  const _id = new Types.ObjectId();
  const row: DeliveryRow = { ...newRow(it), accountId: it.accountId, _id, ...deliveries.newClaim() };
  if (!(await onceByKey(() => insertRow(Delivery, row)))) return null;
  // It may wait for earlier ones of its conversation before it is sent.
  return deliveries.noteClaim(row) ? row : null;
}

/** Writes an outbox row that is sent at a later time, once per key. */
export async function writeLater(it: Written & { key: string }, dueAt: Date): Promise<void> {
  const { accountId } = it;
  const row = { ...newRow(it), accountId, _id: new Types.ObjectId(), dueAt, lease: null, attempts: 0, error: null };
  if (await onceByKey(() => insertRow(Delivery, row))) scheduleSweep('deliveries', dueAt);
}

/** An earlier delivery of the same conversation and surface that has not been sent yet. */
async function findEarlier({ _id, accountId, conversationId, surface, status }: DeliveryRow) {
  if (!conversationId || status !== 'due') return null;
  const blocking = { status: 'due', said: { $ne: true }, attempts: { $lt: MAX_BLOCKING_ATTEMPTS } } as const;
  return Delivery.findOne({ accountId, conversationId, surface, _id: { $lt: _id }, ...blocking }, { dueAt: 1 }).lean();
}

/** A question that was answered while it was sent has been written anew as work, without the holder's lease. */
const ANSWERED_MEANWHILE = { status: { $in: ['closing', 'closed'] as DeliveryRow['status'][] } };

/**
 * Attempts a claimed delivery and saves the returned reference. A failure is saved and retried with back-off, or when
 * the platform says, or never for a PermanentError. Earlier deliveries of the conversation go first. Never throws.
 * @param beforeGivenUp called before the delivery is marked as failed; if it throws, the delivery is retried
 * @returns false where the question was answered meanwhile and has to be redrawn
 */
export async function tryDelivery(
  delivery: DeliveryRow,
  send: (sending: Sending) => Promise<DeliveryRow['reference']>,
  beforeGivenUp: (error: unknown) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const of = {
    'arc.delivery': String(delivery._id),
    'arc.account': delivery.accountId,
    'arc.surface': delivery.surface,
  };
  return deliveries.hold(delivery, async () => {
    try {
      const earlier = await findEarlier(delivery);
      if (earlier) {
        await deliveries.postpone(delivery, earlier.dueAt);
        return true;
      }
      const reference = await traced('delivery', { ...of, 'arc.attempt': delivery.attempts + 1 }, () =>
        send({
          reference: delivery.reference,
          keep: (kept, said = false) => keepSent(delivery, { reference: kept, said }),
        }),
      );
      countEvent('deliveries', [delivery.surface, 'sent']);
      return await noteSent(delivery, reference ?? delivery.reference);
    } catch (error) {
      await noteFailure(delivery, error, beforeGivenUp).catch((fault: unknown) =>
        logger.error(
          { err: fault, delivery: delivery.key },
          'a failed delivery could not be saved; it is retried when its claim expires',
        ),
      );
      return true;
    }
  });
}

/** Saves what was sent so far. The ids of something that is to be redrawn are saved without a lease too. */
async function keepSent(delivery: DeliveryRow, change: Partial<DeliveryRow>): Promise<void> {
  await deliveries.keep(delivery, change).catch(async (error: unknown) => {
    const kept = await Delivery.updateOne({ _id: delivery._id, ...ANSWERED_MEANWHILE }, { $set: change });
    if (kept.matchedCount === 0) throw error;
  });
}

/** @returns false where the question was answered meanwhile and has to be redrawn */
async function noteSent(delivery: DeliveryRow, reference: DeliveryRow['reference']): Promise<boolean> {
  const isRedrawn = delivery.status === 'closing';
  const isNoted = await deliveries.complete(delivery, { status: isRedrawn ? 'closed' : 'sent', reference });
  if (isNoted || isRedrawn) return true;
  // Due anew, now that its ids are known: whoever redraws it at this moment does not know them.
  const again = { status: 'closing', reference, dueAt: new Date(), lease: null, error: null, begun: 0 } as const;
  const { matchedCount } = await Delivery.updateOne({ _id: delivery._id, ...ANSWERED_MEANWHILE }, { $set: again });
  if (matchedCount === 0) logger.warn({ delivery: delivery.key }, 'a delivery was sent after its lease was lost');
  return matchedCount === 0;
}

async function noteFailure(
  delivery: DeliveryRow,
  error: unknown,
  beforeGivenUp: (error: unknown) => Promise<void>,
): Promise<void> {
  logger.warn({ err: error, delivery: delivery.key, attempts: delivery.attempts + 1 }, 'delivery failed');
  const outcome = await deliveries.fail(delivery, error, {
    isFinal: error instanceof PermanentError,
    retryAfter: (error as Refusal).retryAfter,
    beforeGivenUp: () => beforeGivenUp(error),
  });
  countEvent('deliveries', [delivery.surface, outcome === 'given_up' ? outcome : 'failed']);
  // Answered while it was sent: it is due as it was written then.
  if (outcome === 'lost') scheduleSweep('deliveries', new Date());
}
