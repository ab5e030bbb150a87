import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectPerson } from './person.ts';
import type { BenchRow } from './row.ts';

const QUESTION = 'What could go wrong when a dose is shown in the wrong unit?';
/** What is written in the background after an answer belongs to it. */
const SETTLE_MS = 600;

type Connected = { url: string; uri: string; stop(): Promise<void> };

/** The server in this process, so that the driver tells of each command that it sends. */
async function startHere(directory: string): Promise<Connected> {
  Object.assign(process.env, { DATA_DIR: directory, LOG_LEVEL: 'fatal', RATE_LIMIT_FACTOR: '1000' });
  const { default: mongoose } = await import('mongoose');
  const parts = await import('../factories/parts.ts');
  const store = await parts.connectStore();
  const { url: uri } = (mongoose.connection.getClient() as unknown as { s: { url: string } }).s;
  await mongoose.disconnect();
  await mongoose.connect(uri, { dbName: 'arc', autoIndex: false, monitorCommands: true });
  await parts.ensureIndexes();
  parts.registerAgents(parts.agents);
  parts.onAnswered(parts.resumeRun);
  const sessions = parts.makeSession();
  const channels = await parts.openChannels();
  const http = createServer(parts.createApp({ session: sessions, ...channels.parts }));
  channels.attach(http, parts.makeGate(sessions));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    uri,
    async stop() {
      await channels.stop();
      await parts.closeAgents();
      await store.close();
    },
  };
}

/**
 * Counts the commands that the store gets for one chat turn, for an answered review until its record is said, and for
 * answered matches until the run ends. They tell more than milliseconds where the machine is shared.
 */
export async function benchCommands(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'arc-commands-'));
  const server = await startHere(directory);
  const { default: mongoose } = await import('mongoose');
  let sent: string[] = [];
  mongoose.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    sent.push(`${commandName} ${command[commandName]}`);
  });
  const counted = async (work: () => Promise<unknown>, settle = SETTLE_MS): Promise<string[]> => {
    await wait(SETTLE_MS);
    sent = [];
    await work();
    await wait(settle);
    return [...sent];
  };
  try {
    const person = await connectPerson(server.url, 'commands@example.org');
    for (let turn = 0; turn < 5; turn += 1) await person.askByCall(QUESTION);
    const turn = await counted(() => person.askByCall(QUESTION));
    const interruptId = await person.askForReview();
    let next = Promise.resolve(0);
    const review = await counted(async () => {
      const answered = await person.answerReview(interruptId);
      next = answered.next;
      await answered.recorded;
    }, 0);
    const first = await next;
    const matches = await counted(() => person.answerMatches(first));
    person.close();
    for (const [name, list] of Object.entries({ turn, review, matches })) console.log(`\n${name}: ${list.join(', ')}`);
    return [
      row('store commands of a chat turn', turn.length, 9),
      // What the next step reads may be sent before the record is heard.
      row('from a review’s answer to its record', review.lastIndexOf('insert messages') + 1, 11),
      // The sweeper, which looks every few seconds, may be among them.
      row('from the last two answers on matches to the run’s end', matches.length, 72),
    ];
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const row = (name: string, count: number, most: number): BenchRow => ({
  name,
  value: String(count),
  limit: `≤ ${most}`,
  ok: count <= most,
});
