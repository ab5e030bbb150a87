import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { MergeInput, MergeOutput } from '../../../bot/agents/clinical_safety/worker/jobs.ts';
import { inflateEntry, makeEntry, readPart, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import { makeAnchoredLog, makeRelations } from '../../factories/anchoredLog.ts';
import {
  digestOf,
  hazardRow,
  MATRIX_SHEET,
  makePackage,
  makeWideLog,
  WIDE_HEADERS,
} from '../../factories/hazardLog.ts';
import { openWithOpenpyxl, type ReadBook } from '../../workbooks/openWithOpenpyxl.ts';
import { mergeChecked, mergedFiles } from './mergeChecked.ts';
import { describeReal, realFile } from './realFiles.ts';

const TICKETS = new Uint8Array(
  Buffer.from(
    [
      'Issue key,Summary,Description',
      'EPS-1,Generated summary invents a family history of asthma,"The AI summary names a diagnosis that is not in the record."',
      'EPS-2,Smartcard renewal locks users out until the next day,Access denied after login.',
      'EPS-3,Bump eslint,',
      'EPS-4,Restore test failed because the backup is corrupt,',
    ].join('\n'),
  ),
);

type Choice = { rows?: (ids: string[]) => RowDecision[]; changed?: Uint8Array; more?: Partial<MergeInput> };

async function mergeInto(
  bytes: Uint8Array,
  fileName: string,
  { rows, changed, more }: Choice = {},
): Promise<MergeOutput & { input: MergeInput }> {
  const log = { bytes, fileName, digest: digestOf(bytes) };
  const result = await analyseLog({
    log,
    tickets: { bytes: TICKETS, fileName: 'tickets.csv', digest: 'tickets-digest' },
  });
  const ids = result.newHazards.map(({ id }) => id);
  const input: MergeInput = {
    log: changed ? { bytes: changed, fileName, digest: digestOf(changed) } : log,
    result,
    rows: rows ? rows(ids) : ids.map((id) => ({ id, outcome: 'accepted' })),
    review: { reviewer: 'A. Reviewer', role: 'Clinical Safety Officer', decidedAt: '2026-11-20T09:30:00Z' },
    auditHead: 'chain-head',
    ...more,
  };
  return { ...(await mergeChecked(input)), input };
}

const open = async (bytes: Uint8Array) => {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(bytes) as unknown as ArrayBuffer);
  return workbook;
};

/** The parts whose content differs, or that are new. */
function changedParts(before: Uint8Array, after: Uint8Array): { changed: string[]; missing: string[] } {
  const [old, now] = [readZipDirectory(before), readZipDirectory(after)];
  const changed = [...now].filter(([name, entry]) => {
    const known = old.get(name);
    return !known || !Buffer.from(inflateEntry(known)).equals(Buffer.from(inflateEntry(entry)));
  });
  return { changed: changed.map(([name]) => name).sort(), missing: [...old.keys()].filter((name) => !now.has(name)) };
}

const part = (bytes: Uint8Array, name: string) => readPart(readZipDirectory(bytes), name) ?? '';
const SHEET = 'xl/worksheets/sheet1.xml';

describe('merging into a workbook', () => {
  const log = makeWideLog([{ id: 'HAZ01' }, { id: 'HAZ02', name: 'Second' }], {
    parts: { 'docProps/custom.xml': '<Properties/>', 'customXml/item1.xml': '<item/>' },
  });

  test('appends accepted hazards under the last one, with the next ids, unrated and as proposals', async () => {
    const { bytes, merged, fileName, conflicts } = await mergeInto(log, 'Log v1.xlsx');
    expect(fileName).toBe('Log v1-merged.xlsx');
    expect(conflicts).toEqual([]);
    expect(merged.map(({ hazardId, row }) => [hazardId, row])).toEqual([
      ['HAZ03', 4],
      ['HAZ04', 5],
      ['HAZ05', 6],
    ]);
    const again = await readLog(bytes, fileName);
    expect(again.hazards).toHaveLength(5);
    const added = again.hazards.find(({ name }) => name === 'Generated content is invented');
    expect(added).toMatchObject({
      status: 'Proposed – CSO review',
      initial: { severity: null, likelihood: null, risk: null },
      residual: { severity: null, risk: null },
      owner: null,
    });
    expect(added?.description).toContain('EPS-1');
  });

  test('can be opened in exceljs, with the style and height of the row above', async () => {
    const { bytes } = await mergeInto(log, 'log.xlsx');
    const sheet = (await open(bytes)).getWorksheet('Hazard Log');
    expect(sheet?.getRow(4).height).toBe(45);
    expect(sheet?.getCell('B4').border).toEqual(sheet?.getCell('B3').border);
    expect(sheet?.getCell('G4').alignment).toEqual(sheet?.getCell('G3').alignment);
    expect(sheet?.getCell('G4').value).toBeNull();
  });

  test('leaves every other part unchanged, to the byte', async () => {
    const { bytes } = await mergeInto(log, 'log.xlsx');
    expect(changedParts(log, bytes)).toEqual({
      changed: [
        '[Content_Types].xml',
        'xl/_rels/workbook.xml.rels',
        'xl/styles.xml',
        'xl/workbook.xml',
        SHEET,
        'xl/worksheets/sheet3.xml',
      ].sort(),
      missing: [],
    });
    const stored = (from: Uint8Array) =>
      Buffer.from(readZipDirectory(from).get('xl/sharedStrings.xml')?.compressed ?? []);
    expect(stored(bytes).equals(stored(log))).toBe(true);
  });

  test('leaves the existing rows unchanged', async () => {
    const { bytes } = await mergeInto(log, 'log.xlsx');
    const before = part(log, SHEET);
    const rows = before.slice(before.indexOf('<row'), before.indexOf('</sheetData>'));
    expect(part(bytes, SHEET)).toContain(rows);
  });

  test('gives the same bytes for the same input', async () => {
    const [first, second] = [await mergeInto(log, 'log.xlsx'), await mergeInto(log, 'log.xlsx')];
    expect(digestOf(first.bytes)).toBe(digestOf(second.bytes));
  });

  test('writes edited words and the chosen candidate, and nothing of rejected proposals', async () => {
    const { bytes, merged } = await mergeInto(log, 'log.xlsx', {
      rows: ([first = '', second = '', third = '']) => [
        { id: first, outcome: 'edited', values: { name: 'My own name', controlTest: '' } },
        { id: second, outcome: 'rejected', reason: 'Not ours' },
        { id: third, outcome: 'accepted', choice: 'MED-02' },
      ],
    });
    expect(merged).toHaveLength(2);
    const names = (await readLog(bytes, 'log.xlsx')).hazards.map(({ name }) => name);
    expect(names.slice(2)).toEqual(['My own name', 'Dose, strength, unit or frequency is wrong']);
  });

  test('with nothing accepted returns the log unchanged', async () => {
    const { bytes, merged } = await mergeInto(log, 'log.xlsx', {
      rows: (ids) => ids.map((id) => ({ id, outcome: 'rejected' })),
    });
    expect(merged).toEqual([]);
    expect(changedParts(log, bytes)).toEqual({ changed: [], missing: [] });
  });

  test('writes a text that looks like a formula as text, letter by letter', async () => {
    const { bytes } = await mergeInto(log, 'log.xlsx', {
      rows: ([id = '']) => [
        {
          id,
          outcome: 'edited',
          values: {
            name: '=HYPERLINK("http://x","y")',
            cause: '- first\n- second',
            clinicalImpact: '+1+1',
            description: 'a < b & "c" \u0000 _x000D_',
          },
        },
      ],
    });
    const sheet = (await open(bytes)).getWorksheet('Hazard Log');
    expect(sheet?.getCell('B4').value).toBe('=HYPERLINK("http://x","y")');
    expect(sheet?.getCell('B4').formula).toBeUndefined();
    expect(part(bytes, SHEET)).toContain('<c r="B4" s="2" t="inlineStr">');
    expect(sheet?.getCell('D4').value).toBe('+1+1');
    expect(sheet?.getCell('E4').value).toBe('- first\n- second');
    expect(String(sheet?.getCell('C4').value)).toContain('a < b & "c"');
  });
});

