import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { readChatFiles } from '../../../engine/conversations/conversations.ts';

/** The files that an analysis asked for in a conversation works on. */
export type CurrentFiles = {
  logFileId: FileRow['_id'] | null;
  ticketsFileId: FileRow['_id'] | null;
  /** The company's hazard log, where the conversation has none of its own; its name is told. */
  companyLog: FileRow | null;
};

/** What decides on the files of a conversation. */
type Files = Pick<ConversationRow, 'files' | 'placeId' | 'direct'>;

/**
 * A conversation's own files; where a thread of a person's own chat has no hazard log of its own, the chat's, with the
 * chat's tickets where it has none. A log of its own is never compared with another conversation's tickets.
 */
export async function ownFiles({ files, ...place }: Files): Promise<Omit<CurrentFiles, 'companyLog'>> {
  const { 'hazard-log': log, tickets } = files['hazard-log'] ? files : { ...(await readChatFiles(place)), ...files };
  return { logFileId: log ?? null, ticketsFileId: tickets ?? null };
}

/**
 * A conversation's own files; where it has no hazard log of its own, the company's current one, wherever it was
 * uploaded, with the newest tickets.
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

const isKept = ({ removed, expiresAt }: FileRow) => !removed && (!expiresAt || expiresAt.getTime() > Date.now());
/** The sample is nobody's log: only what people uploaded counts. */
const UPLOADED = { $gte: 'upload:', $lt: 'upload;' };

/** The newest upload of a kind that is still kept. */
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
