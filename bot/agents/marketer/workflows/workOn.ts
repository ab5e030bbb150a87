import { Types } from 'mongoose';
import { StoredFile } from '../../../../models/file.ts';
import { readStoredBytes } from '../../../engine/documents/storedText.ts';
import type { ThreadProgress } from '../../../engine/files/serveThread.ts';
import { runInThread } from '../../../engine/files/threads.ts';
import type { StepContext } from '../../../engine/workflows/workflow.ts';
import { sources } from '../source/sources.ts';
import type { Output, Request } from '../thread/work.ts';
import type { CampaignState } from './state.ts';

/** What a step of the copy’s workflow gets. */
export type CampaignContext = StepContext<CampaignState>;

/** Long documents are written for this long at most. */
const MILLISECONDS = 60_000;

/** Has a thread read the documents, and write the copy where a day is given. @throws FileError */
export async function workOn(
  { run, state, signal, progress }: CampaignContext,
  { day, approval = null }: Pick<Request, 'day'> & Partial<Pick<Request, 'approval'>>,
): Promise<Output> {
  const { accountId } = run;
  const documents: Request['documents'] = [];
  for (const { fileId, name } of state.documents) {
    const row = await StoredFile.findOne({ _id: new Types.ObjectId(fileId), accountId }).lean();
    const bytes = row && (await readStoredBytes(row));
    if (bytes) documents.push({ name, bytes });
    else if (documents.length === 0) return null;
  }
  const { product, audience } = state;
  const input: Request = {
    documents,
    request: sources.requestPart(state.request),
    answers: { product, audience },
    day,
    approval,
  };
  const job = {
    ...{ accountId, input, signal },
    onProgress: ({ label, done, total }: ThreadProgress) => progress(label, done, total),
  };
  return runInThread<Output>('marketer', job, MILLISECONDS);
}
