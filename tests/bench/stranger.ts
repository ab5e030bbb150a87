import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { HOSTILE_FILES } from '../factories/hostileFiles.ts';
import { makeMalformed, sendMalformed } from '../factories/malformed.ts';
import { startProcess } from '../factories/process.ts';
import { connectPerson } from './person.ts';
import { type BenchRow, percentile } from './row.ts';

const REPLY_TIMEOUT_MS = 20_000;
const REQUESTS = 10_000;
const REQUESTS_AT_ONCE = 16;
const FILES_AT_ONCE = 8;
const QUESTION = 'What could go wrong when a dose is shown in the wrong unit?';

/** Every call in the contracts. */
async function readCalls(): Promise<Endpoint[]> {
  const modules = await Promise.all(
    readdirSync('models/contracts', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => import(`../../models/contracts/${name}`)),
  );
  const isCall = (it: unknown): it is Endpoint =>
    typeof it === 'object' && it !== null && 'method' in it && 'path' in it && 'policy' in it;
  return modules.flatMap((it) => Object.values(it)).filter(isCall);
}

/** Reply times of one person while an attacker sends malformed requests, and then hostile files. */
export async function benchStranger(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const server = await startProcess(directory, { LOG_LEVEL: 'silent' });
  const [person, stranger] = await Promise.all([
    connectPerson(server.url, 'person@example.org'),
    connectPerson(server.url, 'stranger@example.org'),
  ]);
  let faults = 0;
  const note = (status: number) => {
    if (status >= 500) faults += 1;
  };
  /** Collects the person's reply times while the attacker works. */
  async function measureDuring(work: Promise<unknown>): Promise<number[]> {
    let over = false;
    const ended = work.finally(() => {
      over = true;
    });
    const times: number[] = [];
    while (!over) {
      const begun = performance.now();
      // A reply that was lost with its connection counts with the full waiting time.
      await Promise.race([person.askByCall(QUESTION), wait(REPLY_TIMEOUT_MS)]);
      times.push(performance.now() - begun);
    }
    await ended;
    return times;
  }
  try {
    for (let index = 0; index < 20; index += 1) await person.askByCall(QUESTION);
    const requests = makeMalformed(await readCalls(), stranger.cookie(), REQUESTS);
    const sending = async () => {
      for (const one of requests) note(await sendMalformed(server.url, one));
    };
    const malformed = await measureDuring(Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, sending)));
    const files = HOSTILE_FILES.map(({ fileName, make }) => ({ fileName, bytes: make() })).values();
    const uploading = async () => {
      for (const { fileName, bytes } of files) {
        const form = new FormData();
        form.append('hazardLogFile', new Blob([new Uint8Array(bytes)]), fileName);
        const headers = { cookie: stranger.cookie() };
        note(
          (await fetch(`${server.url}/api/arc-chat/upload-hazard-log`, { method: 'POST', headers, body: form })).status,
        );
      }
    };
    const hostile = await measureDuring(Promise.all(Array.from({ length: FILES_AT_ONCE }, uploading)));
    const row = (name: string, times: number[]): BenchRow => {
      const p95 = percentile(times, 0.95);
      return { name, value: `${p95.toFixed(1)} ms of ${times.length}`, limit: '< 300 ms', ok: p95 < 300 };
    };
    return [
      row('reply p95 beside 10,000 malformed requests', malformed),
      row(`reply p95 beside ${HOSTILE_FILES.length} hostile files`, hostile),
      { name: 'server errors meanwhile', value: String(faults), limit: '0', ok: faults === 0 },
    ];
  } finally {
    person.close();
    stranger.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
