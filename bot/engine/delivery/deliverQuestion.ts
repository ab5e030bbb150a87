import { Types } from 'mongoose';
import { Account } from '../../../models/account.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { channelOf, surfacesFor } from './channel.ts';
import { viewInterrupt } from './viewInterrupt.ts';

/** First wait after a failed delivery, doubled each time, ten minutes at most. */
const BACK_OFF_MILLISECONDS = 2000;
const MOST_ATTEMPTS = 12;

/** Writes one outbox row per surface and sends each; what fails is sent again by the job. */
export async function deliverQuestion(row: InterruptRow, conversation: ConversationRow | null): Promise<void> {
  const surfaces = surfacesFor(conversation?.address.channel ?? null);
  const deliveries = surfaces.map(
    (surface): DeliveryRow => ({
      _id: new Types.ObjectId(),
      accountId: row.accountId,
      interruptId: row._id,
      surface,
      key: `${row._id}:${surface}`,
      status: 'due',
      reference: null,
      attempts: 0,
      dueAt: new Date(),
      error: null,
    }),
  );
  const made = await Promise.all(deliveries.map((delivery) => onceByKey(() => insertRow(Delivery, delivery))));
  await Promise.all(deliveries.filter((_, index) => made[index]).map((delivery) => sendDelivery(delivery, row)));
}

/** Marks every surface of an answered or withdrawn question for redrawing, and redraws it. */
export async function closeDeliveries(row: InterruptRow): Promise<void> {
  await Delivery.updateMany(
    { interruptId: row._id, status: { $in: ['due', 'sent'] } },
    { $set: { status: 'closing', dueAt: new Date(), attempts: 0 } },
  );
  const open = await Delivery.find({ interruptId: row._id, status: 'closing' }).lean();
  await Promise.all(open.map((delivery) => sendDelivery(delivery, row)));
}

/** Sends what a delivery holds: the question, or, when it is closing, its outcome. Never throws. */
export async function sendDelivery(delivery: DeliveryRow, known?: InterruptRow): Promise<void> {
  const channel = channelOf(delivery.surface);
  const row = known ?? ((await Interrupt.findOne({ _id: delivery.interruptId }).lean()) as InterruptRow | null);
  if (!channel || !row) return;
  const account = await Account.findById(row.accountId, { timeZone: 1 }).lean();
  const question = viewInterrupt(row, null, account?.timeZone ?? 'Europe/London');
  try {
    const closing = delivery.status === 'closing';
    let { reference } = delivery;
    if (closing) await channel.redraw(question, delivery);
    else reference = await channel.ask(question, delivery);
    await Delivery.updateOne(
      { _id: delivery._id, status: delivery.status },
      { $set: { status: closing ? 'closed' : 'sent', reference, error: null } },
    );
  } catch (error) {
    const attempts = delivery.attempts + 1;
    const wait = Math.min(600_000, BACK_OFF_MILLISECONDS * 2 ** delivery.attempts);
    logger.warn({ err: error, delivery: delivery.key, attempts }, 'delivery failed');
    await Delivery.updateOne(
      { _id: delivery._id },
      {
        $set: {
          attempts,
          dueAt: new Date(Date.now() + wait),
          error: String((error as Error).message).slice(0, 500),
          ...(attempts >= MOST_ATTEMPTS ? { status: 'failed' } : {}),
        },
      },
    );
  }
}

/** The conversation a question was asked in. */
export async function conversationOf(row: InterruptRow): Promise<ConversationRow | null> {
  return row.conversationId ? Conversation.findById(row.conversationId).lean() : null;
}
