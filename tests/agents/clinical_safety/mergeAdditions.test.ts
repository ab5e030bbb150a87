import { describe, expect, test } from '@jest/globals';
import type { PlannedAddition } from '../../../bot/agents/clinical_safety/merge/planAdditions.ts';
import { writeAdditions } from '../../../bot/agents/clinical_safety/merge/writeAdditions.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import { makeEntry, readPart, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';
import { makeProposal } from '../../factories/analysisResult.ts';
import { makePackage, makeWideLog, type SheetCell } from '../../factories/hazardLog.ts';
import { asCause, CAUSE, CONTROL, cellsOf, changeLogOf, differences, mergeInto, proposal } from './mergedAdditions.ts';

const SHEET = 'xl/worksheets/sheet1.xml';

describe('an accepted cause of a hazard that the log has', () => {
  const log = makeWideLog([{ id: 'HAZ01' }, { id: 'HAZ02', name: 'Second' }]);

  test('goes into that hazard’s cell in the log’s own form; every other cell and the ratings stay', async () => {
    const { bytes, merged, conflicts, changes } = await mergeInto(log);
    expect(conflicts).toEqual([]);
    expect(await differences(log, bytes)).toEqual([
      ['E2', '1) Filter on status is wrong', '1) Filter on status is wrong\n2) Sync fails at night (T-1)'],
    ]);
    expect(merged).toEqual([
      { id: 'proposal-0123456789abcdef', hazardId: 'HAZ01', sheet: 'Hazard Log', row: 2, as: 'cause', count: 1 },
    ]);
    expect(changes.join(' ')).toContain('Of these, E2 got a further cause at its end;');
    const hazard = (await readLog(bytes, 'log.xlsx')).hazards.find(({ id }) => id === 'HAZ01');
    expect(hazard?.initial).toMatchObject({ severity: 'Major', likelihood: 'Low', risk: 3 });
    // The cell keeps its style, and the other rows their bytes.
    const [before, after] = [log, bytes].map((from) => readPart(readZipDirectory(from), SHEET) ?? '');
    expect(/<c r="E2" s="2" t="inlineStr">/.test(after ?? '')).toBe(true);
    const third = /<row r="3".*?<\/row>/s;
    expect(third.exec(after ?? '')?.[0]).toBe(third.exec(before ?? '')?.[0]);
  });

  test('is recorded in the Change log with before and after', async () => {
    const { bytes } = await mergeInto(log);
    expect(await changeLogOf(bytes)).toMatchObject({
      Hazard: 'HAZ01',
      'Sheet row': '2',
      Outcome: 'accepted',
      'Reviewed by': 'A. Reviewer',
      Cause: 'Sync fails at night (T-1)',
      'Added to': 'Hazard Log!E2',
      Before: '1) Filter on status is wrong',
      After: '1) Filter on status is wrong\n2) Sync fails at night (T-1)',
    });
  });

  test('is not written a second time', async () => {
    const first = await mergeInto(log);
    const again = await mergeInto(first.bytes);
    expect(again.conflicts).toMatchObject([{ kind: 'already-merged' }]);
    expect(await differences(first.bytes, again.bytes)).toEqual([]);
  });

  test('may be proposed so, edited, or turned into a new hazard', async () => {
    const proposals = [proposal({ proposedAs: CAUSE.id })];
    const accepted = await mergeInto(log, { proposals, decide: () => ({ outcome: 'accepted' }) });
    expect(accepted.merged).toMatchObject([{ as: 'cause', hazardId: 'HAZ01' }]);
    const edited = await mergeInto(log, {
      proposals,
      decide: () => ({ outcome: 'edited', values: { cause: '1) The sync is late\n2) Or fails' } }),
    });
    expect((await cellsOf(edited.bytes)).get('E2')).toBe(
      '1) Filter on status is wrong\n2) The sync is late\n3) Or fails',
    );
    const turned = await mergeInto(log, { proposals, decide: () => ({ outcome: 'accepted', choice: 'MED-02' }) });
    expect(turned.merged).toMatchObject([{ as: 'hazard', hazardId: 'HAZ09', row: 4 }]);
    expect((await cellsOf(turned.bytes)).get('E2')).toBe('1) Filter on status is wrong');
  });

  test('joins another that goes to the same cell, and new hazards below', async () => {
    const other = { ...CAUSE, values: { name: 'Another', cause: 'Cache is stale (T-2)' } };
    const proposals = [
      proposal(),
      proposal({ id: 'proposal-1111111111111111', additions: [other] }),
      makeProposal({ id: 'proposal-2222222222222222', proposedId: 'HAZ03' }),
    ];
    const { bytes, merged } = await mergeInto(log, {
      proposals,
      decide: (id) => (id.endsWith('2') ? { outcome: 'accepted' } : asCause()),
    });
    expect(merged.map(({ as, row }) => [as, row])).toEqual([
      ['hazard', 4],
      ['cause', 2],
      ['cause', 2],
    ]);
    expect((await cellsOf(bytes)).get('E2')).toBe(
      '1) Filter on status is wrong\n2) Sync fails at night (T-1)\n3) Cache is stale (T-2)',
    );
    expect((await cellsOf(bytes)).get('B4')).toBe('Proposed name');
  });

  test('goes into an empty cell in the form of the column', async () => {
    const others = [
      { id: 'HAZ02', name: 'Second', causes: 'Filter; cache' },
      { id: 'HAZ03', name: 'Third', causes: '1.5 mg are rounded' },
    ];
    const { bytes } = await mergeInto(makeWideLog([{ id: 'HAZ01', causes: '' }, ...others]), {
      decide: () => ({ outcome: 'edited', values: { cause: '1) The sync is late\n2) Or fails' }, choice: CAUSE.id }),
    });
    expect((await cellsOf(bytes)).get('E2')).toBe('The sync is late; Or fails');
  });

  test('whose hazard is gone, or whose cell is a formula, is a conflict and changes nothing', async () => {
    const gone = await mergeInto(makeWideLog([{ id: 'HAZ05' }]));
    expect(gone.conflicts).toMatchObject([{ kind: 'not-added', hazardId: 'HAZ01' }]);
    expect(gone.merged).toEqual([]);
    // One id for two hazards: nobody can tell which one is meant.
    const twins = await mergeInto(makeWideLog([{ id: 'HAZ01' }, { id: 'haz 01', name: 'Another' }]));
    expect(twins.conflicts).toMatchObject([{ kind: 'not-added', message: expect.stringContaining('several hazards') }]);
    expect(twins.merged).toEqual([]);
    const rows: SheetCell[][] = [
      ['ID', 'Hazard', 'Cause', 'Severity', 'Likelihood', 'Risk'],
      ['HAZ01', 'Medicine list', { formula: 'B2&"x"', result: 'Filter is wrong' }, 'Major', 'Low', 3],
    ];
    const withFormula = makePackage({ sheets: [{ name: 'Hazard Log', rows }] });
    const refused = await mergeInto(withFormula);
    expect(refused.conflicts).toMatchObject([{ kind: 'not-added', place: { cell: 'C2' } }]);
    expect(await differences(withFormula, refused.bytes)).toEqual([]);
  });

  test('keeps the formats of a cell with rich text', async () => {
    const parts = readZipDirectory(log);
    const strings = readPart(parts, 'xl/sharedStrings.xml') ?? '';
    const rich = '<r><rPr><b/></rPr><t>1) Filter</t></r><r><rPr><i/></rPr><t xml:space="preserve"> on status</t></r>';
    const changed = strings.replace(/<t[^>]*>1\) Filter on status is wrong<\/t>/, rich);
    expect(changed).not.toBe(strings);
    parts.set('xl/sharedStrings.xml', makeEntry('xl/sharedStrings.xml', changed));
    const { bytes } = await mergeInto(writeZip(parts.values()));
    const sheet = readPart(readZipDirectory(bytes), SHEET) ?? '';
    expect(sheet).toContain(
      `<is>${rich}<r><rPr><i/></rPr><t xml:space="preserve">\n2) Sync fails at night (T-1)</t></r></is>`,
    );
    expect((await cellsOf(bytes)).get('E2')).toBe('1) Filter on status\n2) Sync fails at night (T-1)');
  });

  test('is a further row in a log with a row for each cause', async () => {
    const rows: SheetCell[][] = [
      ['ID', 'Hazard', 'Cause', 'Severity', 'Likelihood', 'Risk'],
      ['HAZ01', 'Medicine list', 'Filter is wrong', 'Major', 'Low', 3],
      ['HAZ01', 'Medicine list', 'Cache is stale', 'Major', 'Low', 3],
      ['HAZ02', 'Second', 'Unit lost', 'Minor', 'Low', 1],
    ];
    const long = makePackage({ sheets: [{ name: 'Hazard Log', rows }] });
    const { bytes, merged } = await mergeInto(long);
    expect(await differences(long, bytes)).toEqual([
      ['A5', '', 'HAZ01'],
      ['B5', '', 'Medicine list'],
      ['C5', '', 'Sync fails at night (T-1)'],
    ]);
    expect(merged).toMatchObject([{ hazardId: 'HAZ01', row: 5, as: 'cause' }]);
    const again = await readLog(bytes, 'log.xlsx');
    expect(again.hazards.find(({ id }) => id === 'HAZ01')?.causes.map(({ text }) => text)).toEqual([
      'Filter is wrong',
      'Cache is stale',
      'Sync fails at night (T-1)',
    ]);
  });

  test('goes into a new workbook where the log came as CSV', async () => {
    const csv = 'ID,Hazard,Cause,Effect,Severity,Likelihood,Risk\nHAZ01,List,1) Filter,Harm,Major,Low,3\n';
    const { bytes, merged } = await mergeInto(Buffer.from(csv), { fileName: 'log.csv' });
    expect((await cellsOf(bytes, 'Hazard log')).get('C2')).toBe('1) Filter\n2) Sync fails at night (T-1)');
    expect(merged).toMatchObject([{ row: 2, as: 'cause' }]);
  });
});

