import { runInBackground } from '../../../models/background.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import { channelNamed } from './channel.ts';
import { claimDelivery, tryDelivery, writeDelivery } from './outbox.ts';
import { PermanentError } from './permanentError.ts';
import { say } from './say.ts';

const contextOf = ({ accountId, key }: Pick<DeliveryRow, 'accountId' | 'key'>) => `task:${accountId}:${key}`;

/**
 * Writes what a channel has to do outside for a conversation beside saying things, e.g. a file that a person let go:
 * once by its name. It is done at once, and again by the job where that fails. Given anew after it failed for good, it
 * begins anew. What is given is kept sealed.
 * @returns once it is written; not once it is done
 */
export async function acceptTask(conversation: ConversationRow, name: string, given: object): Promise<void> {
  const { accountId, _id: conversationId } = conversation;
  const surface = channelNamed(conversation.address.channel)?.surfaces[0] ?? 'api';
  const key = `${conversationId}:${name}:${surface}`;
  const task = { conversationId, sealed: seal(given, contextOf({ accountId, key })) };
  const written = await writeDelivery({ accountId, key, task, surface });
  const delivery = written ?? (await beginAnew(accountId, key, task));
  if (delivery) runInBackground('a channel task', performTask(delivery));
}

async function beginAnew(accountId: number, key: string, task: DeliveryRow['task']): Promise<DeliveryRow | null> {
  const anew = { status: 'due', task, reference: null, attempts: 0, begun: 0, error: null, dueAt: new Date() } as const;
  const row = await Delivery.findOneAndUpdate(
    { accountId, key, status: 'failed' },
    { $set: anew },
    { returnDocument: 'after' },
  ).lean();
  return row && (await claimDelivery(row)) ? row : null;
}

/**
 * Does what a delivery that this process has claimed holds. Where it is given up, whoever asked for it is told so in its
 * conversation: by the outbox too, and once for each time that it was asked for.
 */
export async function performTask(delivery: DeliveryRow): Promise<void> {
  const { task } = delivery;
  const conversation = task && (await Conversation.findById(task.conversationId).lean());
  const channel = conversation && channelNamed(conversation.address.channel);
  const open = (it: NonNullable<typeof task>) => unseal<object>(it.sealed, contextOf(delivery));
  let { reference } = delivery;
  await tryDelivery(
    delivery,
    async (sending) => {
      const keep: typeof sending.keep = async (kept, said) => {
        await sending.keep(kept, said);
        reference = kept;
      };
      // Erased meanwhile: there is nothing left to do it for.
      if (!task || !conversation || !channel?.perform)
        throw new PermanentError('What was to be done has no conversation any more.');
      return (await channel.perform(conversation, open(task), { ...sending, keep })) ?? null;
    },
    async (error) => {
      if (!task || !conversation || !channel) return;
      const text =
        (error instanceof PermanentError ? error.told : undefined) ?? channel.givenUpText?.(open(task), reference);
      // Sealed anew for each time that it was asked for.
      const key = `given-up:${delivery._id}:${task.sealed.nonce}`;
      if (text) await say(conversation, { key, messageType: 'system', kind: 'text', text });
    },
  );
}
