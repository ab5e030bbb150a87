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
 * newest tickets.
 */
export async function currentFiles(conversation: Files & Pick<ConversationRow, 'accountId'>): Promise<CurrentFiles> {
  const { accountId } = conversation;
  const { logFileId, ticketsFileId } = await ownFiles(conversation);
  if (logFileId) return { logFileId, ticketsFileId, companyLog: null };
  const companyLog = await findCompanyLog(accountId);
  if (!companyLog) return { logFileId: null, ticketsFileId, companyLog: null };
  const tickets = ticketsFileId ? null : await findUploaded(accountId, 'tickets');
  return { logFileId: companyLog._id, ticketsFileId: ticketsFileId ?? tickets?._id ?? null, companyLog };
}

/** Whether a file's bytes are still there. */
export const isKept = ({ removed, expiresAt }: FileRow) => !removed && (!expiresAt || expiresAt.getTime() > Date.now());
/** Only files that people uploaded; excludes the sample. */
const UPLOADED = { $gte: 'upload:', $lt: 'upload;' };

/** Whether a file is one that Arc brought to try it with. */
export const isSampleFile = ({ key }: Pick<FileRow, 'key'>): boolean => key.startsWith('sample:');

/** The newest upload of a kind, if it is still kept. */
async function findUploaded(accountId: number, kind: FileRow['kind']): Promise<FileRow | null> {
  const newest = await StoredFile.findOne({ accountId, kind, key: UPLOADED, removed: false })
    .sort({ createdAt: -1 })
    .lean();
  return newest && isKept(newest) ? newest : null;
}

/** The log that was analysed last, or uploaded since. */
async function findCompanyLog(accountId: number): Promise<FileRow | null> {
  const [uploaded, analysis] = await Promise.all([
    findUploaded(accountId, 'hazard-log'),
    HazardAnalysis.findOne({ accountId }, { logFileId: 1, createdAt: 1 }).sort({ createdAt: -1 }).lean(),
  ]);
  if (!analysis || (uploaded && uploaded.createdAt > analysis.createdAt)) return uploaded;
  const analysed = await StoredFile.findOne({
    _id: analysis.logFileId,
    accountId,
    key: UPLOADED,
  }).lean();
  return analysed && isKept(analysed) ? analysed : uploaded;
}
