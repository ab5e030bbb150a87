import { z } from 'zod';
import { runInBackground } from '../../../../models/background.ts';
import { AppError, plainText } from '../../../../models/contracts/errors.ts';
import { openConversation } from '../../../engine/conversations/conversations.ts';
import { acceptTask } from '../../../engine/delivery/deliverTask.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { addressOf } from '../platform/address.ts';
import { type FileAnswer, findOffer } from '../talk/handOver.ts';
import { tellAlone } from '../talk/outbound.ts';
import type { Source } from './source.ts';

const answered = z.object({
  action: z.enum(['accept', 'decline']),
  context: z.object({ messageId: z.string().regex(/^[0-9a-f]{24}$/), name: z.string().min(1).max(300) }),
  uploadInfo: z
    .object({
      contentUrl: z.string(),
      uploadUrl: z.string(),
      name: z.string(),
      uniqueId: z.string(),
      fileType: z.string(),
    })
    .optional(),
});

/**
 * A person lets a result go into their storage, or not. That is stored and answered; the outbox does it, once, however
 * often it is pressed. What was not offered in this conversation they are told, and nothing is stored.
 */
export async function onFileConsent(source: Source): Promise<InvokeAnswer> {
  const read = answered.safeParse(source.activity.value);
  const reference = read.success ? await source.reference() : null;
  if (!read.success || !reference) return { status: 400 };
  const { action, context, uploadInfo } = read.data;
  if (action === 'accept' && !uploadInfo) return { status: 400 };
  const { installation, activity, place } = source;
  const conversation = await openConversation(installation.row.accountId, addressOf(place));
  if (!(await findOffer(conversation, context))) {
    const text = plainText(new AppError('file_not_found'));
    runInBackground('telling a person', tellAlone({ installation, reference, place }, activity.from.id, text));
    return { status: 200 };
  }
  await acceptTask(conversation, `file:${context.messageId}:${context.name}`, {
    userId: activity.from.id,
    context,
    uploadInfo: (action === 'accept' && uploadInfo) || null,
    offerId: activity.replyToId ?? null,
  } satisfies FileAnswer);
  return { status: 200 };
}
