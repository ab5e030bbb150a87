import { describe, expect, test } from '@jest/globals';
import { counted } from '../../../../bot/agents/clinical_safety/counted.ts';
import { HazardFileError } from '../../../../bot/agents/clinical_safety/errors.ts';
import { inspect } from '../../../../bot/agents/clinical_safety/worker/inspect.ts';
import { makePackage } from '../../../factories/hazardLog.ts';

const inspected = (csv: string, fileName = 'file.csv') => inspect(new Uint8Array(Buffer.from(csv)), fileName);

describe('a file is', () => {
  test.each([
    // Only headings of a tracker.
    ['Key,Summary,Description\nEPS-1,a,b\n', 'tickets'],
    ['ID,Title,Priority,Created\n1,a,High,2026\n', 'tickets'],
    // Both readers accept it: a tracker's headings win, unless the hazards are rated or have controls.
    ['Issue key,Summary,Cause,Effect\nEPS-1,a,b,c\n', 'tickets'],
    ['Issue key,Summary,Cause,Effect,Severity\nEPS-1,a,b,c,Major\n', 'hazard-log'],
    ['Issue key,Summary,Cause,Effect,Likelihood\nEPS-1,a,b,c,Low\n', 'hazard-log'],
    ['Issue key,Summary,Cause,Effect,Existing controls\nEPS-1,a,b,c,d\n', 'hazard-log'],
    ['Issue key,Summary,Cause,Effect,Risk\nEPS-1,a,b,c,3\n', 'tickets'],
    ['Issue key,Summary,Cause,Effect,Controls\nEPS-1,a,b,c,d\n', 'tickets'],
    // Headings that are certainly not a tracker's.
    ['ID,Title,Description,Cause,Effect\nHAZ-1,a,b,c,d\n', 'hazard-log'],
    ['Hazard ID,Hazard name,Cause,Effect\nH1,a,b,c\n', 'hazard-log'],
  ])('%j: %s', async (csv, kind) => {
    expect(await inspected(csv)).toMatchObject({ kind, fileName: 'file.csv', rowCount: 1 });
  });

  test('neither, and is refused', async () => {
    await expect(inspected('Fruit,Colour\nApple,red\n')).rejects.toMatchObject({
      name: 'HazardFileError',
      code: 'neither_log_nor_tickets',
      message: expect.stringMatching(/^This file is neither a hazard log nor a ticket export\./),
    });
  });
});

describe('the message about a file', () => {
  const DUPLICATES = '2 rows repeat the key of another ticket. Rows with the same key were joined.';
  const EMPTY = '1 ticket without summary and description was left out.';

  test('of tickets: their rows, including joined and omitted ones', async () => {
    const head = 'Key,Summary,Description\n';
    const say = async (rows: string) => {
      const { rowCount, remarks } = await inspected(head + rows);
      return [rowCount, ...remarks];
    };
    expect(await say('EPS-1,a,b\nEPS-2,c,d\n')).toEqual([2]);
    expect(await say('EPS-1,a,b\nEPS-1,c,d\nEPS-1,e,f\n')).toEqual([3, DUPLICATES]);
    expect(await say('EPS-1,a,b\nEPS-2,,\n')).toEqual([2, EMPTY]);
    expect(await say('EPS-1,a,b\nEPS-1,c,d\nEPS-1,e,f\nEPS-2,,\n')).toEqual([4, DUPLICATES, EMPTY]);
  });

  test('of tickets: nothing about merging, which is for logs', async () => {
    const cells = (...texts: string[]) => `<tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`;
    const page = (...rows: string[]) => inspected(`<table>${rows.join('')}</table>`, 'file.xls');
    expect(await page(cells('Key', 'Summary', 'Description'), cells('EPS-1', 'a', 'b'))).toEqual({
      kind: 'tickets',
      fileName: 'file.xls',
      rowCount: 1,
      remarks: [],
    });
    expect(
      (await page(cells('Hazard ID', 'Hazard name', 'Cause', 'Risk'), cells('H1', 'a', 'b', '3'))).remarks,
    ).toEqual(['This is a web page under a spreadsheet’s name: a merge writes a new .xlsx beside it.']);
    const linked = makePackage({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Key', 'Summary', 'Description'],
            ['EPS-1', 'a', 'b'],
          ],
        },
      ],
      parts: { 'xl/externalLinks/externalLink1.xml': '<x/>', 'xl/vbaProject.bin': 'x' },
    });
    expect((await inspect(linked, 'file.xlsm')).remarks).toEqual([
      'This workbook links to another workbook. The links were not followed.',
    ]);
  });

  test('of a log: its rows and its oddities', async () => {
    expect(await inspected('Hazard ID,Hazard name,Cause,Effect\nH1,a,b,c\nH1,a,d,e\n')).toEqual({
      kind: 'hazard-log',
      fileName: 'file.csv',
      rowCount: 2,
      remarks: ['No ratings were read: no severity, likelihood or risk was found for any hazard.'],
    });
  });
});

test.each([
  [0, '0 hazards'],
  [1, '1 hazard'],
  [2, '2 hazards'],
  [10_000, '10,000 hazards'],
])('%i are counted as “%s”', (count, text) => {
  expect(counted(count, 'hazard')).toBe(text);
});

test('a count has the given plural', () => {
  expect([counted(1, 'entry', 'entries'), counted(3, 'entry', 'entries')]).toEqual(['1 entry', '3 entries']);
});

test('a refusal has a code and a sentence', () => {
  const error = new HazardFileError('empty_log', 'It is empty.');
  expect([error.name, error.code, error.message]).toEqual(['HazardFileError', 'empty_log', 'It is empty.']);
});