describe('the Change log sheet', () => {
  const log = makeWideLog([{ id: 'HAZ01' }]);

  test('says what came from where, who accepted it, and from which file', async () => {
    const { bytes } = await mergeInto(log, 'log.xlsx', { rows: ([id = '']) => [{ id, outcome: 'accepted' }] });
    const sheet = (await open(bytes)).getWorksheet('Change log');
    const headers = sheet?.getRow(4).values as string[];
    const of = (name: string) => sheet?.getRow(5).getCell(headers.indexOf(name)).value;
    expect(of('Date')).toBe('2026-11-20');
    expect(of('Hazard')).toBe('HAZ02');
    expect(of('Outcome')).toBe('accepted');
    expect(of('Reviewed by')).toBe('A. Reviewer, Clinical Safety Officer');
    expect(String(of('Quotes from the tickets'))).toMatch(/^EPS-\d: “/);
    expect(of('Analysed log (SHA-256)')).toBe(digestOf(log));
    expect(of('Merged into (SHA-256)')).toBe(digestOf(log));
    expect(of('Audit chain head')).toBe('chain-head');
    expect(String(of('Suggested for discussion'))).toContain('not entered in the log');
  });

  const rowsOf = async (bytes: Uint8Array) => {
    const sheet = (await open(bytes)).getWorksheet('Change log');
    const headers = sheet?.getRow(4).values as string[];
    return Array.from({ length: (sheet?.rowCount ?? 4) - 4 }, (_, at) =>
      Object.fromEntries(
        headers.slice(1).map((header, column) => [header, sheet?.getRow(5 + at).getCell(column + 1).value]),
      ),
    );
  };

  test('names who decided each row, when and where; the sender stands only for rows that nobody else decided', async () => {
    const reviewOf = (id: string) => ({
      [id]: { reviewer: 'Bo Lind', decidedAt: '2026-05-18T23:30:00Z', surface: 'slack' },
    });
    const rows = ([first = '', second = '']: string[]): RowDecision[] => [
      { id: first, outcome: 'rejected' },
      { id: second, outcome: 'accepted' },
    ];
    const { input } = await mergeInto(log, 'log.xlsx', { rows });
    const rowReviews = reviewOf(input.rows[1]?.id ?? '');
    const { bytes } = await mergeChecked({ ...input, rowReviews, timeZone: 'Europe/London' });
    const [accepted, rejected] = await rowsOf(bytes);
    expect(accepted).toMatchObject({ 'Reviewed by': 'Bo Lind, slack', Date: '2026-05-19' });
    expect(rejected).toMatchObject({
      'Reviewed by': 'A. Reviewer, Clinical Safety Officer',
      Date: '2026-11-20',
    });
  });

  test('has rejected proposals too, with the reason and without a row', async () => {
    const rows = ([first = '', second = '']: string[]): RowDecision[] => [
      { id: first, outcome: 'rejected', reason: '=Covered by our own procedure' },
      { id: second, outcome: 'accepted' },
    ];
    const { bytes, input, merged } = await mergeInto(log, 'log.xlsx', { rows });
    expect(merged).toHaveLength(1);
    const [accepted, rejected, ...others] = await rowsOf(bytes);
    expect(others).toEqual([]);
    expect(accepted).toMatchObject({ Outcome: 'accepted', Hazard: 'HAZ03', 'Sheet row': '3', Reason: null });
    expect(rejected).toMatchObject({
      Outcome: 'rejected',
      Reason: '=Covered by our own procedure',
      Hazard: null,
      'Sheet row': null,
      Status: null,
      Proposal: input.rows[0]?.id,
      'Reviewed by': 'A. Reviewer, Clinical Safety Officer',
    });
    // A rejected proposal may be accepted later: it does not count as merged, and is not recorded twice.
    const file = { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) };
    const ids = input.result.newHazards.map(({ id }) => id);
    const later = await mergeChecked({
      ...input,
      log: file,
      rows: [
        { id: ids[0] ?? '', outcome: 'accepted' },
        { id: ids[2] ?? '', outcome: 'rejected' },
      ],
    });
    expect(later.merged).toHaveLength(1);
    const again = await mergeChecked({
      ...input,
      log: { ...file, bytes: later.bytes, digest: digestOf(later.bytes) },
      rows: [
        { id: ids[1] ?? '', outcome: 'accepted' },
        { id: ids[2] ?? '', outcome: 'rejected' },
      ],
    });
    expect(again.merged).toEqual([]);
    expect((await rowsOf(later.bytes)).flatMap(({ Outcome }) => Outcome ?? [])).toEqual([
      'accepted',
      'rejected',
      'accepted',
      'rejected',
    ]);
  });

  test('prevents a second merge of a hazard that was renamed, renumbered or moved since', async () => {
    const first = await mergeInto(log, 'log.xlsx', { rows: ([id = '']) => [{ id, outcome: 'accepted' }] });
    const [proposal] = first.input.result.newHazards;
    const again = async (from: string, to: string) => {
      const parts = readZipDirectory(first.bytes);
      const xml = readPart(parts, SHEET) ?? '';
      expect(xml).toContain(from);
      parts.set(SHEET, makeEntry(SHEET, xml.replace(from, to)));
      const bytes = writeZip(parts.values());
      return mergeChecked({ ...first.input, log: { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) } });
    };
    for (const [from, to] of [
      [`>${proposal?.values.name}<`, '>Our own name for it<'],
      [`>${proposal?.proposedId}<`, '>HAZ77<'],
    ] as const) {
      const { merged, conflicts, changes } = await again(from, to);
      expect(merged).toEqual([]);
      expect(conflicts.filter(({ kind }) => kind === 'already-merged')).toHaveLength(1);
      expect(changes).toEqual(['No row was written, so the workbook is unchanged.']);
    }
  });

  test('missing, a hazard with the same id and name is not written again; with only one of them it is another hazard', async () => {
    const { input } = await mergeInto(log, 'log.xlsx', { rows: ([id = '']) => [{ id, outcome: 'accepted' }] });
    const [proposal] = input.result.newHazards;
    const into = async (id: string, name: string) => {
      const bytes = makeWideLog([{ id: 'HAZ01' }, { id, name }]);
      return (await mergeChecked({ ...input, log: { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) } })).merged
        .length;
    };
    const { proposedId = '', values } = proposal ?? {};
    expect(await into(` ${proposedId.toLowerCase()}`, `${values?.name.toUpperCase()}.`)).toBe(0);
    expect(await into(proposedId, 'Another hazard')).toBe(1);
    expect(await into('HAZ40', values?.name ?? '')).toBe(1);
  });

  test('is not added if nothing was accepted: no part of the workbook changes, and that is said', async () => {
    const rows = (ids: string[]) => ids.map((id) => ({ id, outcome: 'rejected' as const }));
    const { bytes, merged, changes } = await mergeInto(log, 'log.xlsx', { rows });
    expect({ merged, changes }).toEqual({
      merged: [],
      changes: ['No row was written, so the workbook is unchanged.'],
    });
    expect(changedParts(log, bytes)).toEqual({ changed: [], missing: [] });
  });

  test('names the log that was analysed and the one that was merged into', async () => {
    const changed = makeWideLog([{ id: 'HAZ01', status: 'Closed' }]);
    const { bytes } = await mergeInto(log, 'log.xlsx', { changed });
    const [row] = await rowsOf(bytes);
    expect(row?.['Analysed log (SHA-256)']).toBe(digestOf(log));
    expect(row?.['Merged into (SHA-256)']).toBe(digestOf(changed));
  });

  test('of an earlier version, with other columns, gets today’s headings above the new rows', async () => {
    const first = await mergeInto(log, 'log.xlsx', { rows: ([id = '']) => [{ id, outcome: 'accepted' }] });
    const parts = readZipDirectory(first.bytes);
    const name = 'xl/worksheets/sheet3.xml';
    const xml = (readPart(parts, name) ?? '').replace('>Reason<', '>Remark<');
    parts.set(name, makeEntry(name, xml));
    const bytes = writeZip(parts.values());
    const { bytes: again } = await mergeChecked({
      ...first.input,
      log: { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) },
      rows: first.input.result.newHazards.slice(1).map(({ id }) => ({ id, outcome: 'accepted' as const })),
    });
    const sheet = (await open(again)).getWorksheet('Change log');
    expect([5, 6, 7, 8].map((row) => sheet?.getCell(row, 2).value)).toEqual(['HAZ02', 'Hazard', 'HAZ03', 'HAZ04']);
  });

  test('grows with the next merge instead of being added again', async () => {
    const first = await mergeInto(log, 'log.xlsx', { rows: ([id = '']) => [{ id, outcome: 'accepted' }] });
    const file = { bytes: first.bytes, fileName: first.fileName, digest: digestOf(first.bytes) };
    const second = await mergeChecked({
      ...first.input,
      log: file,
      rows: first.input.result.newHazards.map(({ id }) => ({ id, outcome: 'accepted' as const })),
    });
    expect(second.fileName).toBe('log-merged.xlsx');
    expect(second.conflicts).toEqual([expect.objectContaining({ kind: 'already-merged', hazardId: 'HAZ02' })]);
    const workbook = await open(second.bytes);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Hazard Log', 'Risk Matrix', 'Change log']);
    expect(workbook.getWorksheet('Change log')?.getCell('B7').value).toBe('HAZ04');
    // It also has what each merge did to the workbook, in the words of the chat.
    expect(workbook.getWorksheet('Change log')?.getCell('A3').value).toBe(first.changes.join(' '));
    const said = second.changes.join(' ');
    expect(said).toContain('The sheet “Change log” has new rows at its end.');
    const lines: unknown[] = [];
    workbook.getWorksheet('Change log')?.eachRow((row) => void lines.push(row.getCell(1).value));
    expect(lines.at(-1)).toBe(said);
    expect((await readLog(second.bytes, 'log.xlsx')).hazards.map(({ id }) => id)).toEqual([
      'HAZ01',
      'HAZ02',
      'HAZ03',
      'HAZ04',
    ]);
  });

  test('does not replace a sheet of that name in the log', async () => {
    const own = makeWideLog([{ id: 'HAZ01' }], { otherSheets: [{ name: 'Change Log', rows: [['Mine']] }] });
    const workbook = await open((await mergeInto(own, 'log.xlsx')).bytes);
    expect(workbook.worksheets.map(({ name }) => name)).toContain('Change log (Arc)');
  });
});

