import { AppError, plainText } from '../../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { logger } from '../../../../models/logger.ts';
import { Message, type MessageRow } from '../../../../models/message.ts';
import { readDownload } from '../../../engine/agents/downloads.ts';
import type { Sending } from '../../../engine/delivery/channel.ts';
import { consentFor, linkToDownload } from '../../../engine/delivery/consent.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { type FileContext, fileOutcome, uploadedFile } from '../cards/fileCards.ts';
import { requireMember } from '../identity/people.ts';
import { targetOf } from '../install/references.ts';
import type { Target } from '../platform/activity.ts';
import { connector } from '../platform/connector.ts';
import { putTeamsFile } from './files.ts';
import type { ReachablePlace } from './reach.ts';

/** The upload address that Teams gives, and the file's details there. */
type UploadInfo = { contentUrl: string; uploadUrl: string; name: string; uniqueId: string; fileType: string };

/** A person's answer to a file offer. */
export type FileAnswer = {
  userId: string;
  context: FileContext;
  /** Null where they declined. */
  uploadInfo: UploadInfo | null;
  /** The offer's activity; null where Teams did not name it. */
  offerId: string | null;
};

/** The message of this conversation that offered the file; null where there is none. */
export async function findOffer(
  { _id: conversationId }: Pick<ConversationRow, '_id'>,
  { messageId, name }: FileContext,
): Promise<MessageRow | null> {
  const message = await Message.findOne({ _id: messageId, conversationId }).lean();
  return message?.attachments.some((attachment) => attachment.name === name) ? message : null;
}

/** The last finished step, saved so that a retry repeats none of them: upload started, uploaded, outcome shown. */
export type Step = 'begun' | 'put' | 'shown';

/**
 * Performs the answer to a file offer: uploads and shows the file, or says that it stays in Arc, and then deletes the
 * offer. On failure the offer stays, so that the person can retry.
 * @throws PermanentError with the text for the person where it was refused, TeamsRefusal
 */
export async function handOverFile(
  reachable: ReachablePlace,
  conversation: ConversationRow,
  answer: FileAnswer,
  sending: Sending,
): Promise<{ step: Step }> {
  const target = targetOf(reachable.installation, reachable.reference, reachable.place);
  const step = sending.reference?.step as Step | undefined;
  const { context, uploadInfo, userId, offerId } = answer;
  if (step === undefined || step === 'begun') {
    try {
      await requireMember(reachable.installation, reachable.reference, userId);
      if (uploadInfo) {
        const bytes = await readOffered(conversation, context);
        await sending.keep({ step: 'begun' });
        await uploadOffered(uploadInfo.uploadUrl, context.name, bytes, step === 'begun');
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new PermanentError('The file was not handed over.', { cause: error, told: plainText(error) });
    }
    await sending.keep({ step: 'put' });
  }
  if (step !== 'shown') {
    const outcome = uploadInfo ? uploadedFile(uploadInfo) : fileOutcome(context.name, `${context.name} stays in Arc.`);
    await connector().send(target, outcome);
    await sending.keep({ step: 'shown' });
  }
  if (offerId) await deleteOffer(target, offerId);
  return { step: 'shown' };
}

/**
 * The bytes of a file offered in this conversation, if the consent mode still allows it.
 * @throws AppError file_not_found
 */
async function readOffered(conversation: ConversationRow, context: FileContext): Promise<Uint8Array> {
  const { accountId } = conversation;
  const [message, mode] = await Promise.all([findOffer(conversation, context), consentFor(accountId, 'teams')]);
  const isOffered = message && (mode === 'full' || !message.derived);
  const file = isOffered ? await readDownload(accountId, context.name) : null;
  if (!file) throw new AppError('file_not_found');
  return file.bytes;
}

/** @throws AppError not_available where the host refuses permanently, TeamsRefusal */
async function uploadOffered(address: string, name: string, bytes: Uint8Array, isRetry: boolean): Promise<void> {
  try {
    await putTeamsFile(address, bytes, isRetry);
  } catch (cause) {
    if (!(cause instanceof PermanentError)) throw cause;
    throw new AppError('not_available', { text: unconfirmedText(name) }, { cause });
  }
}

const unconfirmedText = (name: string) =>
  `Teams did not confirm that ${name} was saved to your OneDrive. If it is not there, accept it again, or download it in Arc: ${linkToDownload(name)}`;

/** The message where retries were given up; null where nothing was lost. */
export function givenUpText({ uploadInfo, context }: FileAnswer, step: Step | undefined): string | null {
  if (!uploadInfo || step === 'shown') return null;
  return step === 'put' ? `${context.name} was saved to your OneDrive.` : unconfirmedText(context.name);
}

/** Failures are ignored: pressing a remaining offer again is harmless. */
const deleteOffer = (target: Target, offerId: string) =>
  connector()
    .remove(target, offerId)
    .catch((error: unknown) => logger.debug({ err: error }, 'could not delete an offer'));
