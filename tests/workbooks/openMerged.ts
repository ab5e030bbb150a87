import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeLog } from '../../bot/agents/clinical_safety/merge/mergeLog.ts';
import { openFile } from '../../bot/agents/clinical_safety/reading/openFile.ts';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { makeAnchoredLog } from '../factories/anchoredLog.ts';
import { digestOf, makeLargeLog, makeWideLog } from '../factories/hazardLog.ts';
import { faultsAdded } from './checkWorkbook.ts';
import { openWithLibreOffice } from './openWithLibreOffice.ts';
import { type NamedFile, openWithOpenpyxl, type ReadBook } from './openWithOpenpyxl.ts';

const PUBLISHED = ['hazard-logs', 'variants'].map((folder) => join('../shared/data', folder));

/** Logs of our own, and the published ones where they are at hand. */
async function listLogs(): Promise<NamedFile[]> {
  const published = PUBLISHED.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(?:xls[xm]?|csv)$/.test(name))
      .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) })),
  );
  const sample = (await readSample()).log;
  return [
    { name: 'anchored.xlsx', bytes: makeAnchoredLog() },
    { name: 'empty.xlsx', bytes: makeWideLog([]) },
    { name: 'large.xlsx', bytes: makeLargeLog(500) },
    { name: sample.fileName, bytes: new Uint8Array(sample.bytes) },
    ...published,
  ];
}

type Opened = NamedFile & { before: NamedFile; merged: number };

/** Merges every proposal of the sample's tickets into a log. @returns null for a file that is no log */
async function mergeAll(before: NamedFile, tickets: NamedFile): Promise<Opened | null> {
  const log = { bytes: before.bytes, fileName: before.name, digest: digestOf(before.bytes) };
  try {
    const input = { bytes: tickets.bytes, fileName: tickets.name, digest: digestOf(tickets.bytes) };
    const result = await analyseLog({ log, tickets: input });
    const rows = result.newHazards.map(({ id }) => ({ id, outcome: 'accepted' as const }));
    const review = { reviewer: 'A reviewer', decidedAt: '2026-11-20T09:30:00Z' };
    const { bytes, fileName, merged } = await mergeLog({ log, result, rows, review });
    return { name: fileName, bytes, before, merged: merged.length };
  } catch (error) {
    console.log(`${before.name}: not merged: ${(error as Error).message}`);
    return null;
  }
}

/** The texts and numbers of a workbook's cells without formula, by sheet and place, as Arc reads them. */
async function readCells({ bytes, name }: NamedFile): Promise<Map<string, string>> {
  const cells = new Map<string, string>();
  for (const { name: sheet, rows } of (await openFile(bytes, name)).grids)
    for (const [row, list] of rows.entries())
      for (const [column, cell] of (list ?? []).entries())
        if (cell && cell.formula === null && cell.text.trim()) cells.set(`${sheet}!${row},${column}`, cell.text.trim());
  return cells;
}

async function compareWithSaved(file: NamedFile, saved: Uint8Array | null): Promise<string> {
  if (saved === null) return 'LibreOffice could not open it';
  const [ours, theirs] = [await readCells(file), await readCells({ name: 'saved.xlsx', bytes: saved })];
  const different = [...ours].filter(([place, text]) => theirs.get(place) !== text);
  if (different.length === 0) return '';
  return `LibreOffice shows ${different.length} of ${ours.size} cells otherwise, e.g. ${different[0]?.join(' ')} as ${theirs.get(different[0]?.[0] ?? '')}`;
}

const { tickets } = await readSample();
const files: Opened[] = [];
for (const log of await listLogs()) {
  const merged = await mergeAll(log, { name: tickets.fileName, bytes: new Uint8Array(tickets.bytes) });
  if (merged) files.push(merged);
}
const withOpenpyxl = openWithOpenpyxl(files);
const withLibreOffice = openWithLibreOffice(files);
if (!withOpenpyxl) console.log('Skipped: openpyxl. Debian’s package python3-openpyxl is not installed.');
if (!withLibreOffice) console.log('Skipped: LibreOffice. Debian’s package libreoffice-calc is not installed.');
let failed = 0;
for (const [at, file] of files.entries()) {
  const read = withOpenpyxl?.[at] as { sheets: ReadBook } | { error: string } | undefined;
  const faults = [
    ...faultsAdded(file.before.bytes, file.bytes),
    read && 'error' in read ? `openpyxl: ${read.error}` : '',
    withLibreOffice ? await compareWithSaved(file, withLibreOffice[at] ?? null) : '',
  ].filter(Boolean);
  console.log(`${file.before.name}: ${file.merged} hazards merged; ${faults.join('; ') || 'no fault'}`);
  failed += faults.length > 0 ? 1 : 0;
}
console.log(`${files.length} merged files opened, ${failed} with a fault.`);
process.exitCode = failed > 0 ? 1 : 0;