/** Other programs' ways to write a workbook. */
const WRITERS = {
  async exceljs(cells: unknown[][]) {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Hazard Log').addRows(cells);
    return new Uint8Array(await workbook.xlsx.writeBuffer());
  },
  async '@e965/xlsx'(cells: unknown[][]) {
    const { utils, write } = await import('@e965/xlsx');
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet(cells), 'Hazard Log');
    return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }));
  },
};

describe('ranges, lists and the rows below the log', () => {
  const after = [
    '<autoFilter ref="A1:S3"/>',
    '<conditionalFormatting sqref="I2:I3 P2:P3"><cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>3</formula></cfRule></conditionalFormatting>',
    '<dataValidations count="2"><dataValidation type="list" allowBlank="1" sqref="G2:G3"><formula1>"Minor,Major"</formula1></dataValidation><dataValidation type="list" allowBlank="1" sqref="S2:S3"><formula1>"Open,Closed"</formula1></dataValidation></dataValidations>',
  ].join('');
  const rows = [{ id: 'HAZ01' }, { id: 'HAZ02', name: 'Second' }];
  const names = `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'Hazard Log'!$A$1:$S$3</definedName><definedName name="Other">'Risk Matrix'!$A$1:$B$3</definedName>`;

  test('formats, validations, filter and dimension grow over the new rows', async () => {
    const { bytes } = await mergeInto(makeWideLog(rows, { after, definedNames: names }), 'log.xlsx');
    const xml = part(bytes, SHEET);
    for (const piece of [
      'sqref="I2:I6 P2:P6"',
      'sqref="G2:G6"',
      '<autoFilter ref="A1:S6"/>',
      '<dimension ref="A1:S6"/>',
    ])
      expect(xml).toContain(piece);
    expect(part(bytes, 'xl/workbook.xml')).toContain("'Hazard Log'!$A$1:$S$6</definedName>");
    expect(part(bytes, 'xl/workbook.xml')).toContain("'Risk Matrix'!$A$1:$B$3</definedName>");
  });

  test('a status list that forbids the value keeps it out of the log and in the Change log', async () => {
    const { bytes, statusWritten } = await mergeInto(makeWideLog(rows, { after }), 'log.xlsx');
    expect(statusWritten).toBe('change-log');
    const workbook = await open(bytes);
    expect(workbook.getWorksheet('Hazard Log')?.getCell('S4').value).toBeNull();
    expect(workbook.getWorksheet('Change log')?.getCell('F5').value).toBe('Proposed – CSO review');
  });

  test.each([
    ['a literal list', '"Open,Proposed – CSO review"'],
    ['a range of another sheet', 'Lists!$A$1:$A$3'],
    ['a name', 'Statuses'],
  ])('a status list that allows the value, as %s', async (_, formula) => {
    const bytes = makeWideLog(rows, {
      after: after.replace('"Open,Closed"', formula),
      otherSheets: [{ name: 'Lists', rows: [['Open'], ['Closed'], ['Proposed – CSO review']] }],
      definedNames: '<definedName name="Statuses">Lists!$A$1:$A$3</definedName>',
    });
    const output = await mergeInto(bytes, 'log.xlsx');
    expect(output.statusWritten).toBe('column');
    const workbook = await open(output.bytes);
    expect(workbook.getWorksheet('Hazard Log')?.getCell('S4').value).toBe('Proposed – CSO review');
  });

  test('a log without a status column has the status only in the Change log', async () => {
    const log = makePackage({
      sheets: [{ name: 'Hazard Log', rows: [WIDE_HEADERS.slice(0, 12), hazardRow().slice(0, 12)] }, MATRIX_SHEET],
    });
    expect((await mergeInto(log, 'log.xlsx')).statusWritten).toBe('change-log');
    const text = 'Hazard ID,Hazard name,Cause,Effect,Severity,Likelihood,Risk\n1,a,b,c,Major,Low,3\n';
    expect((await mergeInto(new Uint8Array(Buffer.from(text)), 'log.csv')).statusWritten).toBe('change-log');
  });

  test('preformatted rows are filled, and lists far below stay in place', async () => {
    const blank = Array.from({ length: 19 }, () => null);
    const gap = Array.from({ length: 60 }, () => []);
    const bytes = makeWideLog(rows, {
      belowRows: [blank, blank, blank, blank, ...gap, [null, null, null, null, null, null, 'Minor']],
    });
    const sheet = (await open((await mergeInto(bytes, 'log.xlsx')).bytes)).getWorksheet('Hazard Log');
    expect(sheet?.getCell('A6').value).toBe('HAZ05');
    expect(sheet?.getCell('G68').value).toBe('Minor');
    expect(sheet?.getRow(7).getCell(1).border).toBeDefined();
  });

  test('prefilled formulas are kept and need no room; prenumbered rows are used', async () => {
    const prepared = (row: number, id: string) => [
      id,
      ...Array.from({ length: 14 }, () => null),
      { formula: `IF(ISBLANK(N${row}),"",9)`, result: '' },
    ];
    const bytes = makeWideLog(rows, {
      belowRows: [prepared(4, 'HAZ03'), prepared(5, 'HAZ04'), prepared(6, 'HAZ05'), prepared(7, 'HAZ06')],
    });
    const { bytes: merged, merged: written } = await mergeInto(bytes, 'log.xlsx');
    expect(written.map(({ hazardId, row }) => [hazardId, row])).toEqual([
      ['HAZ03', 4],
      ['HAZ04', 5],
      ['HAZ05', 6],
    ]);
    const sheet = (await open(merged)).getWorksheet('Hazard Log');
    expect(sheet?.getCell('P4').formula).toBe('IF(ISBLANK(N4),"",9)');
    expect(sheet?.getCell('P6').formula).toBe('IF(ISBLANK(N6),"",9)');
    expect(sheet?.getCell('A7').value).toBe('HAZ06');
    expect(sheet?.getCell('B4').value).not.toBeNull();
  });

  test('totals and notes directly below move down, and so does everything that refers to them', async () => {
    const total = ['Total', null, { formula: 'COUNTA(A2:A3)', result: 2 }];
    const bytes = makeWideLog(rows, {
      belowRows: [total, ['Note: reviewed']],
      after:
        '<mergeCells count="1"><mergeCell ref="A5:D5"/></mergeCells><hyperlinks><hyperlink ref="A5" display="x"/></hyperlinks>',
      otherSheets: [
        { name: 'Summary', rows: [['Hazards', { formula: "'Hazard Log'!C4+SUM('Hazard Log'!$I$2:$I$3)", result: 8 }]] },
      ],
      definedNames: '<definedName name="Total">\'Hazard Log\'!$C$4</definedName>',
    });
    const merged = (await mergeInto(bytes, 'log.xlsx')).bytes;
    const workbook = await open(merged);
    const sheet = workbook.getWorksheet('Hazard Log');
    expect(sheet?.getCell('A4').value).toBe('HAZ03');
    expect(sheet?.getCell('A7').value).toBe('Total');
    expect(sheet?.getCell('A8').value).toBe('Note: reviewed');
    expect(sheet?.getCell('C7').formula).toBe('COUNTA(A2:A3)');
    expect(workbook.getWorksheet('Summary')?.getCell('B1').formula).toBe("'Hazard Log'!C7+SUM('Hazard Log'!$I$2:$I$3)");
    expect(part(merged, SHEET)).toContain('<mergeCell ref="A8:D8"/>');
    expect(part(merged, SHEET)).toContain('<hyperlink ref="A8"');
    expect(part(merged, 'xl/workbook.xml')).toContain("'Hazard Log'!$C$7</definedName>");
  });

  test('a table grows with its log', async () => {
    const relation =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/></Relationships>';
    const bytes = makeWideLog(rows, {
      after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
      parts: {
        'xl/worksheets/_rels/sheet1.xml.rels': relation,
        'xl/tables/table1.xml': '<table id="1" name="T" displayName="T" ref="A1:S3"><autoFilter ref="A1:S3"/></table>',
      },
    });
    expect(part((await mergeInto(bytes, 'log.xlsx')).bytes, 'xl/tables/table1.xml')).toBe(
      '<table id="1" name="T" displayName="T" ref="A1:S6"><autoFilter ref="A1:S6"/></table>',
    );
  });

  test('formatting of only the last row does not spread over the new ones; formatting of the column does', async () => {
    const { bytes } = await mergeInto(
      makeWideLog(rows, {
        after: [
          '<protectedRanges><protectedRange name="P" sqref="A2:B3"/></protectedRanges>',
          '<mergeCells count="1"><mergeCell ref="C3:D3"/></mergeCells>',
          '<hyperlinks><hyperlink ref="B3" display="x"/></hyperlinks>',
          '<ignoredErrors><ignoredError sqref="A2:A3" numberStoredAsText="1"/></ignoredErrors>',
        ].join(''),
      }),
      'log.xlsx',
    );
    const xml = part(bytes, SHEET);
    for (const piece of ['<mergeCell ref="C3:D3"/>', '<hyperlink ref="B3"', 'sqref="A2:B6"', 'sqref="A2:A6"'])
      expect(xml).toContain(piece);
  });

  describe('content anchored to the rows below the log', () => {
    const texts = (bytes: Uint8Array, name: string, pattern: RegExp) =>
      [...part(bytes, name).matchAll(pattern)].map(([, text]) => text);
    const SUMMARY = 'xl/worksheets/sheet3.xml';

    test('moves with its rows: comments and their boxes, pictures, charts, tables, breaks and lists', async () => {
      const { bytes, merged } = await mergeInto(makeAnchoredLog(), 'log.xlsx');
      expect(merged).toHaveLength(3);
      expect(texts(bytes, 'xl/comments1.xml', /ref="([^"]*)"/g)).toEqual(['A7']);
      expect(texts(bytes, 'xl/drawings/vmlDrawing1.vml', /<x:(?:Row|Anchor)>([^<]*)</g)).toEqual([
        '1, 15, 6, 10, 3, 15, 10, 4',
        '6',
      ]);
      expect(texts(bytes, 'xl/drawings/drawing1.xml', /<xdr:row>(\d+)</g)).toEqual(['15', '23']);
      expect(texts(bytes, 'xl/charts/chart1.xml', /<c:f>([^<]*)</g)).toEqual(["'Hazard Log'!$V$12:$V$13"]);
      expect(texts(bytes, 'xl/tables/table1.xml', /\sref="([^"]*)"/g)).toEqual(['U11:V13', 'U11:V13']);
      expect(texts(bytes, 'xl/calcChain.xml', /r="([^"]*)"/g)).toEqual(['C7', 'B1', 'B2', 'B3']);
      expect(texts(bytes, SHEET, /<formula1>([^<]*)</g)).toEqual(['$U$12:$U$13']);
      expect(texts(bytes, SHEET, /<brk id="(\d+)"/g)).toEqual(['8']);
    });

    test('is still found by the links, names and formulas that lead to it', async () => {
      const { bytes } = await mergeInto(makeAnchoredLog(), 'log.xlsx');
      expect(texts(bytes, SHEET, /<hyperlink ref="([^"]*)"/g)).toEqual(['A8', 'U8', 'V8']);
      expect(texts(bytes, SHEET, /location="([^"]*)"/g)).toEqual(["'Hazard Log'!C7", 'Total']);
      expect(texts(bytes, SUMMARY, /location="([^"]*)"/g)).toEqual(["'Hazard Log'!A7:C7"]);
      expect(texts(bytes, SUMMARY, /<f>([^<]*)</g)).toEqual([
        "'Hazard Log'!C7+SUM('Hazard Log'!$I$2:$I$3)",
        "COUNTA('Hazard Log'!$A$1:$A$1048576)",
        "HYPERLINK(&quot;#'Hazard Log'!U12&quot;,&quot;Words&quot;)",
      ]);
      expect(texts(bytes, 'xl/workbook.xml', /<definedName [^>]*>([^<]*)</g)).toEqual([
        "'Hazard Log'!$A$1:$S$6",
        "'Hazard Log'!$C$7",
        "'Hazard Log'!$U$12:$U$1048576",
      ]);
    });

    test('is described by what was done to it, and what stayed the same by a comparison', async () => {
      const { changes } = await mergeInto(makeAnchoredLog(), 'log.xlsx');
      expect(changes).toEqual([
        '5 rows below the log in “Hazard Log” moved down by 3.',
        '2 formulas that refer to moved cells were adjusted, in “Summary”.',
        'Adjusted to the new rows: 3 names, 1 filter, 1 conditional format, 1 validation, 1 merged range, 4 links, 1 page break, 1 picture or chart, 1 chart’s data, 1 comment and 1 table.',
        'These formulas end above the new rows and don’t count them: “Hazard Log”!C7 and “Summary”!B1. Check them.',
        'Excel calculates the formulas again when it opens the workbook; in another program, have them calculated again.',
        'The sheet “Change log” is new.',
        'Compared with your file: all 74 cells that “Hazard Log” and “Summary” had are there with the same value, and the other sheet is the same to the byte.',
      ]);
    });

    test('is unchanged to the byte if nothing moves', async () => {
      const rowsOnly = readZipDirectory(makeAnchoredLog());
      const xml = (readPart(rowsOnly, SHEET) ?? '')
        .replace(/<row r="[45]".*?<\/row>/g, '')
        .replace(/<mergeCells.*?<\/mergeCells>/, '');
      rowsOnly.set(SHEET, makeEntry(SHEET, xml));
      rowsOnly.set(
        'xl/calcChain.xml',
        makeEntry('xl/calcChain.xml', part(makeAnchoredLog(), 'xl/calcChain.xml').replace('<c r="C4" i="1"/>', '')),
      );
      const bytes = writeZip(rowsOnly.values());
      const merged = await mergeInto(bytes, 'log.xlsx', { rows: ([id = '']) => [{ id, outcome: 'accepted' }] });
      expect(merged.merged[0]?.row).toBe(4);
      expect(changedParts(bytes, merged.bytes).changed).toEqual([
        '[Content_Types].xml',
        'xl/_rels/workbook.xml.rels',
        'xl/styles.xml',
        'xl/workbook.xml',
        SHEET,
        'xl/worksheets/sheet4.xml',
      ]);
    });

    test('includes links that are written as relations, and each of several areas to print', async () => {
      const bytes = makeWideLog(rows, {
        belowRows: [['Total']],
        parts: {
          'xl/worksheets/_rels/sheet2.xml.rels': makeRelations(
            ['hyperlink', "#'Hazard Log'!A4", 'External'],
            ['hyperlink', 'https://example.org/#A4', 'External'],
          ),
        },
        definedNames: `<definedName name="_xlnm.Print_Area" localSheetId="0">'Hazard Log'!$A$1:$S$3,'Hazard Log'!$A$4:$B$5</definedName>`,
      });
      const { bytes: merged } = await mergeInto(bytes, 'log.xlsx');
      expect(texts(merged, 'xl/worksheets/_rels/sheet2.xml.rels', /Target="([^"]*)"/g)).toEqual([
        "#'Hazard Log'!A7",
        'https://example.org/#A4',
      ]);
      expect(texts(merged, 'xl/workbook.xml', /<definedName [^>]*>([^<]*)</g)).toEqual([
        "'Hazard Log'!$A$1:$S$6,'Hazard Log'!$A$7:$B$8",
      ]);
    });
  });

  describe('cells of the log that are merged', () => {
    test('over rows below its last one keep these; the new rows stand under them', async () => {
      const blank = Array.from({ length: 19 }, () => null);
      const bytes = makeWideLog(rows, {
        belowRows: [blank, blank],
        after: '<mergeCells count="1"><mergeCell ref="A3:A5"/></mergeCells>',
      });
      const { merged, bytes: after } = await mergeInto(bytes, 'log.xlsx');
      expect(merged.map(({ row }) => row)).toEqual([6, 7, 8]);
      expect(part(after, SHEET)).toContain('<mergeCell ref="A3:A5"/>');
    });

    test('in rows that were formatted in advance move down, because a value in them would not show', async () => {
      const blank = Array.from({ length: 19 }, () => null);
      const merges = (ref: string) => `<mergeCells count="1"><mergeCell ref="${ref}"/></mergeCells>`;
      const into = async (ref: string) =>
        part(
          (await mergeInto(makeWideLog(rows, { belowRows: [blank, blank, blank], after: merges(ref) }), 'log.xlsx'))
            .bytes,
          SHEET,
        );
      expect(await into('A5:A6')).toContain('<mergeCell ref="A8:A9"/>');
      expect(await into('B4:C4')).toContain('<mergeCell ref="B7:C7"/>');
      // To the right of the log they are in nobody's way.
      expect(await into('T4:U5')).toContain('<mergeCell ref="T4:U5"/>');
    });
  });

  describe('formulas', () => {
    const prepared = (row: number, id: string, formula: string) =>
      `<row r="${row}"><c r="A${row}" t="str">${formula}<v>${id}</v></c></row>`;

    test('that give way to an id leave no trace that a reader would stumble over', async () => {
      const parts = readZipDirectory(
        makeWideLog(rows, {
          parts: {
            'xl/calcChain.xml':
              '<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><c r="A4" i="1"/><c r="A5"/></calcChain>',
          },
          contentTypes:
            '<Override PartName="/xl/calcChain.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml"/>',
          workbookRelations:
            '<Relationship Id="rId90" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain" Target="calcChain.xml"/>',
        }),
      );
      const filled =
        prepared(4, 'HAZ03', '<f t="shared" ref="A4:A5" si="0">"HAZ0"&amp;ROW()-1</f>') +
        prepared(5, 'HAZ04', '<f t="shared" si="0"/>');
      parts.set(
        SHEET,
        makeEntry(
          SHEET,
          (readPart(parts, SHEET) ?? '')
            .replace('</sheetData>', `${filled}</sheetData>`)
            .replace('<dimension ref="A1:S3"/>', '<dimension ref="A1:S5"/>'),
        ),
      );
      const before = writeZip(parts.values());
      const { bytes, changes, merged } = await mergeInto(before, 'log.xlsx', {
        rows: ([id = '']) => [{ id, outcome: 'accepted' }],
      });
      expect(merged).toEqual([expect.objectContaining({ hazardId: 'HAZ03', row: 4 })]);
      expect(part(bytes, SHEET)).toContain('<f>&quot;HAZ0&quot;&amp;ROW()-1</f><v>HAZ04</v>');
      expect(readZipDirectory(bytes).has('xl/calcChain.xml')).toBe(false);
      expect(changes).toContain('1 formula filled in below the log gave way to new values: A4.');
      expect(changes.at(-1)).toBe(
        'Compared with your file: 58 of the 59 cells that “Hazard Log” had are there with the same value, one has a value of the new rows, and the other sheet is the same to the byte.',
      );
    });

    test('are calculated again when the workbook is opened, where there are any', async () => {
      const settings = (bytes: Uint8Array) => /<calcPr[^>]*>/.exec(part(bytes, 'xl/workbook.xml'))?.[0];
      const log = (formulas: boolean) =>
        makeWideLog(rows, {
          otherSheets: [
            { name: 'Summary', rows: [[formulas ? { formula: "COUNTA('Hazard Log'!A:A)", result: 3 } : 3]] },
          ],
        });
      expect(settings((await mergeInto(log(false), 'log.xlsx')).bytes)).toBeUndefined();
      const first = await mergeInto(log(true), 'log.xlsx');
      expect(settings(first.bytes)).toBe('<calcPr fullCalcOnLoad="1"/>');
      const parts = readZipDirectory(log(true));
      const xml = (readPart(parts, 'xl/workbook.xml') ?? '').replace(
        '</workbook>',
        '<calcPr calcId="191029" fullCalcOnLoad="0" /><extLst/></workbook>',
      );
      parts.set('xl/workbook.xml', makeEntry('xl/workbook.xml', xml));
      expect(settings((await mergeInto(writeZip(parts.values()), 'log.xlsx')).bytes)).toBe(
        '<calcPr calcId="191029" fullCalcOnLoad="1" />',
      );
    });
  });

  test('an empty log is filled from the row under its headings', async () => {
    const { bytes, merged } = await mergeInto(makeWideLog([]), 'log.xlsx');
    expect(merged[0]).toMatchObject({ hazardId: 'H01', row: 2 });
    expect((await readLog(bytes, 'log.xlsx')).hazards).toHaveLength(3);
  });

  test('a workbook that declares the prefix of relations on each of its sheets, as openpyxl does, stays readable', async () => {
    const parts = readZipDirectory(makeWideLog(rows));
    const declared = /\sxmlns:r="[^"]*"/.exec(readPart(parts, 'xl/workbook.xml') ?? '')?.[0] ?? '';
    const xml = (readPart(parts, 'xl/workbook.xml') ?? '')
      .replace(declared, '')
      .replaceAll('<sheet ', `<sheet${declared} `);
    parts.set('xl/workbook.xml', makeEntry('xl/workbook.xml', xml));
    const { bytes } = await mergeInto(writeZip(parts.values()), 'log.xlsx');
    expect(part(bytes, 'xl/workbook.xml')).toContain(`<sheet${declared} name="Change log"`);
    expect(part((await mergeInto(makeWideLog(rows), 'log.xlsx')).bytes, 'xl/workbook.xml')).toContain(
      '<sheet name="Change log"',
    );
  });

  test('attributes in single quotes are understood like others', async () => {
    const parts = readZipDirectory(makeAnchoredLog());
    const quoted = (readPart(parts, SHEET) ?? '').replace(/ (\w+)="([^"']*)"/g, " $1='$2'");
    parts.set(SHEET, makeEntry(SHEET, quoted));
    const { bytes, changes } = await mergeInto(writeZip(parts.values()), 'log.xlsx');
    expect(part(bytes, SHEET)).toContain("<mergeCell ref='A8:D8'/>");
    expect(changes).toEqual((await mergeInto(makeAnchoredLog(), 'log.xlsx')).changes);
  });

  test('rows below that are only formatted move without being counted', async () => {
    const blank = Array.from({ length: 19 }, () => null);
    const bytes = makeWideLog(rows, { belowRows: [['Total'], blank, blank, ['Note']] });
    const { changes } = await mergeInto(bytes, 'log.xlsx');
    expect(changes[0]).toBe('2 rows below the log in “Hazard Log” moved down by 3.');
  });

  test.each(['exceljs', '@e965/xlsx'])('a workbook that was written by %s takes rows', async (library) => {
    const cells = [WIDE_HEADERS, hazardRow({ id: 'HAZ01' }), hazardRow({ id: 'HAZ02', name: 'Second' }), [], ['Total']];
    const { bytes, merged } = await mergeInto(await WRITERS[library as keyof typeof WRITERS](cells), 'log.xlsx');
    expect(merged.map(({ row }) => row)).toEqual([4, 5, 6]);
    expect((await readLog(bytes, 'log.xlsx')).hazards).toHaveLength(5);
  });

  test('a macro workbook keeps its macros and its type', async () => {
    const macros = new Uint8Array([9, 8, 7, 6]);
    const log = makeWideLog(rows, { parts: { 'xl/vbaProject.bin': macros } });
    const { bytes, fileName } = await mergeInto(log, 'log.xlsm');
    expect(fileName).toBe('log-merged.xlsm');
    const kept = readZipDirectory(bytes).get('xl/vbaProject.bin');
    expect(kept && [...inflateEntry(kept)]).toEqual([...macros]);
  });

  test('a long log gets one row per control, in the words of its own list', async () => {
    const log = makePackage({
      sheets: [
        {
          name: 'Hazard Log',
          rows: [
            [
              'Num',
              'Hazard Name',
              'Hazard Description',
              'Possible Causes',
              'Initial Consequence',
              'Initial Likelihood',
              'Additional controls',
              'Control type',
            ],
            ['H01', 'No triage', 'Text', '0101 a', 'Major', 'Medium', 'Retry', 'Design'],
            ['H01', 'No triage', null, '0101 a', 'Major', 'Medium', 'Rota', 'Process'],
          ],
        },
        MATRIX_SHEET,
      ],
    });
    const { bytes, merged, hazardRows } = await mergeInto(log, 'log.xlsx', {
      rows: ([id = '']) => [
        {
          id,
          outcome: 'edited',
          values: { controlDesign: 'D', controlTest: 'T', controlTraining: '', controlBusiness: 'B' },
        },
      ],
    });
    const again = await readLog(bytes, 'log.xlsx');
    expect(again.hazards.map(({ id, rowNumbers }) => [id, rowNumbers.length])).toEqual([
      ['H01', 2],
      ['H02', 3],
    ]);
    expect([merged.length, hazardRows]).toEqual([1, 3]);
    expect([4, 5, 6].map((row) => again.text(row, 'control_type'))).toEqual(['Design', 'Test', 'Process']);
  });

  test('numeric ids stay numbers', async () => {
    const log = makePackage({
      sheets: [
        {
          name: 'Hazard Log',
          rows: [WIDE_HEADERS, [7, ...hazardRow().slice(1)], [52, ...hazardRow({ name: 'B' }).slice(1)]],
        },
        MATRIX_SHEET,
      ],
    });
    const { bytes } = await mergeInto(log, 'log.xlsx', { rows: ([id = '']) => [{ id, outcome: 'accepted' }] });
    expect((await open(bytes)).getWorksheet('Hazard Log')?.getCell('A4').value).toBe(53);
  });
});

