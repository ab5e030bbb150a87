import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { buildAll, buildServer, buildWorkers } from '../../build.mjs';
import type { BenchRow } from './row.ts';

/** Each part of the bench by its name: `npm run bench`, or `npm run bench -- chat store`. */
const PARTS: Record<string, () => Promise<BenchRow[]>> = {
  serving: async () => (await import('./serving.ts')).benchServing(),
  chat: async () => (await import('./chat.ts')).benchChat(),
  hazards: async () => (await import('./hazards.ts')).benchHazards(),
  slack: async () => (await import('./slack.ts')).benchSlack(),
  store: async () => (await import('./store.ts')).benchStore(),
};

const root = join(import.meta.dirname, '../..');
const asked = process.argv.slice(2).filter((name) => name in PARTS);
await buildAll();
await buildServer(join(root, '.cache/server'));
await Promise.all([buildWorkers(join(root, '.cache/server/workers')), buildWorkers(join(root, '.cache/workers'))]);

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
let failed = false;
for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
  const rows = (await PARTS[name]?.()) ?? [];
  failed ||= rows.some(({ ok }) => !ok);
  console.log(`\n${name}`);
  console.table(
    Object.fromEntries(
      rows.map(({ name: label, value, limit, ok }) => [label, { value, limit, '': ok ? 'ok' : 'MISSED' }]),
    ),
  );
}
process.exit(failed ? 1 : 0);
