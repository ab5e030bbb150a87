import { Types } from 'mongoose';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { UPLOAD_FIELD } from '../../../models/contracts/chat.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { attachmentOf } from '../../../models/contracts/files.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { StoredFile } from '../../../models/file.ts';
import { plainFileName } from '../../../models/fileName.ts';
import { keepFile } from '../../../models/files.ts';
import { readChatFiles, setCurrentFiles } from '../conversations/conversations.ts';
import { refusalUnder } from '../delivery/refusalUnder.ts';
import { say } from '../delivery/say.ts';
import { FileError } from '../files/fileError.ts';
import type { AgentFiles, DroppedFile, GivenFile } from './agent.ts';

/** The types of a text, by extension. */
const TYPES: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown',
  txt: 'text/plain',
};

type TextFiles = {
  agentId: AgentId;
  /** The kind under which its files are kept. */
  kind: string;
  /** The kind for people, as a sentence begins: "A document". */
  label: string;
  /** The media types that it takes, by extension; those of a text by default. */
  types?: Record<string, string>;
  /** Refuses a file that can't be used. @throws FileError with what to do */
  refuse?(file: DroppedFile, accountId: number): Promise<void>;
  /** What to say next, for the reply and its button. */
  next: { text: string; label: string; words: string };
};

/** @throws AppError uploads_full where the account keeps as many files of this kind as it may */
async function requireRoom(accountId: number, kind: string, { bytes, digest }: GivenFile): Promise<void> {
  const kept = await StoredFile.find({ accountId, kind, removed: false }, { size: 1, digest: 1, expiresAt: 1 })
    .sort({ createdAt: 1 })
    .lean();
  const size = kept.reduce((sum, file) => sum + file.size, bytes.byteLength);
  if (size <= LIMITS.uploads.bytes || kept.some((file) => file.digest === digest)) return;
  throw new AppError('uploads_full', {
    megabytes: LIMITS.uploads.bytes / 2 ** 20,
    days: LIMITS.retentionDays,
    day: kept[0]?.expiresAt?.toISOString().slice(0, 10) ?? 'a later day',
  });
}

/** How an agent takes documents that are dropped into a conversation: the newest is the one it works on. */
export function takeTextFiles({ agentId, kind, label, types = TYPES, refuse, next }: TextFiles): AgentFiles {
  const typeOf = (name: string) => ownEntry(types, name.split('.').at(-1)?.toLowerCase() ?? '');
  const agent = { agentId, displayName: findAgent(agentId)?.displayName ?? '' };
  return {
    knows: ({ fileName }) => typeOf(fileName) !== undefined,
    async accept(conversation, given, drop = String(new Types.ObjectId())) {
      const fileName = plainFileName(given.fileName);
      const { accountId } = conversation;
      const shown = { key: `drop:${drop}:file`, messageType: 'user', kind: 'upload' } as const;
      try {
        await refuse?.({ fileName, bytes: given.bytes }, accountId);
        await requireRoom(accountId, kind, given);
        const file = await keepFile({
          accountId,
          name: fileName,
          kind,
          type: typeOf(fileName) ?? 'application/octet-stream',
          key: `upload:${conversation._id}:${kind}:${fileName}:${given.digest}`,
          bytes: given.bytes,
          digest: given.digest,
        });
        await setCurrentFiles(conversation, { [kind]: file._id });
        const withheld = { redacted: `${label}. ${next.text}`, reference: `${label}. ${next.text}` };
        await say(conversation, {
          ...shown,
          text: file.originalName,
          attachments: [attachmentOf(file)],
          derived: { redacted: `${label}.`, reference: `${label}.` },
        });
        await say(conversation, {
          key: `drop:${drop}:seen`,
          kind: 'upload',
          agent,
          text: `${file.originalName} is here. ${next.text}`,
          derived: withheld,
          card: { actions: [{ label: next.label, action: 'send', value: next.words }] },
        });
        return { file, seen: { kind, fileName, rowCount: 0 } };
      } catch (error) {
        const refusal = translate(error);
        if (!(refusal instanceof AppError)) throw error;
        await say(conversation, { ...shown, text: fileName });
        const derived = refusalUnder(refusal, Object.keys(types));
        await say(conversation, {
          key: `drop:${drop}:refused`,
          kind: 'refused',
          agent,
          text: refusal.message,
          derived,
        });
        throw refusal;
      }
    },
    async ready(conversation) {
      const current = await currentTextFile(conversation, kind);
      return current ? { [kind]: current } : {};
    },
  };
}

/** Id of the newest file of a kind in a conversation, or in the chat that it is a thread of. */
export async function currentTextFile(
  { files, ...place }: Pick<ConversationRow, 'files' | 'placeId' | 'direct'>,
  kind: string,
): Promise<Types.ObjectId | undefined> {
  return files[kind] ?? (await readChatFiles(place))[kind];
}

const translate = (error: unknown): unknown =>
  error instanceof FileError
    ? new AppError('invalid_file', { text: error.message }, { fields: { [UPLOAD_FIELD]: error.message }, cause: error })
    : error;
