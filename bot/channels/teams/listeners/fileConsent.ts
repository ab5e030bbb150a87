import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import { logger } from '../../../../models/logger.ts';
import { Message, type MessageRow } from '../../../../models/message.ts';
import { readDownload } from '../../../engine/agents/clinical_safety/exports.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { openConversation } from '../../../engine/turns/conversations.ts';
import type { Activity, InvokeAnswer } from '../activity.ts';
import { addressOf } from '../address.ts';
import { fileSent, fileSettled } from '../cards/fileCards.ts';
import { connector } from '../connector.ts';
import { putTeamsFile } from '../files.ts';
import { targetOf } from '../references.ts';
import { wordsFor } from './cardActions.ts';
import { memberBehind, type Source } from './source.ts';

const answered = z.object({
  action: z.enum(['accept', 'decline']),
  context: z.object({ messageId: z.string().regex(/^[0-9a-f]{24}$/), name: z.string() }),
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
type Answered = z.infer<typeof answered>;

/** A person lets a result go into their storage, or not. What can't be done is said, and the offer stays. */
export async function onFileConsent(source: Source): Promise<InvokeAnswer> {
  const read = answered.safeParse(source.activity.value);
  if (!read.success || !(await source.reference())) return { status: 400 };
  const { action, context } = read.data;
  try {
    await memberBehind(source);
    if (action === 'decline') await settle(source, fileSettled(context.name, `${context.name} stays in Arc.`));
    else await upload(source, read.data);
  } catch (error) {
    if (!(error instanceof AppError)) logger.warn({ err: error }, 'a file could not be put into Teams');
    await send(source, { type: 'message', text: wordsFor(error, source.activity.id), textFormat: 'plain' });
  }
  return { status: 200 };
}

async function upload(source: Source, { context, uploadInfo }: Answered): Promise<void> {
  const { accountId } = source.installation.row;
  if (!uploadInfo) throw new AppError('bad_request');
  // Only what was offered in this very conversation, and only while the company still consents to it.
  const conversation = await openConversation(accountId, addressOf(source.place));
  const message = (await Message.findOne({
    _id: context.messageId,
    conversationId: conversation._id,
  }).lean()) as MessageRow | null;
  const offered = message?.attachments.some(({ name }) => name === context.name);
  const mode = await consentFor(accountId, 'teams');
  const file = offered && (mode === 'full' || !message?.derived) ? await readDownload(accountId, context.name) : null;
  if (!file) throw new AppError('file_not_found');
  await putTeamsFile(uploadInfo.uploadUrl, file.bytes);
  await settle(source, fileSent(uploadInfo));
}

/** Replaces the offer by what came of it. */
async function settle(source: Source, activity: Activity): Promise<void> {
  const { activity: invoke, installation, place } = source;
  const reference = await source.reference();
  if (!reference) return;
  await send(source, activity);
  if (!invoke.replyToId) return;
  // Taking the offer away is a courtesy: pressed again it does no harm.
  await connector()
    .remove(targetOf(installation, reference, place), invoke.replyToId)
    .catch((error: unknown) => logger.debug({ err: error }, 'an offer could not be taken away'));
}

async function send({ installation, reference: read, place }: Source, activity: Activity): Promise<void> {
  const reference = await read();
  if (reference) await connector().send(targetOf(installation, reference, place), activity);
}