describe('a log that changed since its analysis', () => {
  const log = makeWideLog([{ id: 'HAZ01' }, { id: 'HAZ02', name: 'Second' }]);

  test('with an id taken meanwhile gets the next free one, and the conflict is reported', async () => {
    const changed = makeWideLog([{ id: 'HAZ01' }, { id: 'HAZ02', name: 'Second' }, { id: 'HAZ03', name: 'By hand' }]);
    const { merged, conflicts } = await mergeInto(log, 'log.xlsx', {
      changed,
      rows: ([id = '']) => [{ id, outcome: 'accepted' }],
    });
    expect(merged[0]).toMatchObject({ hazardId: 'HAZ04', row: 5 });
    expect(conflicts).toEqual([
      expect.objectContaining({ kind: 'id-taken', hazardId: 'HAZ03', place: { sheet: 'Hazard Log', cell: 'A4' } }),
    ]);
  });

  test('with changed or removed hazards is left alone there, and they are reported', async () => {
    const changed = makeWideLog([{ id: 'HAZ01', severity: 'Minor', status: 'Closed' }]);
    const { conflicts } = await mergeInto(log, 'log.xlsx', { changed });
    expect(conflicts.map(({ kind, hazardId }) => [kind, hazardId])).toEqual([
      ['hazard-changed', 'HAZ01'],
      ['hazard-changed', 'HAZ02'],
    ]);
    expect(conflicts[0]?.message).toContain('initial rating, status');
  });

  test.each([
    ['other ids', [{ id: 'ABC01' }, { id: 'ABC02', name: 'Second' }]],
    [
      'the same ids for other hazards',
      [
        { id: 'HAZ01', name: 'Appliance', description: 'Another thing', impact: 'Another harm' },
        { id: 'HAZ02', name: 'Battery', description: 'One more', impact: 'One more harm' },
      ],
    ],
  ])('that is another product’s is refused: %s', async (_, hazards) => {
    await expect(mergeInto(log, 'log.xlsx', { changed: makeWideLog(hazards) })).rejects.toMatchObject({
      code: 'not_the_analysed_log',
      message:
        'This log is not the one that was analysed: only 0 of 2 hazards are in it. Analyse it first, or upload the analysed log again.',
    });
  });

  test('with a missing column is reported', async () => {
    const changed = makePackage({
      sheets: [
        {
          name: 'Hazard Log',
          rows: [
            WIDE_HEADERS.slice(0, 12),
            hazardRow({ id: 'HAZ01' }).slice(0, 12),
            hazardRow({ id: 'HAZ02', name: 'Second' }).slice(0, 12),
          ],
        },
        MATRIX_SHEET,
      ],
    });
    const { conflicts } = await mergeInto(log, 'log.xlsx', { changed });
    expect(
      conflicts
        .filter(({ kind }) => kind === 'column-missing')
        .map(({ message }) => message)
        .join(' '),
    ).toContain('“BPC”');
  });
});

