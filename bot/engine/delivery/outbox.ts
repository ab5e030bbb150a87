import { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { countEvent } from '../../../models/metrics.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import type { Refusal, Sending } from './channel.ts';
import { scheduleSweep } from '../../../models/store/dueTimers.ts';
import { PermanentError } from './permanentError.ts';

/** Wait after the first failure; doubled each time, up to ten minutes. */
const BACK_OFF_MS = 2000;
const MAX_ATTEMPTS = 12;

/** Other processes leave a claimed delivery alone for this long; the claim is renewed while it is being sent. */
const CLAIM_MS = 30_000 * env.PATIENCE_FACTOR;
const RENEW_MS = CLAIM_MS / 3;
/** Ids of the deliveries that this process has claimed. */
const inFlight = new Set<string>();

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

function newRow(it: Written): DeliveryRow {
  const subject = it.messageId ? `message:${it.messageId}` : String(it.interruptId);
  return {
    interruptId: null,
    messageId: null,
    conversationId: null,
    key: `${subject}:${it.surface satisfies Surface}`,
    reference: null,
    ...it,
    _id: new Types.ObjectId(),
    status: 'due',
    attempts: 0,
    dueAt: new Date(Date.now() + CLAIM_MS),
    error: null,
  };
}

/**
 * Writes an outbox row, once per key, claimed by this process, which sends it.
 * @returns the row; null where it existed already
 */
export async function writeDelivery(it: Written): Promise<DeliveryRow | null> {
  const row = newRow(it);
  if (!(await onceByKey(() => insertRow(Delivery, row)))) return null;
  inFlight.add(String(row._id));
  return row;
}

/** Writes an outbox row that is sent at a later time, once per key. */
export async function writeLater(it: Written & { key: string }, dueAt: Date): Promise<void> {
  const row: DeliveryRow = { ...newRow(it), dueAt };
  if (await onceByKey(() => insertRow(Delivery, row))) scheduleSweep('deliveries', dueAt);
}

/**
 * Claims a due delivery.
 * @param again true for the sweeper: counts the attempt in the same write, because a delivery that ends the process
 *   leaves no other trace
 * @returns false where it is claimed already, here or in another process
 */
export async function claimDelivery(delivery: DeliveryRow, again = false): Promise<boolean> {
  if (inFlight.has(String(delivery._id))) return false;
  const claimed = await Delivery.updateOne(
    { _id: delivery._id, status: delivery.status, dueAt: delivery.dueAt },
    { $set: { dueAt: new Date(Date.now() + CLAIM_MS) }, ...(again ? { $inc: { begun: 1 } } : {}) },
  );
  if (claimed.modifiedCount === 1) inFlight.add(String(delivery._id));
  return claimed.modifiedCount === 1;
}

/** Releases a claimed delivery that is not attempted after all. */
export function releaseDelivery({ _id }: Pick<DeliveryRow, '_id'>): void {
  inFlight.delete(String(_id));
}

/** An earlier delivery of the same conversation and surface that has not been sent yet. */
async function findEarlier({ _id, accountId, conversationId, surface, status }: DeliveryRow) {
  if (!conversationId || status !== 'due') return null;
  const blocking = { status: 'due', said: { $ne: true }, attempts: { $lt: MAX_BLOCKING_ATTEMPTS } } as const;
  return Delivery.findOne({ accountId, conversationId, surface, _id: { $lt: _id }, ...blocking }, { dueAt: 1 }).lean();
}

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
  // A slow platform must not get the same delivery from two processes.
  const renewal = setInterval(() => {
    Delivery.updateOne(
      { _id: delivery._id, status: delivery.status },
      { $set: { dueAt: new Date(Date.now() + CLAIM_MS) } },
    ).catch((error: unknown) => logger.warn({ err: error, delivery: delivery.key }, 'a claim could not be renewed'));
  }, RENEW_MS);
  renewal.unref();
  try {
    const earlier = await findEarlier(delivery);
    if (earlier) {
      await Delivery.updateOne({ _id: delivery._id, status: 'due' }, { $set: { dueAt: earlier.dueAt, begun: 0 } });
      scheduleSweep('deliveries', earlier.dueAt);
      return true;
    }
    const reference = await send({
      reference: delivery.reference,
      async keep(kept, said = false) {
        await Delivery.updateOne({ _id: delivery._id }, { $set: { reference: kept, said } });
      },
    });
    countEvent('deliveries', [delivery.surface, 'sent']);
    const status = delivery.status === 'closing' ? 'closed' : 'sent';
    const kept = { reference: reference ?? delivery.reference, error: null, begun: 0 };
    const noted = await Delivery.updateOne(
      { _id: delivery._id, status: delivery.status },
      { $set: { status, ...kept } },
    );
    if (noted.modifiedCount === 1 || delivery.status === 'closing') return true;
    // Answered while it was being sent: it can be redrawn now that its ids are known.
    await Delivery.updateOne({ _id: delivery._id }, { $set: { status: 'closing', dueAt: new Date(), ...kept } });
    return false;
  } catch (error) {
    await noteFailure(delivery, error, beforeGivenUp).catch((fault: unknown) =>
      logger.error(
        { err: fault, delivery: delivery.key },
        'a failed delivery could not be saved; it is retried when its claim expires',
      ),
    );
    return true;
  } finally {
    clearInterval(renewal);
    inFlight.delete(String(delivery._id));
  }
}

async function noteFailure(
  delivery: DeliveryRow,
  error: unknown,
  beforeGivenUp: (error: unknown) => Promise<void>,
): Promise<void> {
  const { retryAfter, message } = error as Refusal;
  const attempts = delivery.attempts + 1;
  // Jitter of ±25 %: deliveries that failed together are not retried together.
  const later = Math.min(600_000, BACK_OFF_MS * 2 ** delivery.attempts) * (0.75 + Math.random() / 2);
  const dueAt = new Date(Date.now() + (retryAfter ? retryAfter * 1000 : later));
  logger.warn({ err: error, delivery: delivery.key, attempts }, 'delivery failed');
  const over = error instanceof PermanentError || attempts >= MAX_ATTEMPTS;
  const givenUp =
    over &&
    (await beforeGivenUp(error).then(
      () => true,
      (fault: unknown) =>
        logger.error({ err: fault, delivery: delivery.key }, 'the person could not be told about a failed delivery'),
    )) === true;
  countEvent('deliveries', [delivery.surface, givenUp ? 'given_up' : 'failed']);
  await Delivery.updateOne(
    { _id: delivery._id },
    {
      $set: {
        attempts,
        dueAt,
        begun: 0,
        error: String(message).slice(0, 500),
        ...(givenUp ? { status: 'failed' } : {}),
      },
    },
  );
  if (!givenUp) scheduleSweep('deliveries', dueAt);
}
