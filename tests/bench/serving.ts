import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { startProcess } from '../factories/process.ts';
import { type BenchRow, percentile } from './row.ts';

const PAGES = 'dist/web';

/**
 * What the landing page needs before it can be used, gzipped: the page, and the scripts and styles that it names. The
 * landing page is part of the entry script; what a visitor may open later, such as a dialog, is loaded on demand. Fonts
 * are not counted, because the text is readable without them.
 */
function firstLoad(): { bytes: number; files: number } {
  const page = readFileSync(join(PAGES, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  const files = [page, ...[...new Set(named)].map((path) => readFileSync(join(PAGES, path)))];
  return { bytes: files.reduce((sum, file) => sum + gzipSync(file).byteLength, 0), files: files.length };
}

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Start time and idle memory of the built server, and what a browser loads first. */
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
  const { bytes, files } = firstLoad();
  const kilobytes = bytes / 1000;
  return [
    { name: 'ready to serve', value: `${seconds.toFixed(2)} s`, limit: '< 2.5 s', ok: seconds < 2.5 },
    { name: 'idle, resident', value: `${Math.round(megabytes)} MB`, limit: '< 200 MB', ok: megabytes < 200 },
    { name: 'landing, first load, gzip', value: `${Math.round(kilobytes)} kB`, limit: '< 170 kB', ok: kilobytes < 170 },
    { name: 'landing, first load, files', value: `${files}`, limit: '<= 6', ok: files <= 6 },
  ];
}
