import { parentPort } from 'node:worker_threads';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { FileError } from '../../../engine/files/fileError.ts';
import type { HazardFileErrorCode } from '../errors.ts';
import { readTickets } from '../tickets/readTickets.ts';
import { analyseLog } from './analyseLog.ts';
import { findOpenPoints } from './findOpenPoints.ts';
import { inspect } from './inspect.ts';
import type { HazardJobName, HazardJobs, JobReply, JobRequest, Progress } from './jobs.ts';
import { partsOf, withoutLists } from './resultParts.ts';
import { throttleProgress } from './throttleProgress.ts';

/** The entry point of the worker thread, which runs one job at a time. */
const port = parentPort;
if (!port) throw new Error('This file is the entry point of a worker thread.');

const post = (reply: JobReply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer);

type Report = (progress: Progress) => void;
type Jobs = {
  [Name in HazardJobName]: (input: HazardJobs[Name]['input'], report: Report) => Promise<HazardJobs[Name]['output']>;
};

const jobs: Jobs = {
  inspect: ({ bytes, fileName, profiles }) => inspect(bytes, fileName, profiles),
  findOpenPoints: (input) => findOpenPoints(input),
  analyse: (input, report) => analyseLog(input, report),
  ticketTexts: async ({ tickets, keys }) => {
    const wanted = new Set(keys);
    const { records } = await readTickets(tickets.bytes, tickets.fileName);
    return { records: records.filter(({ key }) => wanted.has(key)) };
  },
  merge: async (input) => (await import('../merge/mergeLog.ts')).mergeLog(input),
  exportNewHazards: async (input) => (await import('../export/exportNewHazards.ts')).exportNewHazards(input),
  exportTickets: async (input) => (await import('../export/exportTickets.ts')).exportTickets(input),
  checkReport: async (input) => (await import('../reportCheck/checkReport.ts')).checkReport(input),
  writeCaseReport: async (input) => (await import('../reports/writeCaseReport.ts')).writeCaseReport(input),
  writeComplianceSheet: async (input) =>
    (await import('../compliance/writeComplianceSheet.ts')).writeComplianceSheet(input),
  writeIncidentRecord: async (input) => (await import('../incident/writeIncidentRecord.ts')).writeIncidentRecord(input),
  exportEvidence: async (input) => (await import('../export/exportEvidence.ts')).exportEvidence(input),
  writeRelease: async (input) => (await import('../export/writeRelease.ts')).writeRelease(input),
  printEvidence: async (input) => (await import('../export/printEvidence.ts')).printEvidence(input),
};

async function runJob(request: JobRequest): Promise<HazardJobs[HazardJobName]['output']> {
  const report = throttleProgress((progress) => post({ id: request.id, kind: 'progress', progress }));
  switch (request.job) {
    case 'inspect':
      return jobs.inspect(request.input, report);
    case 'findOpenPoints':
      return jobs.findOpenPoints(request.input, report);
    case 'analyse':
      return jobs.analyse(request.input, report);
    case 'ticketTexts':
      return jobs.ticketTexts(request.input, report);
    case 'merge':
      return jobs.merge(request.input, report);
    case 'exportNewHazards':
      return jobs.exportNewHazards(request.input, report);
    case 'exportTickets':
      return jobs.exportTickets(request.input, report);
    case 'checkReport':
      return jobs.checkReport(request.input, report);
    case 'writeCaseReport':
      return jobs.writeCaseReport(request.input, report);
    case 'writeComplianceSheet':
      return jobs.writeComplianceSheet(request.input, report);
    case 'writeIncidentRecord':
      return jobs.writeIncidentRecord(request.input, report);
    case 'exportEvidence':
      return jobs.exportEvidence(request.input, report);
    case 'writeRelease':
      return jobs.writeRelease(request.input, report);
    case 'printEvidence':
      return jobs.printEvidence(request.input, report);
  }
}

/**
 * A pause between two parts. Messages that arrive together are processed together, which would block the main thread.
 */
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Sends the long lists of a result ahead in parts, and returns the small rest. */
async function sendParts(id: number, result: AnalysisResult): Promise<AnalysisResult> {
  for (const part of partsOf(result)) {
    post({ id, kind: 'part', part });
    await pause();
  }
  return withoutLists(result);
}

async function handleRequest(request: JobRequest): Promise<void> {
  try {
    const result = await runJob(request);
    const output = 'existingHazards' in result ? await sendParts(request.id, result) : result;
    const transfer = 'bytes' in output && output.bytes.buffer instanceof ArrayBuffer ? [output.bytes.buffer] : [];
    post({ id: request.id, kind: 'done', output }, transfer);
  } catch (error) {
    const isFileError = error instanceof FileError;
    post({
      id: request.id,
      kind: 'failed',
      code: isFileError ? (error.code as HazardFileErrorCode) : 'worker_failed',
      message: isFileError
        ? error.message
        : 'The file could not be processed. Please try again. If it happens again, save it as a new .xlsx and try that.',
    });
  }
}

port.on('message', handleRequest);
