import { runInBackground } from '../../../../models/background.ts';
import type { Evidence } from '../../../../models/contracts/clinical_safety/evidence.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { countEvent } from '../../../../models/metrics.ts';
import { carriesOn } from '../../../../models/store/carriesOn.ts';
import { onWorkers } from '../../../engine/handover/handover.ts';
import { HazardFileError, type HazardFileErrorCode } from '../errors.ts';
import type {
  AnalyseInput,
  ExportOutput,
  HazardJobName,
  HazardJobs,
  InspectedFile,
  JobReply,
  JobRequest,
  KnownProfile,
  MergeInput,
  MergeOutput,
  OpenPointsOutput,
  Progress,
  ResultPart,
  TicketRecord,
} from './jobs.ts';
import { joinParts, withoutLists } from './resultParts.ts';
import { cancelled, endAllSeats, endSeat, releaseSeat, takeSeat } from './seats.ts';

/** How long each job may run, without the time in the queue. */
export const JOB_TIMEOUT_MS: Record<HazardJobName, number> = {
  inspect: 20_000,
  findOpenPoints: 60_000,
  analyse: 120_000,
  ticketTexts: 60_000,
  merge: 60_000,
  exportNewHazards: 30_000,
  exportTickets: 30_000,
  checkReport: 30_000,
  writeCaseReport: 60_000,
  writeComplianceSheet: 30_000,
  writeIncidentRecord: 30_000,
  exportEvidence: 30_000,
  printEvidence: 120_000,
  writeRelease: 120_000,
};

let nextJobId = 1;

export type JobOptions = {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** The account of the job, because accounts take turns. Absent for the product's own work. */
  accountId?: number;
};

/** A view whose whole buffer can be transferred to the worker; a part of a shared buffer is copied. */
function toTransferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteOffset === 0 && bytes.byteLength === buffer.byteLength)
    return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}

/** Time that a job of a web process may wait for its turn. */
const MAX_TURN_MS = 60_000;

const handToWorker = onWorkers<{ job: HazardJobName; input: unknown; timeoutMs: number }, unknown>({
  name: 'clinical_safety.job',
  waitMs: ({ timeoutMs }) => timeoutMs + MAX_TURN_MS,
  run: ({ job, input, timeoutMs }, accountId) =>
    runHere(job, input as never, [], { timeoutMs, ...(accountId === null ? {} : { accountId }) }),
  own: {
    is: (error) => error instanceof HazardFileError,
    make: (code, message) => new HazardFileError(code as HazardFileErrorCode, message),
  },
});

/** Runs a job in a thread; for a web process a worker does it, without progress. */
async function run<Name extends HazardJobName>(
  job: Name,
  input: HazardJobs[Name]['input'],
  transfer: ArrayBuffer[],
  options: JobOptions,
): Promise<HazardJobs[Name]['output']> {
  if (carriesOn) return runHere(job, input, transfer, options);
  const { signal, timeoutMs = JOB_TIMEOUT_MS[job], accountId } = options;
  // The cast is safe: the worker runs the job of this name.
  return (await handToWorker({ job, input, timeoutMs }, accountId ?? null, signal)) as HazardJobs[Name]['output'];
}

async function runHere<Name extends HazardJobName>(
  job: Name,
  input: HazardJobs[Name]['input'],
  transfer: ArrayBuffer[],
  { onProgress, signal, timeoutMs, accountId }: JobOptions,
): Promise<HazardJobs[Name]['output']> {
  countEvent('document_jobs', ['clinicalSafety']);
  if (signal?.aborted) throw cancelled();
  const seat = await takeSeat(accountId ?? 'own', signal);
  const { worker } = seat;
  const id = nextJobId++;
  const parts: ResultPart[] = [];
  let stop: () => void = () => {};
  try {
    return await new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(cancelled());
        runInBackground('ending a worker', endSeat(seat));
      };
      const timer = setTimeout(() => {
        reject(
          new HazardFileError(
            'worker_timeout',
            'This took too long and was stopped. Save the hazard log sheet on its own, or split the tickets, and try again.',
          ),
        );
        runInBackground('ending a worker', endSeat(seat));
      }, timeoutMs ?? JOB_TIMEOUT_MS[job]);
      const onMessage = (reply: JobReply) => {
        if (reply.id !== id) return;
        if (reply.kind === 'progress') onProgress?.(reply.progress);
        else if (reply.kind === 'part') parts.push(reply.part);
        else if (reply.kind === 'failed') reject(new HazardFileError(reply.code, reply.message));
        // The cast is safe: the worker's table of jobs has the same type map.
        else resolve(joinParts(reply.output, parts) as HazardJobs[Name]['output']);
      };
      stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        worker.off('message', onMessage);
        seat.fail = null;
      };
      seat.fail = reject;
      signal?.addEventListener('abort', onAbort);
      worker.on('message', onMessage);
      worker.postMessage({ id, job, input } as JobRequest, transfer);
      if (signal?.aborted) onAbort();
    });
  } finally {
    stop();
    releaseSeat(seat);
  }
}

/**
 * Determines what a file is, and refuses one that is neither a hazard log nor a ticket export. The bytes are copied, so
 * the caller can still use them.
 * @param profiles the company's profiles of logs: an earlier version may settle how the file is read
 * @throws HazardFileError
 */
export function inspectFile(
  bytes: Uint8Array,
  fileName: string,
  options: JobOptions = {},
  profiles: KnownProfile[] = [],
): Promise<InspectedFile> {
  const copy = new Uint8Array(bytes);
  return run('inspect', { bytes: copy, fileName, profiles }, [copy.buffer], options);
}

