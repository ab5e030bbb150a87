import { z } from 'zod';
import { runInBackground } from '../../../../models/background.ts';
import { AppError, plainText } from '../../../../models/contracts/errors.ts';
import { openConversation } from '../../../engine/conversations/conversations.ts';
import { acceptTask } from '../../../engine/delivery/deliverTask.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { addressOf } from '../platform/address.ts';
import { type FileAnswer, findOffer } from '../talk/handOver.ts';
import { sendPrivately } from '../talk/outbound.ts';
import type { Source } from './source.ts';

const consentValue = z.object({
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
 * Handles the answer to a file offer: stores it as a task that the outbox performs once, however often the button is
 * pressed. For a file that was not offered in this conversation, nothing is stored and the person is told.
 */
export async function onFileConsent(source: Source): Promise<InvokeAnswer> {
  const parsed = consentValue.safeParse(source.activity.value);
  const reference = parsed.success ? await source.reference() : null;
  if (!parsed.success || !reference) return { status: 400 };
  const { action, context, uploadInfo } = parsed.data;
  if (action === 'accept' && !uploadInfo) return { status: 400 };
  const { installation, activity, place } = source;
  const conversation = await openConversation(installation.row.accountId, addressOf(place));
  if (!(await findOffer(conversation, context))) {
    const text = plainText(new AppError('file_not_found'));
    runInBackground(
      'replying to a file consent',
      sendPrivately({ installation, reference, place }, activity.from.id, text),
    );
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
