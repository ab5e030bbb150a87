import { AppError, plainText } from '../../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { logger } from '../../../../models/logger.ts';
import { Message, type MessageRow } from '../../../../models/message.ts';
import { readDownload } from '../../../engine/agents/downloads.ts';
import type { Sending } from '../../../engine/delivery/channel.ts';
import { consentFor, linkToDownload } from '../../../engine/delivery/consent.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { type FileContext, fileSent, fileSettled } from '../cards/fileCards.ts';
import { requireMember } from '../identity/people.ts';
import { targetOf } from '../install/references.ts';
import type { Target } from '../platform/activity.ts';
import { connector } from '../platform/connector.ts';
import { putTeamsFile } from './files.ts';
import type { Reached } from './reach.ts';

/** Where Teams lets a file be put, and how it is named there. */
type UploadInfo = { contentUrl: string; uploadUrl: string; name: string; uniqueId: string; fileType: string };

/** What a person answered to a file that was offered. */
export type FileAnswer = {
  userId: string;
  context: FileContext;
  /** Null where they declined. */
  uploadInfo: UploadInfo | null;
  /** The offer; null where Teams did not say which. */
  offerId: string | null;
};

/** The message of a conversation that offered a file by this name; null where none did. */
export async function findOffer(
  { _id: conversationId }: Pick<ConversationRow, '_id'>,
  { messageId, name }: FileContext,
): Promise<MessageRow | null> {
  const message = await Message.findOne({ _id: messageId, conversationId }).lean();
  return message?.attachments.some((attachment) => attachment.name === name) ? message : null;
}

/** How far it has come; kept, so that a second try repeats none of it. */
export type Step = 'begun' | 'put' | 'shown';

/**
 * Does what a person answered to an offer: the file is put where they let it go and shown there, or stays; then the
 * offer goes. What can't be done the offer stays for.
 * @throws PermanentError with what they are told where it was refused, TeamsRefusal
 */
export async function handOver(
  reached: Reached,
  conversation: ConversationRow,
  answer: FileAnswer,
  sending: Sending,
): Promise<{ step: Step }> {
  const target = targetOf(reached.installation, reached.reference, reached.place);
  const step = sending.reference?.step as Step | undefined;
  const { context, uploadInfo, userId, offerId } = answer;
  if (step === undefined || step === 'begun') {
    try {
      await requireMember(reached.installation, reached.reference, userId);
      if (uploadInfo) {
        const bytes = await readOffered(conversation, context);
        await sending.keep({ step: 'begun' });
        await putOffered(uploadInfo.uploadUrl, context.name, bytes, step === 'begun');
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new PermanentError('The file was not handed over.', { cause: error, told: plainText(error) });
    }
    await sending.keep({ step: 'put' });
  }
  if (step !== 'shown') {
    const outcome = uploadInfo ? fileSent(uploadInfo) : fileSettled(context.name, `${context.name} stays in Arc.`);
    await connector().send(target, outcome);
    await sending.keep({ step: 'shown' });
  }
  if (offerId) await takeAway(target, offerId);
  return { step: 'shown' };
}

/** The bytes that were offered in this very conversation, while the company still consents to it. @throws AppError file_not_found */
async function readOffered(conversation: ConversationRow, context: FileContext): Promise<Uint8Array> {
  const { accountId } = conversation;
  const [message, mode] = await Promise.all([findOffer(conversation, context), consentFor(accountId, 'teams')]);
  const may = message && (mode === 'full' || !message.derived);
  const file = may ? await readDownload(accountId, context.name) : null;
  if (!file) throw new AppError('file_not_found');
  return file.bytes;
}

/** @throws AppError not_available where the host refuses it for good, TeamsRefusal */
async function putOffered(address: string, name: string, bytes: Uint8Array, again: boolean): Promise<void> {
  try {
    await putTeamsFile(address, bytes, again);
  } catch (cause) {
    if (!(cause instanceof PermanentError)) throw cause;
    throw new AppError('not_available', { text: unconfirmedText(name) }, { cause });
  }
}

const unconfirmedText = (name: string) =>
  `Teams did not confirm that ${name} was put into your OneDrive. If it is not there, accept it once more, or download it in Arc: ${linkToDownload(name)}`;

/** What is told where Teams could not be reached for so long that a file is given up; a file that stays is no loss. */
export function givenUpText({ uploadInfo, context }: FileAnswer, step: Step | undefined): string | null {
  if (!uploadInfo || step === 'shown') return null;
  return step === 'put' ? `${context.name} was put into your OneDrive.` : unconfirmedText(context.name);
}

/** Taking the offer away is a courtesy: pressed again it does no harm. */
const takeAway = (target: Target, offerId: string) =>
  connector()
    .remove(target, offerId)
    .catch((error: unknown) => logger.debug({ err: error }, 'an offer could not be taken away'));
