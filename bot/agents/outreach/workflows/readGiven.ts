import { Types } from 'mongoose';
import { StoredFile } from '../../../../models/file.ts';
import { readFileBytes } from '../../../../models/files.ts';
import { FileError } from '../../../engine/files/fileError.ts';
import { runInThread } from '../../../engine/files/threads.ts';
import type { StepContext } from '../../../engine/workflows/workflow.ts';
import type { Texts } from '../drafts/composeDrafts.ts';
import { readTexts } from '../drafts/fields.ts';
import { readOptOuts } from '../optOuts/keepOptOuts.ts';
import type { ExportOutput, ListOutput, Request } from '../thread/work.ts';
import type { OutreachState } from './state.ts';

/** What a step of the drafts’ workflow gets. */
export type OutreachContext = StepContext<OutreachState>;

async function bytesOf(accountId: number, { fileId, name }: { fileId: string; name: string }) {
  const row = await StoredFile.findOne({ _id: new Types.ObjectId(fileId), accountId }).lean();
  if (!row || row.removed) throw new FileError('gone', `${name} is no longer here. Add it again and ask once more.`);
  return { name, bytes: await readFileBytes(row) };
}

/** Has a thread read the list and every document with opt-outs. @throws FileError */
export async function readGiven({ run: { accountId }, state, signal }: OutreachContext): Promise<ListOutput> {
  if (!state.list) throw new Error('The list is found before it is read.');
  const input: Request = {
    job: 'read',
    list: await bytesOf(accountId, state.list),
    optOutFiles: await Promise.all(state.optOutFiles.map((file) => bytesOf(accountId, file))),
    kept: await readOptOuts(accountId),
    addressColumn: state.addressColumn ?? null,
  };
  return runInThread<ListOutput>('outreach', { accountId, input, signal });
}

/** Has a thread write what was approved. */
export const writeApproved = (
  { run: { accountId }, signal }: OutreachContext,
  approved: Omit<Extract<Request, { job: 'export' }>, 'job'>,
): Promise<ExportOutput> =>
  runInThread<ExportOutput>('outreach', { accountId, input: { job: 'export', ...approved } satisfies Request, signal });

/** What the mails say, as far as it is known: what was answered, else what the request says. */
export const textsOf = ({ request, texts }: OutreachState): Partial<Texts> => ({ ...readTexts(request), ...texts });