/**
 * Determines what has to be asked before a log is read, and which of the company's profiles fits it. The bytes are
 * transferred.
 * @throws HazardFileError
 */
export function findOpenPoints(
  input: HazardJobs['findOpenPoints']['input'],
  options: JobOptions = {},
): Promise<OpenPointsOutput> {
  const bytes = toTransferable(input.bytes);
  return run('findOpenPoints', { ...input, bytes }, [bytes.buffer], options);
}

/**
 * Analyses a log. The bytes are transferred to the worker thread, so the caller's views of them are empty afterwards.
 * @throws HazardFileError
 */
export function analyse(input: AnalyseInput, options: JobOptions = {}): Promise<AnalysisResult> {
  const logBytes = toTransferable(input.log.bytes);
  const transfer = [logBytes.buffer];
  let { tickets } = input;
  if (tickets && 'bytes' in tickets) {
    const ticketBytes = toTransferable(tickets.bytes);
    if (!transfer.includes(ticketBytes.buffer)) transfer.push(ticketBytes.buffer);
    tickets = { ...tickets, bytes: ticketBytes };
  }
  return run('analyse', { ...input, log: { ...input.log, bytes: logBytes }, tickets }, transfer, options);
}

/** Reads the texts of some tickets of an export, by their keys. The bytes are transferred. @throws HazardFileError */
export async function readTicketTexts(
  { tickets, keys }: HazardJobs['ticketTexts']['input'],
  options: JobOptions = {},
): Promise<TicketRecord[]> {
  const bytes = toTransferable(tickets.bytes);
  return (await run('ticketTexts', { tickets: { ...tickets, bytes }, keys }, [bytes.buffer], options)).records;
}

/**
 * Writes the accepted and edited rows into the log and reports conflicts with changes since the analysis. The bytes are
 * transferred. Deterministic: the same input gives the same bytes.
 * @throws HazardFileError
 */
export function merge(input: MergeInput, options: JobOptions = {}): Promise<MergeOutput> {
  const bytes = toTransferable(input.log.bytes);
  const { existingHazards, analysisMetadata } = input.result;
  // The hazards are only needed for comparison if the log changed since the analysis.
  const result = withoutLists(input.result, input.log.digest === analysisMetadata.logDigest ? {} : { existingHazards });
  return run('merge', { ...input, result, log: { ...input.log, bytes } }, [bytes.buffer], options);
}

/** Exports the proposals with their evidence, and their decisions where there are any, as a workbook. */
export function exportNewHazards(
  input: HazardJobs['exportNewHazards']['input'],
  options: JobOptions = {},
): Promise<ExportOutput> {
  return run('exportNewHazards', { ...input, result: withoutLists(input.result) }, [], options);
}

/** Exports the verdict on every ticket as CSV or XLSX. */
export function exportTickets(
  input: HazardJobs['exportTickets']['input'],
  options: JobOptions = {},
): Promise<ExportOutput> {
  const { tickets } = input.result;
  return run('exportTickets', { ...input, result: withoutLists(input.result, { tickets }) }, [], options);
}

/**
 * Reads a safety case report and compares it with the hazards of a log. The bytes are transferred.
 * @throws HazardFileError
 */
export function checkReport(
  input: HazardJobs['checkReport']['input'],
  options: JobOptions = {},
): Promise<HazardJobs['checkReport']['output']> {
  const bytes = toTransferable(input.bytes);
  const { existingHazards = [] } = input.log?.result ?? {};
  const log = input.log && { ...input.log, result: withoutLists(input.log.result, { existingHazards }) };
  return run('checkReport', { ...input, bytes, log }, [bytes.buffer], options);
}

/**
 * Writes a safety case report as a Word document, and counts the gaps that are left for a person.
 * @throws HazardFileError
 */
export function writeCaseReport(
  input: HazardJobs['writeCaseReport']['input'],
  options: JobOptions = {},
): Promise<HazardJobs['writeCaseReport']['output']> {
  // Of the tickets a report has only their counts.
  return run('writeCaseReport', { ...input, result: { ...input.result, tickets: [] } }, [], options);
}

/** Writes a compliance sheet, and counts how the clauses stand. Of the tickets it has only their counts. */
export const writeComplianceSheet = (
  input: HazardJobs['writeComplianceSheet']['input'],
  options: JobOptions = {},
): Promise<HazardJobs['writeComplianceSheet']['output']> =>
  run('writeComplianceSheet', { ...input, result: { ...input.result, tickets: [] } }, [], options);

/** Writes the record of an incident's first hour as a Word document. */
export const writeIncidentRecord = (
  input: HazardJobs['writeIncidentRecord']['input'],
  options: JobOptions = {},
): Promise<HazardJobs['writeIncidentRecord']['output']> => run('writeIncidentRecord', input, [], options);

/** Writes an evidence pack as a workbook. */
export const exportEvidence = (input: Evidence, options: JobOptions = {}): Promise<ExportOutput> =>
  run('exportEvidence', input, [], options);

/** Writes an evidence pack as a PDF. */
export const printEvidence = (input: Evidence, options: JobOptions = {}): Promise<ExportOutput> =>
  run('printEvidence', input, [], options);

/** Writes the files of a release, packed for its archive. */
export const writeRelease = (
  input: HazardJobs['writeRelease']['input'],
  options: JobOptions = {},
): Promise<HazardJobs['writeRelease']['output']> => run('writeRelease', input, [], options);

/** Ends every worker thread: for the shutdown of the server and for tests. */
export function closePool(): Promise<void> {
  return endAllSeats();
}