describe('a log that is no Excel workbook', () => {
  const csv = new Uint8Array(
    Buffer.from('Hazard ID,Hazard name,Cause,Effect,Severity,Likelihood,Risk,Status\n0101,=1+1,b,c,Major,Low,3,Open\n'),
  );

  test('becomes a new workbook that says so, with every row and no formula', async () => {
    const { bytes, fileName, merged } = await mergeInto(csv, 'log.csv');
    expect(fileName).toBe('log-merged.xlsx');
    const workbook = await open(bytes);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Hazard log', 'Change log', 'About this file']);
    const sheet = workbook.getWorksheet('Hazard log');
    expect([sheet?.getCell('A2').value, sheet?.getCell('B2').value, sheet?.getCell('G2').value]).toEqual([
      '0101',
      '=1+1',
      3,
    ]);
    expect(sheet?.getCell('B2').formula).toBeUndefined();
    expect(sheet?.getCell(`A${merged[0]?.row}`).value).toBe(merged[0]?.hazardId);
    expect(String(workbook.getWorksheet('About this file')?.getCell('A2').value)).toContain('CSV');
  });

  test('has the hazards of all its tables, and of its cards, in rows', async () => {
    const table = (...hazards: string[]) =>
      ['Hazard ID', 'Hazard name', 'Cause', 'Effect']
        .join('|')
        .concat('\n---|---|---|---\n', hazards.map((id) => `${id}|Hazard ${id}|b|c\n`).join(''));
    const card = (id: string) => `## ${id}: Hazard ${id}\n**Cause:** b\n**Effect:** c\n**Owner:** d\n`;
    for (const [text, words] of [
      [`${table('H1', 'H2')}\n# More\n${table('H3')}`, 'and the hazards of “log.md (table 2)”'],
      [['H1', 'H2', 'H3'].map(card).join('\n'), 'it has a row for each of the 3 hazards of the file'],
    ] as const) {
      const { bytes, merged, changes } = await mergeInto(new Uint8Array(Buffer.from(text)), 'log.md');
      const sheet = (await open(bytes)).getWorksheet('Hazard log');
      const column = (at: number) => [2, 3, 4].map((row) => sheet?.getRow(row).getCell(at).value);
      expect(column(1)).toEqual(['H1', 'H2', 'H3']);
      expect(column(2)).toEqual(['Hazard H1', 'Hazard H2', 'Hazard H3']);
      expect(merged[0]?.row).toBe(5);
      expect(sheet?.getCell('A5').value).toBe(merged[0]?.hazardId);
      expect(changes.join(' ')).toContain(words);
      expect(changes.join(' ')).not.toContain('other table');
    }
  });

  test('gives the same bytes for the same input', async () => {
    const [first, second] = [await mergeInto(csv, 'log.csv'), await mergeInto(csv, 'log.csv')];
    expect(digestOf(first.bytes)).toBe(digestOf(second.bytes));
  });
});

