import type { FileRow } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { Brief, type BriefRow } from '../../../../models/researcher/brief.ts';
import type { RunRow } from '../../../../models/run.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { nameOfTitle } from '../../../engine/files/nameOfTitle.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MAX_LISTED = 50;

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The counts of a brief without any of its words. */
export const summarise = ({ quotes, documents, read }: BriefRow['counts']): string =>
  `${counted(quotes, 'quote')} from ${counted(documents, 'document')}; ${read} read`;

/** Stores a brief and its row under the run, so that a repetition after a crash stores them once. */
export async function keepBrief(
  { _id, accountId }: Pick<RunRow, '_id' | 'accountId'>,
  { question, bytes, counts }: { question: string; bytes: Uint8Array; counts: BriefRow['counts'] },
): Promise<FileRow> {
  const file = await keepFile({
    ...{ accountId, key: `brief:${_id}`, name: `${nameOfTitle(question, 'Question')}, brief.docx` },
    ...{ kind: 'export', type: WORD, bytes },
  });
  const row = { accountId, runId: _id, question, fileName: file.name, counts, createdAt: new Date() };
  await changing(accountId, ['workspaces'], () => onceByKey(() => Brief.create(row as never)));
  return file;
}

/** The account's briefs, newest first. */
export const readBriefs = (accountId: number): Promise<BriefRow[]> =>
  Brief.find({ accountId }).sort({ createdAt: -1, _id: -1 }).limit(MAX_LISTED).lean();
