import { runInBackground } from '../../../models/background.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import { channelNamed } from './channel.ts';
import { deliveries, tryDelivery, writeDelivery } from './outbox.ts';
import { PermanentError } from './permanentError.ts';
import { say } from './say.ts';

/** The context of a task's sealed input. */
export const taskContext = ({ accountId, key }: Pick<DeliveryRow, 'accountId' | 'key'>) => `task:${accountId}:${key}`;

/**
 * Stores a task for a channel that is not a message, e.g. an upload to somebody's drive, once per name, and starts it
 * in the background; the sweeper retries it. Submitting a task again after it failed for good restarts it. The input is
 * stored encrypted.
 * @returns once it is stored, not once it is done
 */
export async function acceptTask(conversation: ConversationRow, name: string, given: object): Promise<void> {
  const { accountId, _id: conversationId } = conversation;
  const surface = channelNamed(conversation.address.channel)?.surfaces[0] ?? 'api';
  const key = `${conversationId}:${name}:${surface}`;
  const task = { conversationId, sealed: seal(given, taskContext({ accountId, key })) };
  const written = await writeDelivery({ accountId, key, task, surface });
  const delivery = written ?? (await restartTask(accountId, key, task));
  if (delivery) runInBackground('a channel task', performTask(delivery));
}

async function restartTask(accountId: number, key: string, task: DeliveryRow['task']): Promise<DeliveryRow | null> {
  const reset = {
    status: 'due',
    task,
    reference: null,
    attempts: 0,
    begun: 0,
    error: null,
    dueAt: new Date(),
    lease: null,
  } as const;
  const row = await Delivery.findOneAndUpdate(
    { accountId, key, status: { $in: ['failed', 'dropped'] } },
    { $set: reset },
    { returnDocument: 'after' },
  ).lean();
  return row && deliveries.claim(row);
}

/** Performs a claimed task. When it is given up, its conversation is told through the outbox, once per submission. */
export async function performTask(delivery: DeliveryRow): Promise<void> {
  const { task } = delivery;
  const conversation = task && (await Conversation.findById(task.conversationId).lean());
  const channel = conversation && channelNamed(conversation.address.channel);
  const open = (it: NonNullable<typeof task>) => unseal<object>(it.sealed, taskContext(delivery));
  let { reference } = delivery;
  await tryDelivery(
    delivery,
    async (sending) => {
      const keep: typeof sending.keep = async (kept, said) => {
        await sending.keep(kept, said);
        reference = kept;
      };
      // The conversation was erased: there is nobody to do it for.
      if (!task || !conversation || !channel?.perform)
        throw new PermanentError('The conversation of this task no longer exists.');
      return (await channel.perform(conversation, open(task), { ...sending, keep })) ?? null;
    },
    async (error) => {
      if (!task || !conversation || !channel) return;
      const text =
        (error instanceof PermanentError ? error.told : undefined) ?? channel.givenUpText?.(open(task), reference);
      // The nonce differs for each submission of the task.
      const key = `given-up:${delivery._id}:${task.sealed.nonce}`;
      if (text) await say(conversation, { key, messageType: 'system', kind: 'text', text });
    },
  );
}
