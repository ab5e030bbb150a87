import { parentPort } from 'node:worker_threads';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { HazardFileError } from '../errors.ts';
import { analyseLog } from './analyseLog.ts';
import { inspect } from './inspect.ts';
import type { HazardJobName, HazardJobs, JobReply, JobRequest, Progress, ResultPart } from './jobs.ts';

/** The entry point of the worker thread: one job at a time, each by its name. */
const port = parentPort;
if (!port) throw new Error('This file is the entry point of a worker thread.');

/** Progress is told at most so often; the last message of a step always goes out. */
const PROGRESS_EVERY = 60;

type Report = (progress: Progress) => void;
type Jobs = {
  [Name in HazardJobName]: (input: HazardJobs[Name]['input'], report: Report) => Promise<HazardJobs[Name]['output']>;
};

const jobs: Jobs = {
  inspect: ({ bytes, fileName }) => inspect(bytes, fileName),
  analyse: (input, report) => analyseLog(input, report),
  merge: async (input) => (await import('../merge/mergeLog.ts')).mergeLog(input),
  exportNewHazards: async (input) => (await import('../export/exportNewHazards.ts')).exportNewHazards(input),
  exportTickets: async (input) => (await import('../export/exportTickets.ts')).exportTickets(input),
};

function throttled(id: number): Report {
  let last = 0;
  let step = '';
  return (progress) => {
    const now = performance.now();
    if (progress.step === step && now - last < PROGRESS_EVERY && progress.done < progress.total) return;
    if (progress.step === step && now - last < PROGRESS_EVERY / 2) return;
    last = now;
    step = progress.step;
    port?.postMessage({ id, kind: 'progress', progress } satisfies JobReply);
  };
}

async function runJob(request: JobRequest): Promise<HazardJobs[HazardJobName]['output']> {
  const report = throttled(request.id);
  switch (request.job) {
    case 'inspect':
      return jobs.inspect(request.input, report);
    case 'analyse':
      return jobs.analyse(request.input, report);
    case 'merge':
      return jobs.merge(request.input, report);
    case 'exportNewHazards':
      return jobs.exportNewHazards(request.input, report);
    case 'exportTickets':
      return jobs.exportTickets(request.input, report);
  }
}

/** So many items go in one message. */
const PART = 300;

/** A breath between two parts: what arrives together is taken in together, and would hold up the main thread. */
const breath = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Sends the long lists of a result ahead in parts; what is left is small. */
async function sendParts(id: number, result: AnalysisResult): Promise<AnalysisResult> {
  const send = async (part: ResultPart) => {
    port?.postMessage({ id, kind: 'part', part } satisfies JobReply);
    await breath();
  };
  const { existingHazards, tickets, findings } = result;
  for (let at = 0; at < existingHazards.length; at += PART)
    await send({ field: 'existingHazards', items: existingHazards.slice(at, at + PART) });
  for (let at = 0; at < tickets.length; at += PART)
    await send({ field: 'tickets', items: tickets.slice(at, at + PART) });
  for (let at = 0; at < findings.length; at += PART)
    await send({ field: 'findings', items: findings.slice(at, at + PART) });
  return { ...result, existingHazards: [], tickets: [], findings: [] };
}

async function answer(request: JobRequest): Promise<void> {
  try {
    const whole = await runJob(request);
    const output = 'existingHazards' in whole ? await sendParts(request.id, whole) : whole;
    const transfer = 'bytes' in output && output.bytes.buffer instanceof ArrayBuffer ? [output.bytes.buffer] : [];
    port?.postMessage({ id: request.id, kind: 'done', output } satisfies JobReply, transfer);
  } catch (error) {
    const known = error instanceof HazardFileError;
    port?.postMessage({
      id: request.id,
      kind: 'failed',
      code: known ? error.code : 'worker_failed',
      message: known
        ? error.message
        : 'The file could not be worked on. Please try again; if it happens again, save it as a new .xlsx and try that.',
    } satisfies JobReply);
  }
}

port.on('message', answer);
