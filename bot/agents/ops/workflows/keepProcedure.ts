import type { FileRow } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { Procedure, type ProcedureRow } from '../../../../models/ops/procedure.ts';
import type { RunRow } from '../../../../models/run.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { nameOfTitle } from '../../../engine/files/nameOfTitle.ts';

type Owner = Pick<RunRow, '_id' | 'accountId'>;

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const MAX_LISTED = 50;

/** Stores both files under the run, so that a repetition after a crash stores them once. */
export async function keepFiles(
  { _id, accountId }: Owner,
  title: string,
  { document, workbook }: { document: Uint8Array; workbook: Uint8Array },
): Promise<FileRow[]> {
  const name = nameOfTitle(title, 'Process');
  return [
    await keepFile({
      ...{ accountId, key: `procedure:${_id}:document`, name: `${name}, SOP draft.docx` },
      ...{ kind: 'export', type: WORD, bytes: document },
    }),
    await keepFile({
      ...{ accountId, key: `procedure:${_id}:workbook`, name: `${name}, checklist and risks.xlsx` },
      ...{ kind: 'export', type: SHEET, bytes: workbook },
    }),
  ];
}

/** Notes a procedure for the list, once for each run. */
export async function noteProcedure(row: Omit<ProcedureRow, '_id' | 'createdAt'>): Promise<void> {
  await changing(row.accountId, ['workspaces'], () =>
    onceByKey(() => Procedure.create({ ...row, createdAt: new Date() } as never)),
  );
}

/** The account's procedures, newest first. */
export const readProcedures = (accountId: number): Promise<ProcedureRow[]> =>
  Procedure.find({ accountId }).sort({ createdAt: -1, _id: -1 }).limit(MAX_LISTED).lean();

/** The newest procedure that was made of these bytes; null where there is none. */
export const findEarlier = (accountId: number, sourceDigest: string): Promise<ProcedureRow | null> =>
  Procedure.findOne({ accountId, sourceDigest }).sort({ createdAt: -1 }).lean();
