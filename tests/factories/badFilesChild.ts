// Run in its own process by tests/agents/clinical_safety/memory.test.ts: measures how much memory malformed files leave
// allocated.
import { setTimeout as wait } from 'node:timers/promises';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { closePool, inspectFile } from '../../bot/agents/clinical_safety/worker/pool.ts';

const compound = Buffer.concat([
  Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  Buffer.alloc(4096),
  Buffer.from('EncryptedPackage', 'utf16le'),
  Buffer.alloc(4096),
]);
const cells = Buffer.from(`Hazard,Severity,Likelihood,Risk\n${'a,b,c,d\n'.repeat(600_000)}`);
const bad: [name: string, bytes: Uint8Array][] = [
  ['encrypted.xlsx', compound],
  ['cells.csv', cells],
  ['program.xlsx', Buffer.from(`MZ${'\0'.repeat(4096)}`)],
  ['cities.csv', Buffer.from('city,people\nLeeds,800000\n')],
  ['one.csv', Buffer.from('Hazard\nWrong dose\n')],
  ['empty.csv', Buffer.alloc(0)],
];

async function settle(): Promise<number> {
  await closePool();
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await wait(100);
  }
  return process.memoryUsage().rss / 2 ** 20;
}

const { log } = await readSample();
await inspectFile(log.bytes, log.fileName);
const before = await settle();
let refused = 0;
for (let round = 0; round < 3; round += 1) {
  for (const [name, bytes] of bad) await inspectFile(bytes, name).catch(() => (refused += 1));
}
process.stdout.write(JSON.stringify({ refused, of: bad.length * 3, before, after: await settle() }));
