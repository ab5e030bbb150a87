import type { FileRow } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { Campaign, type CampaignRow } from '../../../../models/marketer/campaign.ts';
import type { RunRow } from '../../../../models/run.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { nameOfTitle } from '../../../engine/files/nameOfTitle.ts';

type Owner = Pick<RunRow, '_id' | 'accountId'>;

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MAX_LISTED = 50;

/** Stores the document and the text under the run, so that a repetition after a crash stores them once. */
export async function keepFiles(
  { _id, accountId }: Owner,
  state: 'draft' | 'final',
  { title, document, copy }: { title: string; document: Uint8Array; copy: string },
): Promise<FileRow[]> {
  const name = `${nameOfTitle(title, 'Product')}, copy ${state}`;
  const key = `campaign:${_id}:${state}`;
  return [
    await keepFile({
      ...{ accountId, key: `${key}:document`, name: `${name}.docx`, kind: 'export', type: WORD, bytes: document },
    }),
    await keepFile({
      ...{ accountId, key: `${key}:text`, name: `${name}.txt`, kind: 'export', type: 'text/plain' },
      bytes: Buffer.from(copy),
    }),
  ];
}

/** Notes copy for the list, once for each run. */
export async function noteCampaign(row: Omit<CampaignRow, '_id' | 'createdAt'>): Promise<void> {
  await changing(row.accountId, ['workspaces'], () =>
    onceByKey(() => Campaign.create({ ...row, createdAt: new Date() } as never)),
  );
}

/** Notes what became of the draft, with the files to show from now on. */
export async function noteState(
  { _id, accountId }: Owner,
  change: Pick<CampaignRow, 'state'> & Partial<Pick<CampaignRow, 'files'>>,
): Promise<void> {
  await changing(accountId, ['workspaces'], () => Campaign.updateOne({ accountId, runId: _id }, { $set: change }));
}

/** The account's copy, newest first. */
export const readCampaigns = (accountId: number): Promise<CampaignRow[]> =>
  Campaign.find({ accountId }).sort({ createdAt: -1, _id: -1 }).limit(MAX_LISTED).lean();

/** The newest copy that was made of these bytes; null where there is none. */
export const findEarlier = (accountId: number, sourceDigest: string): Promise<CampaignRow | null> =>
  Campaign.findOne({ accountId, sourceDigest }).sort({ createdAt: -1 }).lean();
