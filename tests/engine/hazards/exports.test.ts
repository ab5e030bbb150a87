import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { analyseLog } from '../../../bot/engine/hazards/analyse.ts';
import { exportNewHazards } from '../../../bot/engine/hazards/export/exportNewHazards.ts';
import { exportTickets } from '../../../bot/engine/hazards/export/exportTickets.ts';
import { neutralise } from '../../../bot/engine/hazards/neutralise.ts';
import { parseCsv } from '../../../bot/engine/hazards/reading/csv.ts';
import { digestOf, makeWideLog } from '../../factories/hazardLog.ts';

const bytes = makeWideLog([{ id: 'HAZ01' }]);
const analyse = () =>
  analyseLog({
    log: { bytes, fileName: 'My log.xlsx', digest: digestOf(bytes) },
    tickets: {
      records: [
        { key: 'EPS-1', summary: '=cmd|backup restore is corrupt', description: '' },
        { key: 'EPS-2', summary: 'Bump, "eslint"', description: '' },
      ],
      source: 'Jira',
      digest: 'd',
    },
  });
const open = async (from: Uint8Array) => {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(from) as unknown as ArrayBuffer);
  return workbook;
};

describe('new hazards as a workbook', () => {
  test('hold each proposal with its evidence, its outcome and no formula', async () => {
    const result = await analyse();
    const [hazard] = result.newHazards;
    const output = await exportNewHazards({
      result,
      rows: [{ id: hazard?.id ?? '', outcome: 'edited', values: { name: '=1+1' } }],
    });
    const workbook = await open(output.bytes);
    const sheet = workbook.getWorksheet('Proposed hazards');
    const headers = sheet?.getRow(5).values as string[];
    const of = (name: string) => sheet?.getRow(6).getCell(headers.indexOf(name)).value;
    expect([of('Proposed id'), of('Outcome'), of('Name'), of('Status')]).toEqual([
      'HAZ02',
      'edited',
      '=1+1',
      'Proposed – CSO review',
    ]);
    expect(workbook.getWorksheet('Evidence')?.getCell('D2').value).toBe('=cmd|backup restore is corrupt');
    for (const { address, type } of [
      { address: 'C6', type: sheet?.getCell('C6').type },
      { address: 'D2', type: workbook.getWorksheet('Evidence')?.getCell('D2').type },
    ])
      expect([address, type]).toEqual([address, ExcelJS.ValueType.String]);
    expect(String(sheet?.getCell('A2').value)).toContain('language model used: no');
  });

  test('are the same bytes for the same result', async () => {
    const result = await analyse();
    const [first, second] = [
      await exportNewHazards({ result, rows: [] }),
      await exportNewHazards({ result, rows: [] }),
    ];
    expect(digestOf(first.bytes)).toBe(digestOf(second.bytes));
  });
});

describe('verdicts on tickets', () => {
  test('as CSV that Excel reads', async () => {
    const { bytes: csv, fileName } = await exportTickets({ result: await analyse(), format: 'csv' });
    expect(fileName).toBe('My log-tickets.csv');
    const text = Buffer.from(csv).toString();
    expect(text.startsWith('\uFEFF')).toBe(true);
    const [headers, first, second] = parseCsv(text.slice(1), ',');
    expect(headers?.slice(0, 3)).toEqual(['Ticket', 'Summary', 'Relevance']);
    expect(first?.slice(0, 3)).toEqual(['EPS-1', "'=cmd|backup restore is corrupt", 'relevant']);
    expect(second?.slice(0, 3)).toEqual(['EPS-2', 'Bump, "eslint"', 'not']);
    const possible = headers?.indexOf('Possible hazards (not counted)') ?? -1;
    const result = await analyse();
    result.tickets = result.tickets.map((ticket) => ({ ...ticket, possibleHazardIds: ['HAZ01', 'HAZ02'] }));
    const again = Buffer.from((await exportTickets({ result, format: 'csv' })).bytes).toString();
    expect(parseCsv(again.slice(1), ',')[1]?.[possible]).toBe('HAZ01, HAZ02');
  });

  test('as a workbook with the figures of coverage above', async () => {
    const workbook = await open((await exportTickets({ result: await analyse(), format: 'xlsx' })).bytes);
    expect(workbook.getWorksheet('Tickets')?.getCell('B5').value).toBe('=cmd|backup restore is corrupt');
    expect(String(workbook.getWorksheet('Tickets')?.getCell('A2').value)).toContain('Covered 0 of 1 relevant');
  });
});

describe('cells', () => {
  test.each([
    '=1+1',
    '@SUM(1,1)',
    '\t=1+1',
    '＝1+1',
    '+1+1',
    '-2+3',
    ' =x',
    "=cmd|' /C calc'!A0",
    '\r=1',
    '-cmd|x',
    '+A1',
  ])('%j is neutralised', (text) => {
    expect(neutralise(text).startsWith("'")).toBe(true);
  });

  test.each([
    '-- minus text that is legitimate',
    '+ plus text legitimate',
    '- first\n- second',
    '0.5 mg',
    '',
    'a = b',
    '1) None',
  ])('%j stays as it is', (text) => {
    expect(neutralise(text)).toBe(text);
  });
});
