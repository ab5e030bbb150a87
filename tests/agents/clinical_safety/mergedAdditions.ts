import ExcelJS from 'exceljs';
import { mergeLog } from '../../../bot/agents/clinical_safety/merge/mergeLog.ts';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { Addition, NewHazard } from '../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import { makeProposal } from '../../factories/analysisResult.ts';
import { digestOf } from '../../factories/hazardLog.ts';

export const CAUSE: Addition = {
  id: 'cause:HAZ01',
  as: 'cause',
  hazardId: 'HAZ01',
  hazardName: 'Medicine list is out of date',
  values: { name: 'New cause of HAZ01', cause: 'Sync fails at night (T-1)' },
  says: null,
};
export const CONTROL: Addition = {
  ...CAUSE,
  id: 'control:HAZ01',
  as: 'control',
  values: { name: 'New control for HAZ01', controlDesign: 'Show the time of the sync', controlTest: 'Sync test' },
};
export const proposal = (more: Partial<NewHazard> = {}) =>
  makeProposal({ id: 'proposal-0123456789abcdef', proposedId: 'HAZ09', additions: [CAUSE, CONTROL], ...more });

type Given = { fileName?: string; proposals?: NewHazard[]; decide?: (id: string) => Omit<RowDecision, 'id'> };
export const asCause = () => ({ outcome: 'accepted' as const, choice: CAUSE.id });

export async function mergeInto(
  bytes: Uint8Array,
  { fileName = 'log.xlsx', proposals = [proposal()], decide = asCause }: Given = {},
) {
  const log = { bytes, fileName, digest: digestOf(bytes) };
  const result = { ...(await analyseLog({ log, tickets: null })), newHazards: proposals };
  return mergeLog({
    log,
    result,
    rows: proposals.map(({ id }) => ({ id, ...decide(id) })),
    review: { reviewer: 'A. Reviewer', decidedAt: '2026-11-20T09:30:00Z' },
  });
}

const open = async (bytes: Uint8Array) => {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(bytes) as unknown as ArrayBuffer);
  return workbook;
};
/** The text of every cell of a sheet, by address. */
export async function cellsOf(bytes: Uint8Array, name = 'Hazard Log'): Promise<Map<string, string>> {
  const cells = new Map<string, string>();
  (await open(bytes)).getWorksheet(name)?.eachRow((row) => {
    row.eachCell((cell) => cells.set(cell.address, cell.text));
  });
  return cells;
}
/** What differs between two sheets: address, before, after. */
export async function differences(before: Uint8Array, after: Uint8Array): Promise<[string, string, string][]> {
  const [old, now] = [await cellsOf(before), await cellsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((address) => old.get(address) !== now.get(address))
    .map((address) => [address, old.get(address) ?? '', now.get(address) ?? '']);
}
/** The first row of the Change log, by heading. */
export async function changeLogOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const sheet = (await open(bytes)).getWorksheet('Change log');
  const entry: Record<string, string> = {};
  let headings = 0;
  sheet?.getColumn(3).eachCell((cell, row) => {
    if (cell.text === 'Sheet row') headings = row;
  });
  sheet?.getRow(headings).eachCell((cell, column) => {
    entry[cell.text] = sheet.getRow(headings + 1).getCell(column).text;
  });
  return entry;
}
