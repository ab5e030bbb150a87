import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { readChatFiles } from '../../../engine/conversations/conversations.ts';

/** The files that an analysis in a conversation uses. */
export type CurrentFiles = {
  logFileId: FileRow['_id'] | null;
  ticketsFileId: FileRow['_id'] | null;
  /** The company's hazard log, where the conversation has none of its own; the reply names it. */
  companyLog: FileRow | null;
};

/** The parts of a conversation that determine its files. */
type Files = Pick<ConversationRow, 'files' | 'placeId' | 'direct'>;

/**
 * A conversation's own files. A thread of a direct chat without its own hazard log uses the chat's log, and the chat's
 * tickets if it has none. A conversation's own log is never compared with another conversation's tickets.
 */
export async function ownFiles({ files, ...place }: Files): Promise<Omit<CurrentFiles, 'companyLog'>> {
  const { 'hazard-log': log, tickets } = files['hazard-log'] ? files : { ...(await readChatFiles(place)), ...files };
  return { logFileId: log ?? null, ticketsFileId: tickets ?? null };
}

/**
 * A conversation's own files, or, if it has no hazard log, the company's current one from any conversation with the
 * tickets uploaded last, or else those that it was analysed with.
 */
export async function currentFiles(conversation: Files & Pick<ConversationRow, 'accountId'>): Promise<CurrentFiles> {
  const { accountId } = conversation;
  const { logFileId, ticketsFileId } = await ownFiles(conversation);
  if (logFileId) return { logFileId, ticketsFileId, companyLog: null };
  const company = await findCompanyLog(accountId);
  if (!company) return { logFileId: null, ticketsFileId, companyLog: null };
  const { log: companyLog, analysedWith } = company;
  if (ticketsFileId) return { logFileId: companyLog._id, ticketsFileId, companyLog };
  const tickets = (await findUploaded(accountId, 'tickets')) ?? (await findKept(accountId, analysedWith));
  return { logFileId: companyLog._id, ticketsFileId: tickets?._id ?? null, companyLog };
}

/** Whether a file's bytes are still there. */
export const isKept = ({ removed, expiresAt }: FileRow) => !removed && (!expiresAt || expiresAt.getTime() > Date.now());
/** Only files that people uploaded; excludes the sample. */
const UPLOADED = { $gte: 'upload:', $lt: 'upload;' };

/** Whether a file belongs to the sample. */
export const isSampleFile = ({ key }: Pick<FileRow, 'key'>): boolean => key.startsWith('sample:');

/** The newest upload of a kind, if it is still kept. */
async function findUploaded(accountId: number, kind: FileRow['kind']): Promise<FileRow | null> {
  const newest = await StoredFile.findOne({ accountId, kind, key: UPLOADED, removed: false })
    .sort({ createdAt: -1 })
    .lean();
  return newest && isKept(newest) ? newest : null;
}

/** A file, if there is one and it is still kept. */
async function findKept(accountId: number, _id: FileRow['_id'] | null): Promise<FileRow | null> {
  const file = _id ? await StoredFile.findOne({ _id, accountId }).lean() : null;
  return file && isKept(file) ? file : null;
}

const FILES_AND_TIME = { logFileId: 1, ticketsFileId: 1, createdAt: 1 } as const;

/** The log that was analysed last, with the tickets that it was analysed with, or one uploaded since. */
async function findCompanyLog(
  accountId: number,
): Promise<{ log: FileRow; analysedWith: FileRow['_id'] | null } | null> {
  const [uploaded, analysis] = await Promise.all([
    findUploaded(accountId, 'hazard-log'),
    HazardAnalysis.findOne({ accountId }, FILES_AND_TIME).sort({ createdAt: -1 }).lean(),
  ]);
  const newest = uploaded ? { log: uploaded, analysedWith: null } : null;
  if (!analysis || (uploaded && uploaded.createdAt > analysis.createdAt)) return newest;
  const analysed = await StoredFile.findOne({
    _id: analysis.logFileId,
    accountId,
    key: UPLOADED,
  }).lean();
  return analysed && isKept(analysed) ? { log: analysed, analysedWith: analysis.ticketsFileId } : newest;
}
