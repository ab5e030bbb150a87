import { LIMITS } from '../../../models/contracts/limits.ts';
import { logger } from '../../../models/logger.ts';
import { PaymentEvent, type PaymentEventRow } from '../../../models/paymentEvent.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { Subscription } from '../../../models/subscription.ts';
import { paymentsConfigured, readPaidPlan } from './readPaidPlan.ts';
import { type StripeEvent, stripe } from './stripe.ts';

/** Events after which a plan may be another. Whatever else the provider sends is acknowledged and left. */
const TYPES = [
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.updated',
  'invoice.paid',
  'invoice.payment_failed',
];
const DAY_MS = 86_400_000;
/** The list is read again from an hour before the newest event seen there: it may get older ones late. */
const OVERLAP_MS = 60 * 60_000;

function customerOf({ data }: StripeEvent): string | null {
  const { customer } = data.object;
  return typeof customer === 'string' ? customer : null;
}

/**
 * Stores an event, once by its id.
 * @returns whether it has to be applied: not one that was before, nor one that says nothing about a plan
 */
export async function receiveEvent(event: StripeEvent, isListed = false): Promise<boolean> {
  if (!TYPES.includes(event.type)) return false;
  const row = {
    _id: event.id,
    type: event.type,
    customerId: customerOf(event),
    madeAt: new Date(event.created * 1000),
    receivedAt: new Date(),
    isListed,
  };
  const isNew = await onceByKey(() => PaymentEvent.create(row as PaymentEventRow));
  if (!isNew && isListed) await PaymentEvent.updateOne({ _id: event.id }, { $set: { isListed } });
  return (await PaymentEvent.exists({ _id: event.id, appliedAt: null })) !== null;
}

/**
 * Applies a stored event: the company's plan is read from the provider. Applying one again changes nothing.
 * @throws AppError provider_unavailable; then the event stays to be applied by the job
 */
export async function applyEvent(id: string): Promise<void> {
  const event = await PaymentEvent.findById(id).lean();
  if (!event || event.appliedAt) return;
  const accountId = await accountOf(event.customerId);
  if (accountId !== null) await readPaidPlan(accountId);
  else logger.info({ event: id, type: event.type }, 'a payment event is of no company here');
  await PaymentEvent.updateOne({ _id: id }, { $set: { accountId, appliedAt: new Date() } });
}

/** The company of a customer. Only Arc's own row says so: what an event claims about accounts is not read. */
async function accountOf(customerId: string | null): Promise<number | null> {
  if (customerId === null) return null;
  const row = await dangerouslyRunInEveryAccount(() => Subscription.findOne({ customerId }).lean());
  return row?.accountId ?? null;
}

/**
 * Finds the events that no webhook brought, e.g. while this server was down, and applies everything that is not yet. For
 * the job.
 */
export async function replayEvents(now = new Date()): Promise<void> {
  if (!paymentsConfigured()) return;
  const oldest = new Date(now.getTime() - LIMITS.payments.listedDays * DAY_MS);
  await storeListed(oldest).catch((error: unknown) => logger.error({ err: error }, 'payment events were not listed'));
  const waiting = await PaymentEvent.find({ appliedAt: null }).sort({ madeAt: 1 }).lean();
  for (const { _id } of waiting)
    await applyEvent(_id).catch((error: unknown) =>
      logger.error({ err: error, event: _id }, 'a payment event was not applied; the next run of the job retries'),
    );
  const kept = new Date(oldest.getTime() - LIMITS.payments.listedDays * DAY_MS);
  await PaymentEvent.deleteMany({ appliedAt: { $ne: null }, madeAt: { $lt: kept } });
}

async function storeListed(oldest: Date): Promise<void> {
  const last = await PaymentEvent.findOne({ isListed: true }).sort({ madeAt: -1 }).lean();
  const since = new Date(Math.max(oldest.getTime(), (last?.madeAt.getTime() ?? 0) - OVERLAP_MS));
  const listed = await stripe.listEvents(TYPES, since);
  // The oldest first: if the process ends in between, the next reading begins where this one ended.
  for (const event of listed.toReversed()) await receiveEvent(event, true);
}
