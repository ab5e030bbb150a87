import { utils, write } from '@e965/xlsx';
import { expect, test } from '@jest/globals';
import { makeProposal } from '../../factories/analysisResult.ts';
import { asCause, cellsOf, changeLogOf, mergeInto, proposal } from './mergedAdditions.ts';

const HEADINGS = ['| ID | Hazard | Cause | Effect | Severity | Likelihood |', '| --- | --- | --- | --- | --- | --- |'];
/** Rows of a hazard each, or further causes of it. */
const rows = (...causes: [id: string, cause: string][]) =>
  causes.map(([id, cause]) => `| ${id} | List of ${id} | ${cause} | Harm | Major | Low |`);
/** A log in two tables: the lines between them and above them are not in the new workbook. */
const inTables = (first: string[], second: string[]) =>
  Buffer.from(
    ['# Log', '', 'Made for the ward.', '', ...HEADINGS, ...first, '', 'More.', '', ...HEADINGS, ...second].join('\n'),
  );

test('a cause of a hazard in a later table is recorded at its row and cell of the new workbook', async () => {
  const log = inTables(
    rows(['HAZ03', '1) Late'], ['HAZ04', '1) Lost']),
    rows(['HAZ02', '1) Cut'], ['HAZ01', '1) Filter']),
  );
  const { bytes, merged } = await mergeInto(log, { fileName: 'log.md' });
  const cells = await cellsOf(bytes, 'Hazard log');
  expect(cells.get('A5')).toBe('HAZ01');
  expect(cells.get('C5')).toBe('1) Filter\n2) Sync fails at night (T-1)');
  expect(merged).toEqual([
    { id: proposal().id, hazardId: 'HAZ01', sheet: 'Hazard log', row: 5, as: 'cause', count: 1 },
  ]);
  expect(await changeLogOf(bytes)).toMatchObject({
    Hazard: 'HAZ01',
    'Sheet row': '5',
    'Added to': 'Hazard log!C5',
    Before: '1) Filter',
    After: '1) Filter\n2) Sync fails at night (T-1)',
  });
});

test('so is one of the first table, whose headings are not in the first row', async () => {
  const csv =
    'Log of the ward,,,,,\n,,,,,\nID,Hazard,Cause,Effect,Severity,Likelihood\nHAZ02,Last,1) Cut,Harm,Major,Low\nHAZ01,List,1) Filter,Harm,Major,Low\n';
  const { bytes, merged } = await mergeInto(Buffer.from(csv), { fileName: 'log.csv' });
  expect((await cellsOf(bytes, 'Hazard log')).get('C3')).toBe('1) Filter\n2) Sync fails at night (T-1)');
  expect(merged).toMatchObject([{ row: 3, sheet: 'Hazard log' }]);
  expect(await changeLogOf(bytes)).toMatchObject({ 'Sheet row': '3', 'Added to': 'Hazard log!C3' });
});

test('further rows of a hazard in a later table, and new hazards, stand below the rows of all tables', async () => {
  const log = inTables(rows(['HAZ03', 'Late']), rows(['HAZ01', 'Filter'], ['HAZ01', 'Cache'], ['HAZ02', 'Cut']));
  const { bytes, merged } = await mergeInto(log, {
    fileName: 'log.md',
    proposals: [proposal(), makeProposal({ id: 'proposal-2222222222222222', proposedId: 'HAZ04' })],
    decide: (id) => (id.endsWith('2') ? { outcome: 'accepted' } : asCause()),
  });
  const cells = await cellsOf(bytes, 'Hazard log');
  expect([2, 3, 4, 5, 6, 7].map((row) => cells.get(`A${row}`))).toEqual([
    'HAZ03',
    'HAZ01',
    'HAZ01',
    'HAZ02',
    'HAZ04',
    'HAZ01',
  ]);
  expect(merged.map(({ hazardId, row }) => [hazardId, row])).toEqual([
    ['HAZ04', 6],
    ['HAZ01', 7],
  ]);
  expect(cells.get('C7')).toBe('Sync fails at night (T-1)');
});

test('a cause in merged cells goes on in their first cell, which has the text', async () => {
  const sheet = utils.aoa_to_sheet([
    ['ID', 'Hazard', 'Cause', 'Effect', 'Severity', 'Likelihood'],
    ['HAZ02', 'Second', '1) Filter', 'Harm', 'Major', 'Low'],
    ['HAZ01', 'First', null, 'Harm', 'Major', 'Low'],
  ]);
  sheet['!merges'] = [{ s: { r: 1, c: 2 }, e: { r: 2, c: 2 } }];
  const xls = write({ SheetNames: ['Log'], Sheets: { Log: sheet } }, { type: 'array', bookType: 'biff8' });
  const { bytes, merged } = await mergeInto(new Uint8Array(xls), { fileName: 'log.xls' });
  const cells = await cellsOf(bytes, 'Hazard log');
  expect(cells.get('C2')).toBe('1) Filter\n2) Sync fails at night (T-1)');
  expect(cells.get('C3') ?? '').toBe('');
  expect(merged).toMatchObject([{ row: 2 }]);
});
