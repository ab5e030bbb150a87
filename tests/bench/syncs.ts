import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../factories/process.ts';
import { DOCUMENT, startGoogleDrive } from '../fakes/googleDrive.ts';
import { type BenchPerson, connectPerson } from './person.ts';
import { type BenchRow, percentile } from './row.ts';

const QUESTION = 'What could go wrong when a dose is shown in the wrong unit?';
const COMPANIES = 50;
const DOCUMENTS = 20;
const TALKERS = 10;
/** As seldom as a page asks: the asking must not be what is timed. */
const POLL_MS = 2000;
/** Turns are timed for this long at most, where the readings don't end. */
const MAX_MS = 300_000;

/** Calls the server as a person. @returns the answer, redirects not followed */
const callAs =
  (url: string, person: BenchPerson) =>
  (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, url), {
      redirect: 'manual',
      ...init,
      headers: { cookie: person.cookie(), 'content-type': 'application/json' },
    });
type Call = ReturnType<typeof callAs>;

/** Connects a company's workspace on the provider's page. */
async function connect(call: Call, redirectUris: string[]): Promise<void> {
  const begun = new URL(
    String((await call('/api/oauth/google/authorize?scope=drive&from=/workspace')).headers.get('location')),
  );
  // The server takes a free port, which its own address does not say.
  redirectUris.splice(0, redirectUris.length, begun.searchParams.get('redirect_uri') ?? '');
  const page = await fetch(begun, { redirect: 'manual' });
  const { pathname, search } = new URL(String(page.headers.get('location')));
  const end = String((await call(pathname + search)).headers.get('location'));
  if (!end.includes('oauth=success')) throw new Error(`A workspace was not connected: ${end}`);
}

async function countDocuments(call: Call): Promise<number> {
  const { documents } = (await (await call('/api/documents')).json()) as { documents: unknown[] };
  return documents.length;
}

/** Asks again and again until told to stop. @returns milliseconds of each turn */
async function talk(person: BenchPerson, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const begun = performance.now();
    await person.askBySocket(QUESTION);
    times.push(performance.now() - begun);
  }
  return times;
}

/**
 * Times chat turns of ten people while the connected workspaces of fifty companies are read at once: a thousand documents
 * of a provider in this process, through the real server in its own.
 */
export async function benchSyncs(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const drive = await startGoogleDrive({ id: 'arc', secret: 'shh', redirectUris: [] });
  const server = await startProcess(directory, {
    GOOGLE_CLIENT_ID: drive.client.id,
    GOOGLE_CLIENT_SECRET: drive.client.secret,
    GOOGLE_BASE_URL: drive.url,
  });
  drive.addFolder('f1', 'Safety case');
  for (let at = 0; at < DOCUMENTS; at += 1)
    drive.put(`d${at}`, {
      ...{ name: `Procedure ${at}`, mimeType: DOCUMENT, parent: 'f1', modified: Date.now() - 3_600_000 },
      content: `${at}. The dose is checked by two people before it is given.\n`.repeat(50),
    });
  const people: BenchPerson[] = [];
  try {
    for (let at = 0; at < COMPANIES + TALKERS; at += 1)
      people.push(await connectPerson(server.url, `sync${at}@example.org`));
    const companies = people.slice(TALKERS).map((person) => callAs(server.url, person));
    for (const call of companies) await connect(call, drive.client.redirectUris);
    const talkers = people.slice(0, TALKERS);
    await Promise.all(talkers.map((person) => person.askBySocket(QUESTION)));

    const begun = performance.now();
    let left = COMPANIES;
    const isOver = () => left === 0 || performance.now() - begun > MAX_MS;
    const values = JSON.stringify({ values: { folder: 'f1/Safety case' } });
    const reading = companies.map(async (call) => {
      await call('/api/connectors/googledrive/scope', { method: 'PUT', body: values });
      while (!isOver() && (await countDocuments(call)) < DOCUMENTS)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      left -= 1;
      return countDocuments(call);
    });
    const times = (await Promise.all(talkers.map((person) => talk(person, isOver)))).flat();
    const read = await Promise.all(reading);
    const seconds = (performance.now() - begun) / 1000;
    const p95 = percentile(times, 0.95);
    const whole = read.filter((count) => count === DOCUMENTS).length;
    return [
      {
        name: `chat turn while ${COMPANIES} workspaces are read, ${times.length} turns, p95`,
        value: `${p95.toFixed(0)} ms`,
        limit: '< 300 ms',
        ok: p95 < 300,
      },
      {
        name: `workspaces read whole, in ${seconds.toFixed(1)} s`,
        value: String(whole),
        limit: String(COMPANIES),
        ok: whole === COMPANIES,
      },
    ];
  } finally {
    for (const person of people) person.close();
    await server.stop();
    await drive.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
