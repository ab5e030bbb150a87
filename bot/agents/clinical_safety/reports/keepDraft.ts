import { auditTrail } from '../../../../models/auditEvent.ts';
import type { FileRow } from '../../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../../models/files.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { surfaceOfRun } from '../../../engine/audit/surfaceOfRun.ts';
import { saveDraft } from '../../../engine/documents/sandbox.ts';
import type { StepContext } from '../../../engine/workflows/workflow.ts';
import type { ExportOutput } from '../worker/jobs.ts';

type Recorded = {
  /** Idempotency key of the draft, its copy and its audit row. */
  key: string;
  /** The audit event, e.g. `safety-case-report.drafted`. */
  event: string;
  subject: string;
  /** Digest of what it was written from. */
  shownDigest: string;
};

/**
 * Keeps a draft as a file, copies it among the company's documents where these are taken, and records it. Repeating it
 * changes nothing: of a draft that is written again after a crash, and differs in its dates, the first one counts.
 * @returns the file, and a sentence that says where the copy is
 */
export async function keepDraft(
  { run, agent }: Pick<StepContext<unknown>, 'run' | 'agent'>,
  { fileName: name, contentType: type, bytes }: ExportOutput,
  { key, event, subject, shownDigest }: Recorded,
): Promise<{ file: FileRow; copied: string | null }> {
  const { accountId } = run;
  const file = await changing(accountId, ['analysis'], () =>
    keepFile({ accountId, key, name, kind: 'export', type, bytes }),
  );
  const kept = await readFileBytes(file);
  const copied = await saveDraft(accountId, { key, name, type, bytes: kept, agentName: agent.displayName });
  await auditTrail.append(accountId, {
    key,
    event,
    userId: run.userId,
    surface: surfaceOfRun(run),
    subject,
    shownDigest,
    outcome: file.digest,
  });
  return { file, copied };
}