describeReal('merging into published logs', () => {
  test.each([
    'nrl_hazard_log_v1.7.xlsx',
    'nrl_hazard_log_v1.6.xlsx',
    'cds_api_hazard_log_v1.0.xlsx',
    'gpconnect_consumers_hazard_log_A.xlsx',
    'nhs_template_hazard_log_jcf54.xlsx',
    'gstt_hazard_log_template.xlsm',
  ])('%s: can be opened, and untouched parts are the same to the byte', async (name) => {
    const { bytes: before, fileName } = realFile(`hazard-logs/${name}`);
    const { bytes, merged } = await mergeInto(before, fileName);
    const { changed, missing } = changedParts(before, bytes);
    expect(missing).toEqual([]);
    expect(changed.filter((part) => !/^xl\/worksheets\/sheet\d+\.xml$/.test(part))).toEqual([
      '[Content_Types].xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
    ]);
    expect(changed.filter((part) => /^xl\/worksheets\//.test(part))).toHaveLength(2);
    const sheet = (await open(bytes)).getWorksheet(merged[0]?.sheet ?? '');
    expect(String(sheet?.getCell(merged[0]?.row ?? 0, 1).value)).toBe(merged[0]?.hazardId);
    const [old, now] = [await readLog(before, fileName), await readLog(bytes, fileName)];
    expect(now.hazards.slice(0, old.hazards.length)).toEqual(old.hazards);
    expect(now.hazards).toHaveLength(old.hazards.length + merged.length);
  });
});

describe('content that reaches to the end of the sheet', () => {
  const END = 1_048_576;
  const total = ['Total', null, { formula: `COUNTA(A2:A${END})`, result: 2 }];
  const bottom = makePackage({
    sheets: [
      {
        name: 'Hazard Log',
        rows: [[...WIDE_HEADERS], hazardRow({ id: 'HAZ-01' }), hazardRow({ id: 'HAZ-02', name: 'Second' }), total],
        after: `<autoFilter ref="A1:S${END}"/><mergeCells count="2"><mergeCell ref="U5:V${END}"/><mergeCell ref="A9:B9"/></mergeCells><conditionalFormatting sqref="G2:G${END}"><cfRule type="expression" priority="1"><formula>$G$2:$G$${END}=1</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="whole" sqref="H2:H${END} I9:I${END - 1}"><formula1>0</formula1></dataValidation></dataValidations>`,
      },
      { name: 'Summary', rows: [[{ formula: `SUM('Hazard Log'!I2:I${END})`, result: 4 }]] },
    ],
    definedNames: `<definedName name="Down">'Hazard Log'!$C$4:$C$${END}</definedName>`,
  });
  const rowsNamed = (bytes: Uint8Array) =>
    [SHEET, 'xl/worksheets/sheet2.xml', 'xl/workbook.xml'].flatMap((name) =>
      [...part(bytes, name).matchAll(/[A-Z]\$?(\d{5,})/g)].map(([, row]) => Number(row)),
    );

  test('stays within the last row that Excel has, in ranges, names and formulas', async () => {
    const { bytes, merged } = await mergeInto(bottom, 'log.xlsx');
    expect(merged.length).toBeGreaterThan(0);
    expect(Math.max(...rowsNamed(bytes))).toBe(END);
    expect(part(bytes, SHEET)).toContain(`ref="U${5 + merged.length}:V${END}"`);
    expect(part(bytes, SHEET)).toContain(`ref="A${9 + merged.length}:B${9 + merged.length}"`);
  });

  test('is reported as moved, and nothing claims that everything else is unchanged', async () => {
    const { changes, merged } = await mergeInto(bottom, 'log.xlsx');
    expect(changes).toEqual([
      `1 row below the log in “Hazard Log” moved down by ${merged.length}.`,
      'Adjusted to the new rows: 1 name, 1 validation and 2 merged ranges.',
      'Excel calculates the formulas again when it opens the workbook; in another program, have them calculated again.',
      'The sheet “Change log” is new.',
      'Compared with your file: all 59 cells that “Hazard Log” had are there with the same value, and the other sheet is the same to the byte.',
    ]);
  });

  test('keeps page breaks within the sheet, and names other sheets whose formulas moved', async () => {
    const below = makePackage({
      sheets: [
        {
          name: 'Hazard Log',
          rows: [[...WIDE_HEADERS], hazardRow({ id: 'HAZ-01' }), total],
          after: `<rowBreaks count="2"><brk id="5"/><brk id="${END}"/></rowBreaks>`,
        },
        { name: 'Summary', rows: [[{ formula: "'Hazard Log'!C3", result: 4 }]] },
      ],
    });
    const { bytes, changes, merged } = await mergeInto(below, 'log.xlsx');
    expect(part(bytes, SHEET)).toContain(`<brk id="${5 + merged.length}"/><brk id="${END}"/>`);
    expect(changes[1]).toBe('1 formula that refers to moved cells was adjusted, in “Summary”.');
  });

  test('is never pushed over the edge: that merge is refused, while a blank row there is dropped', async () => {
    const at = (inner: string) => {
      const parts = readZipDirectory(bottom);
      const xml = part(bottom, SHEET).replace('</sheetData>', `<row r="${END}">${inner}</row></sheetData>`);
      parts.set(SHEET, makeEntry(SHEET, xml));
      return writeZip(parts.values());
    };
    await expect(mergeInto(at(`<c r="A${END}"><v>1</v></c>`), 'log.xlsx')).rejects.toMatchObject({
      code: 'no_room_below',
    });
    const { bytes } = await mergeInto(at(`<c r="A${END}" s="2"/>`), 'log.xlsx');
    expect(part(bytes, SHEET)).not.toMatch(/<row r="\d{7,}"/);
  });

  test('a new workbook says what of the log it leaves out', async () => {
    const csv = `Our hazard log\n\n${WIDE_HEADERS.join(',')}\n${hazardRow({ id: 'HAZ-01' })
      .map((cell) => `"${cell ?? ''}"`)
      .join(',')}\n`;
    const { changes } = await mergeInto(new Uint8Array(Buffer.from(csv)), 'log.csv');
    expect(changes.join(' ')).toMatch(/^This workbook is new.*Not in it: 1 row above the headings; formatting/);
    const html = (rows: (string | null)[][]) =>
      `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell ?? ''}</td>`).join('')}</tr>`).join('')}</table>`;
    const page = html([[...WIDE_HEADERS], hazardRow({ id: 'HAZ-01' }).map(String)]) + html([['Other'], ['Words']]);
    const { changes: ofPage, bytes } = await mergeInto(new Uint8Array(Buffer.from(page)), 'log.xls');
    expect(ofPage.join(' ')).toMatch(/Not in it: the other table or sheet “log\.xls \(table 2\)”; formatting/);
    expect((await open(bytes)).getWorksheet('Change log')?.getCell('A3').value).toBe(ofPage.join(' '));
  });

  test('a new workbook counts the rows below the log and the formulas that it leaves out', async () => {
    const { utils, write } = await import('@e965/xlsx');
    const heads = ['Hazard ID', 'Hazard name', 'Cause', 'Effect', 'Severity', 'Likelihood', 'Risk'];
    const xls = (below: (string | number)[][], formulas: Record<string, string>) => {
      const book = utils.book_new();
      const sheet = utils.aoa_to_sheet([
        heads,
        ['H1', 'A', 'b', 'c', 'Major', 'Low', 3],
        ['H2', 'B', 'b', 'c', 'Minor', 'Low', 1],
        ...below,
      ]);
      for (const [cell, f] of Object.entries(formulas)) sheet[cell] = { t: 'n', v: 3, f };
      utils.book_append_sheet(book, sheet, 'Log');
      return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlml' }));
    };
    const left = async (bytes: Uint8Array) => (await mergeInto(bytes, 'log.xls')).changes.join(' ');
    expect(await left(xls([], {}))).toMatch(
      /rows 1 to 3 of the log\. Compared with your file: all 14 cells of these rows have the same text\. Not in it: formatting\./,
    );
    const two = await left(xls([[], ['Total', 2], ['Approved by'], []], { G2: '1+2', G3: '2+1' }));
    expect(two).toMatch(/Not in it: 2 rows below the log; 2 formulas \(their last values are here\); formatting\./);
    expect(await left(xls([[], ['Total', 2]], { G2: '1+2' }))).toMatch(
      /Not in it: 1 row below the log; 1 formula \(their last values are here\); formatting\./,
    );
  });
});

