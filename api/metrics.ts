import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Counter, collectDefaultMetrics, Gauge, register } from 'prom-client';
import { readWaitingWork } from '../bot/engine/failures/waitingWork.ts';
import { env } from '../models/env.ts';
import { COUNTED, type Counted, readCounts } from '../models/metrics.ts';

collectDefaultMetrics();

for (const [event, { help, labels }] of Object.entries(COUNTED))
  new Counter({
    name: `arc_${event}_total`,
    help,
    labelNames: labels,
    collect() {
      this.reset();
      for (const { values, count } of readCounts(event as Counted))
        this.inc(Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), count);
    },
  });

const work = (name: string, help: string) => new Gauge({ name: `arc_work_${name}`, help, labelNames: ['kind'] });
const waiting = work('waiting', 'Work that is not done, of all companies');
const oldest = work('oldest_seconds', 'Age of the oldest work that is not done');
const givenUp = work('given_up', 'Work that was given up and waits for an administrator');
const bytes = new Gauge({ name: 'arc_store_bytes', help: 'Size of the data directory of the embedded store' });

/** Bytes of a directory and what is below it; a file that goes away meanwhile counts as nothing. */
async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return sizeOf(path);
      return (await stat(path).catch(() => null))?.size ?? 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Metrics in Prometheus format: of the process, what was counted in it, and the work and the size of the store, which are
 * read for each call. Collection starts when this file is first loaded.
 */
export async function collectMetrics(): Promise<{ type: string; text: string }> {
  for (const gauge of [waiting, oldest, givenUp]) gauge.reset();
  // Without the store, the rest is still of use.
  for (const { kind, ...it } of await readWaitingWork().catch(() => [])) {
    waiting.set({ kind }, it.waiting);
    oldest.set({ kind }, it.oldestSeconds);
    givenUp.set({ kind }, it.givenUp);
  }
  if (!env.MONGODB_URI) bytes.set(await sizeOf(env.DATA_DIR));
  return { type: register.contentType, text: await register.metrics() };
}
