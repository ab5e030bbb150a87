import { OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { announce } from '../../../models/store/revisions.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { channelNamed, channelOf, hasRemoteChannels, surfacesFor } from './channel.ts';
import { mailAtOnce } from './mailQuestion.ts';
import { deliveries, runInQueue, tryDelivery, writeDelivery } from './outbox.ts';
import { viewInterrupt } from './viewInterrupt.ts';

/**
 * Writes one outbox row per surface, claimed by this process, and one for each mail that is to go at once.
 * @returns a function that sends them; the sweeper retries what fails
 */
export async function prepareQuestion(
  row: InterruptRow,
  conversation: ConversationRow | null,
): Promise<() => Promise<void>> {
  const { accountId, _id: interruptId } = row;
  const surfaces = surfacesFor(conversation?.address.channel ?? null);
  const channel = conversation && channelNamed(conversation.address.channel);
  const written = await Promise.all(
    surfaces.map((surface) => {
      // On a remote channel the question keeps the conversation's order; our own pages sort by time.
      const said = channel?.remote && channel.surfaces.includes(surface);
      return writeDelivery({
        accountId,
        interruptId,
        messageId: null,
        conversationId: said ? (conversation?._id ?? null) : null,
        surface,
      });
    }),
  );
  await mailAtOnce(row);
  return async () => {
    await Promise.all(
      written
        .filter((it) => it !== null)
        .map((delivery) => runInQueue(delivery.conversationId, () => sendQuestion(delivery, { row, conversation }))),
    );
  };
}

/** Marks the deliveries of an answered or withdrawn question for redrawing, and redraws them. */
export async function closeDeliveries(row: InterruptRow): Promise<void> {
  const open: Pick<DeliveryRow, 'interruptId'> & { status: { $in: DeliveryRow['status'][] } } = {
    interruptId: row._id,
    status: { $in: ['due', 'sent'] },
  };
  // Our own pages read the question's row, so one write and one announcement are enough.
  const own = channelNamed(OWN_CHANNEL);
  if (own) {
    await Delivery.updateMany({ ...open, surface: { $in: [...own.surfaces] } }, { $set: { status: 'closed' } });
    announce(row.accountId, ['interrupts', 'chat']);
  }
  if (!hasRemoteChannels()) return;
  // New work: whoever still sends the question has to send its outcome afterwards, not to complete this.
  const anew = { status: 'closing', dueAt: new Date(), lease: null, attempts: 0, begun: 0 } as const;
  await Delivery.updateMany(open, { $set: anew });
  const closing = await Delivery.find({ interruptId: row._id, status: 'closing' }).lean();
  await Promise.all(
    closing.map(async (delivery) => {
      const claimed = await deliveries.claim(delivery);
      if (claimed) await sendQuestion(claimed, { row });
    }),
  );
}

/**
 * Sends a question, or its outcome where the delivery is closing. Never throws.
 * @param known rows that the caller has already read
 */
export async function sendQuestion(
  delivery: DeliveryRow,
  known: { row?: InterruptRow; conversation?: ConversationRow | null } = {},
): Promise<void> {
  const channel = channelOf(delivery.surface);
  const row = known.row ?? (await Interrupt.findOne({ _id: delivery.interruptId }).lean());
  if (!channel || !row) return deliveries.letGo(delivery);
  const question = viewInterrupt(row, null, await readTimeZone(row.accountId));
  const settled = await tryDelivery(delivery, async () => {
    if (delivery.status !== 'closing') {
      const conversation = known.conversation === undefined ? await conversationOf(row) : known.conversation;
      return channel.ask(question, delivery, conversation?.address.channel === channel.name ? conversation : null);
    }
    await channel.redraw(question, delivery);
    return null;
  });
  if (settled) return;
  const now = await Delivery.findOne({ _id: delivery._id, status: 'closing' }).lean();
  const claimed = now && (await deliveries.claim(now));
  if (claimed) await sendQuestion(claimed);
}

/** The conversation a question was asked in. */
export async function conversationOf(row: InterruptRow): Promise<ConversationRow | null> {
  return row.conversationId ? Conversation.findById(row.conversationId).lean() : null;
}
