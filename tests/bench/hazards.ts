import { monitorEventLoopDelay } from 'node:perf_hooks';
import ExcelJS from 'exceljs';
import { answerRowQuery } from '../../bot/agents/clinical_safety/answers/rowQuery.ts';
import { analyse, closePool, merge } from '../../bot/agents/clinical_safety/worker/pool.ts';
import type { AnalysisResult } from '../../models/contracts/clinical_safety/hazards.ts';
import { digestOf, makeLargeLog, makeLargeTickets } from '../factories/hazardLog.ts';
import type { BenchRow } from './row.ts';

const ROWS = 10_000;
const TICKETS = 5_000;
const ROUNDS = 3;
const LIMITS = { analysis: 4, merge: 0.5, delayP99: 50, delayMax: 250, memory: 700, question: 10 };

/** Questions are answered on the main thread. */
const QUESTIONS = [
  'Which open hazards have a residual risk above 2?',
  'How many hazards by owner?',
  'Which controls have no owner?',
  'What is the weather?',
];
const ASKED_ROWS = 3000;
const ASKED_ROUNDS = 15;

/** The slowest question's median, in milliseconds. */
function timeQuestions(result: AnalysisResult): number {
  const { existingHazards, tickets } = result;
  const asked = {
    ...result,
    existingHazards: existingHazards.slice(0, ASKED_ROWS),
    tickets: tickets.slice(0, ASKED_ROWS),
  };
  const timeOf = (question: string) =>
    Array.from({ length: ASKED_ROUNDS }, () => {
      const start = performance.now();
      answerRowQuery(asked, question);
      return performance.now() - start;
    });
  return Math.max(...QUESTIONS.map((question) => median(timeOf(question))));
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function measureTime<Value>(work: () => Promise<Value>): Promise<[Value, number]> {
  const start = performance.now();
  const value = await work();
  return [value, performance.now() - start];
}

/** Watches the main thread and the process while the worker thread works. */
async function watchWork<Value>(
  work: () => Promise<Value>,
): Promise<{ value: Value; p99: number; most: number; memory: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let memory = process.memoryUsage().rss;
  const sampling = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage().rss);
  }, 20);
  delay.enable();
  const value = await work();
  delay.disable();
  clearInterval(sampling);
  return { value, p99: delay.percentile(99) / 1e6, most: delay.max / 1e6, memory: memory / 1024 / 1024 };
}

/** Analyses a large log with many tickets, alternating with exceljs alone reading (and writing) the same file. */
export async function benchHazards(): Promise<BenchRow[]> {
  const logBytes = makeLargeLog(ROWS);
  const ticketBytes = makeLargeTickets(TICKETS);
  const file = () => ({ bytes: new Uint8Array(logBytes), fileName: 'large-log.xlsx', digest: digestOf(logBytes) });
  const tickets = () => ({
    bytes: new Uint8Array(ticketBytes),
    fileName: 'tickets.csv',
    digest: digestOf(ticketBytes),
  });
  // As the workflow merges into the log that was analysed: without the two long lists of the result.
  const mergeInput = (result: AnalysisResult) => ({
    log: file(),
    result: { ...result, existingHazards: [], tickets: [] },
    rows: result.newHazards.map(({ id }) => ({ id, outcome: 'accepted' as const })),
    review: { reviewer: 'Bench', decidedAt: '2026-01-01T00:00:00Z' },
  });

  // Ours runs first and alone: exceljs blocks the loop and fills the heap of the thread that it runs in.
  const seen = await watchWork(async () => {
    const result = await analyse({ log: file(), tickets: tickets() });
    await merge(mergeInput(result));
    return result;
  });
  const result = seen.value;
  const times = { analysis: [] as number[], merge: [] as number[], read: [] as number[], readWrite: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.analysis.push((await measureTime(() => analyse({ log: file(), tickets: tickets() })))[1]);
    const workbook = new ExcelJS.Workbook();
    const [, read] = await measureTime(() => workbook.xlsx.load(Buffer.from(logBytes) as unknown as ArrayBuffer));
    const [, write] = await measureTime(() => workbook.xlsx.writeBuffer());
    times.read.push(read);
    times.readWrite.push(read + write);
    times.merge.push((await measureTime(() => merge(mergeInput(result))))[1]);
  }
  await closePool();

  const analysisRatio = median(times.analysis) / median(times.read);
  const mergeRatio = median(times.merge) / median(times.readWrite);
  const question = timeQuestions(result);
  const milliseconds = (values: number[]) => `${Math.round(median(values))} ms`;
  return [
    {
      name: `hazards: read, analyse, propose (${ROWS} rows, ${TICKETS} tickets)`,
      value: `${analysisRatio.toFixed(2)} x exceljs read (${milliseconds(times.analysis)} : ${milliseconds(times.read)})`,
      limit: `<= ${LIMITS.analysis} x`,
      ok: analysisRatio <= LIMITS.analysis,
    },
    {
      name: 'hazards: merge and write',
      value: `${mergeRatio.toFixed(2)} x exceljs read + write (${milliseconds(times.merge)} : ${milliseconds(times.readWrite)})`,
      limit: `<= ${LIMITS.merge} x`,
      ok: mergeRatio <= LIMITS.merge,
    },
    {
      name: 'hazards: main thread delay p99',
      value: `${seen.p99.toFixed(1)} ms`,
      limit: `< ${LIMITS.delayP99} ms`,
      ok: seen.p99 < LIMITS.delayP99,
    },
    {
      name: 'hazards: main thread delay max',
      value: `${seen.most.toFixed(1)} ms`,
      limit: `<= ${LIMITS.delayMax} ms`,
      ok: seen.most <= LIMITS.delayMax,
    },
    {
      name: `hazards: answer a question (${ASKED_ROWS} rows)`,
      value: `${question.toFixed(1)} ms`,
      limit: `<= ${LIMITS.question} ms`,
      ok: question <= LIMITS.question,
    },
    {
      name: 'hazards: peak memory of the process',
      value: `${Math.round(seen.memory)} MB`,
      limit: `< ${LIMITS.memory} MB`,
      ok: seen.memory < LIMITS.memory,
    },
  ];
}