test('cells that a new workbook can’t hold whole are named, and their number', async () => {
  const long = 'x'.repeat(32_768);
  const csv = (text: string) =>
    new Uint8Array(
      Buffer.from(
        `Hazard ID,Hazard name,Cause,Effect,Severity,Likelihood,Risk,Status\nH1,A,${text},c,Major,Low,3,Open\n`,
      ),
    );
  const { changes, bytes } = await mergeInto(csv(long), 'log.csv');
  expect(changes).toContain(
    'Compared with your file: 7 of 8 cells of these rows have the same text. A workbook can’t hold all of the text of C2.',
  );
  expect((await open(bytes)).getWorksheet('Change log')?.getCell('A3').value).toBe(changes.join(' '));
  expect((await mergeInto(csv(long.slice(1)), 'log.csv')).changes).toContain(
    'Compared with your file: all 8 cells of these rows have the same text.',
  );
});

test('every file that was merged above is opened by openpyxl, with the new hazards in their rows', async () => {
  // openpyxl makes an object for each cell of a merged range, also of one with two million.
  const files = mergedFiles.filter(({ bytes }) => !part(bytes, SHEET).includes(':V1048576'));
  const read = openWithOpenpyxl(files);
  if (read === null) {
    console.log(
      'Skipped: merged files are not opened with openpyxl. Debian’s package python3-openpyxl is not installed.',
    );
    return;
  }
  expect(read.flatMap((one, at) => ('error' in one ? `${files[at]?.name} (${at}): ${one.error}` : []))).toEqual([]);
  for (const [at, { merged }] of files.entries()) {
    const { sheets } = read[at] as { sheets: ReadBook };
    for (const { hazardId, sheet, row } of merged) {
      const inRow = Object.entries(sheets[sheet] ?? {}).filter(([cell]) => cell.replace(/^[A-Z]+/, '') === String(row));
      expect(inRow.map(([, value]) => String(value))).toContain(hazardId);
    }
  }
});