test('an accepted control goes into the columns of its kinds', async () => {
  const log = makeWideLog([{ id: 'HAZ01' }]);
  const { bytes, merged } = await mergeInto(log, { decide: () => ({ outcome: 'accepted', choice: CONTROL.id }) });
  expect(await differences(log, bytes)).toEqual([
    ['J2', 'Show the date of each entry', 'Show the date of each entry\nShow the time of the sync'],
    ['K2', 'Regression pack', 'Regression pack\nSync test'],
  ]);
  expect(merged).toMatchObject([{ as: 'control', row: 2 }]);
  expect(await changeLogOf(bytes)).toMatchObject({
    'Added to': 'Hazard Log!J2\nHazard Log!K2',
    Before: 'J2: Show the date of each entry\nK2: Regression pack',
  });
});

test('a control of which one cell can’t take text is left out whole, and the next one goes without it', async () => {
  const rows: SheetCell[][] = [
    ['ID', 'Hazard', 'Cause', 'Design', 'Test', 'Severity', 'Likelihood', 'Risk'],
    ['HAZ01', 'List', 'Filter', '1) Warn', { formula: 'B2&"x"', result: 'Tested' }, 'Major', 'Low', 3],
  ];
  const log = makePackage({ sheets: [{ name: 'Hazard Log', rows }] });
  const second = { ...CONTROL, values: { name: 'Another', controlDesign: 'Lock the list' } };
  const proposals = [proposal(), proposal({ id: 'proposal-1111111111111111', additions: [second] })];
  const { bytes, conflicts, merged } = await mergeInto(log, {
    proposals,
    decide: () => ({ outcome: 'accepted', choice: CONTROL.id }),
  });
  expect(conflicts).toEqual([
    {
      hazardId: 'HAZ01',
      kind: 'not-added',
      message: expect.stringContaining('was not written: E2 is a formula or would be too long.'),
      place: { sheet: 'Hazard Log', cell: 'E2' },
    },
  ]);
  expect(merged).toMatchObject([{ id: 'proposal-1111111111111111', as: 'control' }]);
  expect(await differences(log, bytes)).toEqual([['D2', '1) Warn', '1) Warn\n2) Lock the list']]);
});

