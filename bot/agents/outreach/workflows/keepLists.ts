import type { FileRow } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { ProspectList, type ProspectListRow } from '../../../../models/outreach/prospectList.ts';
import type { RunRow } from '../../../../models/run.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { nameOfTitle } from '../../../engine/files/nameOfTitle.ts';
import { LIST_TYPES } from '../list/sources.ts';

type Owner = Pick<RunRow, '_id' | 'accountId'>;

const MAX_LISTED = 50;

/** Stores the approved drafts under the run, so that a repetition after a crash stores them once. */
export async function keepFiles(
  { _id, accountId }: Owner,
  title: string,
  { workbook, csv }: { workbook: Uint8Array; csv: string },
): Promise<FileRow[]> {
  const name = `${nameOfTitle(title, 'Outreach')}, approved drafts`;
  const keep = (part: 'xlsx' | 'csv', bytes: Uint8Array) =>
    keepFile({
      ...{ accountId, key: `outreach:${_id}:${part}`, name: `${name}.${part}`, kind: 'export' },
      ...{ type: LIST_TYPES[part], bytes },
    });
  return [await keep('xlsx', workbook), await keep('csv', Buffer.from(csv))];
}

/** Notes drafts for the list, once for each run. */
export async function noteDrafts(row: Omit<ProspectListRow, '_id' | 'createdAt'>): Promise<void> {
  await changing(row.accountId, ['workspaces'], () =>
    onceByKey(() => ProspectList.create({ ...row, createdAt: new Date() } as never)),
  );
}

/** Notes what was decided. */
export async function noteDecided(
  { _id, accountId }: Owner,
  change: Pick<ProspectListRow, 'files' | 'counts'>,
): Promise<void> {
  await changing(accountId, ['workspaces'], () =>
    ProspectList.updateOne({ accountId, runId: _id }, { $set: { ...change, state: 'decided' } }),
  );
}

/** The account's lists, newest first. */
export const readLists = (accountId: number): Promise<ProspectListRow[]> =>
  ProspectList.find({ accountId }).sort({ createdAt: -1, _id: -1 }).limit(MAX_LISTED).lean();

/** The newest drafts from these bytes; null where there are none. */
export const findEarlier = (accountId: number, sourceDigest: string): Promise<ProspectListRow | null> =>
  ProspectList.findOne({ accountId, sourceDigest }).sort({ createdAt: -1 }).lean();
