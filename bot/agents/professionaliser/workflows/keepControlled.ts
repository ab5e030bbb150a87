import type { FileRow } from '../../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../../models/files.ts';
import {
  ControlledDocument,
  type ControlledDocumentRow,
} from '../../../../models/professionaliser/controlledDocument.ts';
import type { RunRow } from '../../../../models/run.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { saveDraft } from '../../../engine/documents/sandbox.ts';
import { nameOfTitle } from '../../../engine/files/nameOfTitle.ts';

type Owner = Pick<RunRow, '_id' | 'accountId'>;

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MAX_LISTED = 50;

/** Stores the written document and its row under the run, so that a repetition after a crash stores them once. */
export async function keepControlled(
  { _id, accountId }: Owner,
  it: {
    title: string;
    bytes: Uint8Array;
    counts: ControlledDocumentRow['counts'];
    source: { name: string; digest: string };
  },
): Promise<FileRow> {
  const file = await keepFile({
    accountId,
    key: `controlled:${_id}`,
    name: `${nameOfTitle(it.title, 'Document')}, controlled draft.docx`,
    kind: 'export',
    type: WORD,
    bytes: it.bytes,
  });
  await changing(accountId, ['workspaces'], () =>
    onceByKey(() =>
      ControlledDocument.create({
        accountId,
        runId: _id,
        title: it.title,
        sourceName: it.source.name,
        sourceDigest: it.source.digest,
        fileName: file.name,
        counts: it.counts,
        state: 'waiting',
        createdAt: new Date(),
      } as never),
    ),
  );
  return file;
}

/** The newest document that was made of these bytes; null where there is none. */
export const findEarlier = (accountId: number, sourceDigest: string): Promise<ControlledDocumentRow | null> =>
  ControlledDocument.findOne({ accountId, sourceDigest }).sort({ createdAt: -1 }).lean();

/** The account's documents, newest first. */
export const readControlled = (accountId: number): Promise<ControlledDocumentRow[]> =>
  ControlledDocument.find({ accountId }).sort({ createdAt: -1, _id: -1 }).limit(MAX_LISTED).lean();

/** Notes what became of a document. */
export async function noteState({ _id, accountId }: Owner, state: ControlledDocumentRow['state']): Promise<void> {
  await changing(accountId, ['workspaces'], () =>
    ControlledDocument.updateOne({ accountId, runId: _id }, { $set: { state } }),
  );
}

/** Saves the written document as a draft among the company's documents. @returns whether it is there */
export async function saveControlled({ _id, accountId }: Owner, file: FileRow, agentName: string): Promise<boolean> {
  const bytes = await readFileBytes(file);
  const draft = { key: `controlled:${_id}`, name: file.originalName, type: file.type, bytes, agentName };
  return (await saveDraft(accountId, draft)) !== null;
}