test('a cell takes as much text as Excel allows, and not one character more', async () => {
  const added = '\n2) Sync fails at night (T-1)';
  const logWith = (length: number) => makeWideLog([{ id: 'HAZ01', causes: `1) ${'x'.repeat(length - 3)}` }]);
  const fitting = await mergeInto(logWith(32_767 - added.length));
  expect(fitting.conflicts).toEqual([]);
  expect((await cellsOf(fitting.bytes)).get('E2')).toHaveLength(32_767);
  const tooLong = logWith(32_768 - added.length);
  const refused = await mergeInto(tooLong);
  expect(refused.conflicts).toMatchObject([{ kind: 'not-added', place: { cell: 'E2' } }]);
  expect(await differences(tooLong, refused.bytes)).toEqual([]);
});

test('a planned cell that can’t be written stops the merge', () => {
  const parts = readZipDirectory(makeWideLog([{ id: 'HAZ01' }]));
  const cell = { row: 9, column: 5, sheet: 'Hazard Log', cell: 'E9', before: '', added: 'New', after: 'New' };
  const planned = { cells: [cell] } as PlannedAddition;
  expect(() => writeAdditions(parts, [planned], new Map())).toThrow(
    expect.objectContaining({ code: 'cells_would_change', message: expect.stringContaining('“Hazard Log”!E9') }),
  );
});

test('a new hazard of a log over several sheets goes below the headings of its own sheet alone', async () => {
  const headings = ['ID', 'Hazard', 'Severity', 'Likelihood', 'Risk', 'Status'];
  const row = (number: number) => [`HAZ0${number}`, `Name of hazard ${number}`, 'Major', 'Low', 3, 'Open'];
  const log = makePackage({
    sheets: [
      { name: 'Hazard Log', rows: [headings, row(1), row(2), row(3), row(4)] },
      // A column that only the later sheet has.
      {
        name: 'Second',
        rows: [
          [...headings, 'Cause'],
          [...row(5), 'Sync fails'],
          [...row(6), 'Filter is wrong'],
        ],
      },
    ],
  });
  const proposed = proposal();
  const proposals = [{ ...proposed, values: { ...proposed.values, cause: 'Unit conversion' } }];
  const { bytes, merged } = await mergeInto(log, { proposals, decide: () => ({ outcome: 'accepted' }) });
  expect(merged).toMatchObject([{ as: 'hazard', hazardId: 'HAZ09', sheet: 'Hazard Log', row: 6 }]);
  const cells = await cellsOf(bytes);
  expect([...cells.keys()].filter((address) => address.endsWith('6'))).toEqual(['A6', 'B6', 'F6']);
  expect([...(await cellsOf(bytes, 'Second'))]).toEqual([...(await cellsOf(log, 'Second'))]);
  expect(await changeLogOf(bytes)).toMatchObject({ Hazard: 'HAZ09', Cause: 'Unit conversion' });
});
