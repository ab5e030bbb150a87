import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startProcess } from '../factories/process.ts';
import { type BenchPerson, connectPerson } from './person.ts';
import { type BenchRow, percentile } from './row.ts';

const QUESTION = 'What could go wrong when a dose is shown in the wrong unit?';
const round = (value: number) => value.toFixed(1);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function serially(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push(await timed(work));
  return times;
}

/** Each person asks again and again, all of them at the same time. */
const together = async (people: BenchPerson[], rounds: number, ask: (person: BenchPerson) => Promise<unknown>) =>
  (await Promise.all(people.map((person) => serially(rounds, () => ask(person))))).flat();

/**
 * Times chat turns on the built-in engine from call to reply on the socket, through the real server in its own process,
 * durable writes included; and answered reviews, from the call to the end of the run.
 */
export async function benchChat(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const server = await startProcess(directory);
  const people: BenchPerson[] = [];
  try {
    for (let index = 0; index < 20; index += 1)
      people.push(await connectPerson(server.url, `bench${index}@example.org`));
    const [first] = people as [BenchPerson];
    await together(people, 10, (person) => person.askByCall(QUESTION));
    const serial = await serially(200, () => first.askByCall(QUESTION));
    const ten = people.slice(0, 10);
    const rounds = 100;
    const seconds = (await timed(() => together(ten, rounds, (person) => person.askByCall(QUESTION)))) / 1000;
    const twenty = await together(people, 40, (person) => person.askBySocket(QUESTION));
    const recorded: number[] = [];
    const finished: number[] = [];
    for (const person of people) {
      const interruptId = await person.askForReview();
      // Background work after the analysis must not count towards the answer.
      await wait(150);
      const begun = performance.now();
      const review = await person.answerReview(interruptId);
      await review.recorded;
      recorded.push(performance.now() - begun);
      const matches = await review.next;
      await wait(150);
      finished.push(await person.answerMatches(matches));
    }
    const p50 = percentile(serial, 0.5);
    const rate = (ten.length * rounds) / seconds;
    const p95 = percentile(twenty, 0.95);
    const [toRecord, toFinish] = [percentile(recorded, 0.5), percentile(finished, 0.5)];
    return [
      { name: 'chat turn, serial, p50', value: `${round(p50)} ms`, limit: '≤ 12 ms', ok: p50 <= 12 },
      { name: 'chat turns at 10 connections', value: `${Math.round(rate)} /s`, limit: '≥ 150 /s', ok: rate >= 150 },
      { name: 'chat turn, 20 users over socket.io, p95', value: `${round(p95)} ms`, limit: '< 300 ms', ok: p95 < 300 },
      {
        name: 'answered to review recorded, p50',
        value: `${round(toRecord)} ms`,
        limit: '≤ 25 ms',
        ok: toRecord <= 25,
      },
      {
        name: 'matches answered to run finished, p50',
        value: `${round(toFinish)} ms`,
        limit: '≤ 60 ms',
        ok: toFinish <= 60,
      },
    ];
  } finally {
    for (const person of people) person.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
