import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { startProcess } from '../factories/process.ts';
import { type BenchRow, percentile } from './row.ts';

const PAGES = 'dist/web';

/** What the landing page loads before it can be used: the page, and the scripts and styles that it names, gzipped. */
function firstLoadBytes(): number {
  const page = readFileSync(join(PAGES, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  const landing = chunksOfLanding(named);
  const files = new Set([...named, ...landing]);
  const bytes = [...files].map((path) => gzipSync(readFileSync(join(PAGES, path))).byteLength);
  return gzipSync(page).byteLength + bytes.reduce((sum, one) => sum + one, 0);
}

/** Chunks that the landing route brings with it, as the build's manifest tells. */
function chunksOfLanding(known: string[]): string[] {
  type Chunk = { file: string; css?: string[]; imports?: string[] };
  const manifest = JSON.parse(readFileSync(join(PAGES, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const reached = new Set<string>();
  const reach = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || reached.has(`/${chunk.file}`)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) reached.add(`/${file}`);
    for (const next of chunk.imports ?? []) reach(next);
  };
  for (const name of Object.keys(manifest).filter((it) => /pages\/(landing|home)\/\w+\.tsx$/.test(it))) reach(name);
  return [...reached].filter((path) => !known.includes(path));
}

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** How soon the built server serves, what it takes when idle, and what a browser loads first. */
export async function benchServing(): Promise<BenchRow[]> {
  const ready: number[] = [];
  const resident: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
    const begun = performance.now();
    const server = await startProcess(directory);
    ready.push(performance.now() - begun);
    await fetch(`${server.url}/readyz`);
    await wait(3000);
    resident.push(residentMegabytes(server.child.pid ?? 0));
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  const seconds = percentile(ready, 0.5) / 1000;
  const megabytes = percentile(resident, 0.5);
  const kilobytes = firstLoadBytes() / 1000;
  return [
    { name: 'ready to serve', value: `${seconds.toFixed(2)} s`, limit: '< 2.5 s', ok: seconds < 2.5 },
    { name: 'idle, resident', value: `${Math.round(megabytes)} MB`, limit: '< 200 MB', ok: megabytes < 200 },
    { name: 'landing, first load, gzip', value: `${Math.round(kilobytes)} kB`, limit: '< 170 kB', ok: kilobytes < 170 },
  ];
}
