import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { escapeXml, unescapeXml } from '../../../bot/agents/clinical_safety/ooxml/xmlText.ts';
import { parseCsv } from '../../../bot/agents/clinical_safety/reading/csv.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import { normaliseRatingWord } from '../../../models/contracts/clinical_safety/ratingWords.ts';
import { hazardRow, MATRIX_SHEET, makePackage, makeWideLog, WIDE_HEADERS } from '../../factories/hazardLog.ts';

const text = (content: string) => new Uint8Array(Buffer.from(content));
const byName = (log: Awaited<ReturnType<typeof readLog>>) =>
  Object.fromEntries(log.shape.columns.map(({ canonical, column }) => [canonical, column]));

describe('reading a hazard log', () => {
  test('finds the log among covers, histories and matrices, wherever it is', async () => {
    const bytes = makePackage({
      sheets: [
        { name: 'Cover', rows: [['Clinical safety hazard log'], ['Version', '1.2']] },
        {
          name: 'Version history',
          rows: [
            ['Version', 'Date', 'Description'],
            ['1.2', '01/02/2026', 'Reviewed'],
          ],
        },
        MATRIX_SHEET,
        {
          name: 'Hazards',
          rows: [
            [],
            ['Some title'],
            [],
            [],
            WIDE_HEADERS,
            hazardRow({ id: 'A1' }),
            hazardRow({ id: 'A2', name: 'Another' }),
          ],
        },
      ],
    });
    const { shape, hazards } = await readLog(bytes, 'log.xlsx');
    expect(shape).toMatchObject({
      sheet: 'Hazards',
      headerRows: [5],
      firstDataRow: 6,
      lastDataRow: 7,
      rowCount: 2,
      layout: 'wide',
    });
    expect(hazards.map(({ id }) => id)).toEqual(['A1', 'A2']);
  });

  test('reads repeated Severity, Likelihood and Risk as before and after controls', async () => {
    const log = await readLog(makeWideLog([{ severity: 'Major', residualSeverity: 'Minor' }]), 'log.xlsx');
    expect(byName(log)).toMatchObject({
      initial_severity: 'G',
      initial_likelihood: 'H',
      initial_risk: 'I',
      residual_severity: 'N',
      residual_likelihood: 'O',
      residual_risk: 'P',
    });
    expect(log.hazards[0]).toMatchObject({ initial: { severity: 'Major' }, residual: { severity: 'Minor' } });
  });

  test('reads headings in two rows, with groups above', async () => {
    const bytes = makePackage({
      sheets: [
        {
          name: 'Hazard log',
          rows: [
            ['', '', '', 'Initial', '', '', 'Residual', '', ''],
            [
              'Hazard #',
              'Name',
              'Cause',
              'Consequence',
              'Likelihood',
              'Risk score',
              'Consequence',
              'Likelihood',
              'Risk score',
            ],
            ['H1', 'Wrong dose', 'Unit lost', 'Major', 'Low', 3, 'Major', 'Very low', 2],
          ],
          after: '<mergeCells count="2"><mergeCell ref="D1:F1"/><mergeCell ref="G1:I1"/></mergeCells>',
        },
      ],
    });
    const log = await readLog(bytes, 'log.xlsx');
    expect(log.shape.headerRows).toEqual([1, 2]);
    expect(byName(log)).toMatchObject({
      initial_severity: 'D',
      residual_severity: 'G',
      initial_risk: 'F',
      residual_risk: 'I',
    });
  });

  test('accepts typos, stray spaces, underscores and prefixes in headings', async () => {
    const log = await readLog(
      text(
        'hazard_id ;Hazard  Nmae;Hazard Descripton;Potental clinical impact;I. Consequence;initial_likelihood;R. Consequence;Final likelihood\nH1;Name;Text;Harm;Major;Low;Major;Low\n',
      ),
      'log.csv',
    );
    expect(byName(log)).toMatchObject({
      id: 'A',
      name: 'B',
      description: 'C',
      clinical_impact: 'D',
      initial_severity: 'E',
      initial_likelihood: 'F',
      residual_severity: 'G',
      residual_likelihood: 'H',
    });
  });

  test('reads hazards from a tracker', async () => {
    const log = await readLog(
      text('Issue key,Summary,Description,Severity,Likelihood,Risk,Cause,Effect\nHAZ-1,A,b,Major,Low,3,c,d\n'),
      'log.csv',
    );
    expect(log.hazards[0]).toMatchObject({ id: 'HAZ-1', name: 'A', initial: { expectedRisk: 3 } });
  });

  test('lists unknown headings', async () => {
    const log = await readLog(text('Hazard ID,Hazard name,Cause,Effect,Sprint colour\nH1,A,B,C,red\n'), 'log.csv');
    expect(log.shape.unmatched).toEqual([{ header: 'Sprint colour', column: 'E' }]);
  });

  test('reads rich text, hyperlinks, dates and formulas as a person sees them', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Hazard log');
    sheet.addRow([
      'Hazard ID',
      'Hazard name',
      'Description',
      'Clinical impact',
      'Severity',
      'Likelihood',
      'Risk',
      'Review date',
      'Evidence',
    ]);
    sheet.addRow([
      'H1',
      { richText: [{ text: 'Wrong ' }, { font: { bold: true }, text: 'dose' }] },
      'Text',
      'Harm',
      'Major',
      'Low',
      { formula: 'IF(TRUE,3,0)', result: 3 },
      new Date(Date.UTC(2026, 4, 3)),
      { text: 'TR-1', hyperlink: 'https://example.org' },
    ]);
    const log = await readLog(new Uint8Array(await workbook.xlsx.writeBuffer()), 'log.xlsx');
    expect(log.hazards[0]).toMatchObject({ name: 'Wrong dose', initial: { risk: 3 } });
    expect(log.cell(2, 'initial_risk')?.formula).toBe('IF(TRUE,3,0)');
    expect(log.text(2, 'review_date')).toBe('2026-05-03');
    expect(log.text(2, 'evidence')).toBe('TR-1');
  });

  test('counts hazards instead of rows in a long log, and fills merged ids down', async () => {
    const bytes = makePackage({
      sheets: [
        {
          name: 'Hazard Log',
          rows: [
            [
              'Num',
              'Hazard Name',
              'Possible Causes',
              'Initial Consequence',
              'Initial Likelihood',
              'Additional controls',
              'Control type',
            ],
            ['H01', 'No triage', '0101 Message fails', 'Major', 'Medium', 'Retry', 'Design'],
            [null, null, '0102 Attack', 'Major', 'Medium', 'Penetration test', 'Test'],
            ['H02', 'Wrong triage', '0201 Logic', 'Major', 'Low', 'Clinical test set', 'Test'],
            ['H02', 'Wrong triage', '0202 Input', 'Major', 'Low', 'Show inputs', 'Design'],
            ['H02 ', 'Wrong triage ', '0203 Stale rules', 'Major', 'Low', 'Version shown', 'Design'],
          ],
          after: '<mergeCells count="2"><mergeCell ref="A2:A3"/><mergeCell ref="B2:B3"/></mergeCells>',
        },
      ],
    });
    const { shape, hazards } = await readLog(bytes, 'log.xlsx');
    expect(shape).toMatchObject({ layout: 'long', rowCount: 5 });
    expect(hazards.map(({ id, causes, controls }) => [id, causes.length, controls.map(({ kind }) => kind)])).toEqual([
      ['H01', 2, ['design', 'test']],
      ['H02', 3, ['test', 'design', 'design']],
    ]);
  });

  test('stops before hidden dropdown lists far below, and before totals', async () => {
    const gap = Array.from({ length: 200 }, () => []);
    const below = [
      ['Total', null, '2 hazards'],
      ...gap,
      [null, null, null, null, null, null, 'Minor', 'Very low'],
      [null, null, null, null, null, null, 'Major', 'Low'],
    ];
    const log = await readLog(
      makeWideLog([{ id: 'A1' }, { id: 'A2', name: 'Another' }], { belowRows: below }),
      'log.xlsx',
    );
    expect(log.shape).toMatchObject({ rowCount: 2, lastDataRow: 3 });
  });

  test('expands shared formulas, so that every row has its own references', async () => {
    const sheet = '<c r="P2" s="2"><f t="shared" ref="P2:P3" si="0">G2&amp;"x"</f><v>1</v></c>';
    const plain = makeWideLog([
      { id: 'A1', residualRisk: { formula: 'SHARED', result: 1 } },
      { id: 'A2', name: 'B', residualRisk: { formula: 'SECOND', result: 1 } },
    ]);
    const { readZipDirectory, readPart, makeEntry, writeZip } = await import('../../../bot/engine/files/zipArchive.ts');
    const parts = readZipDirectory(plain);
    const xml = (readPart(parts, 'xl/worksheets/sheet1.xml') ?? '')
      .replace(/<c r="P2"[\s\S]*?<\/c>/, sheet)
      .replace('<f>SECOND</f>', '<f t="shared" si="0"/>');
    parts.set('xl/worksheets/sheet1.xml', makeEntry('xl/worksheets/sheet1.xml', xml));
    const log = await readLog(writeZip(parts.values()), 'log.xlsx');
    expect([log.cell(2, 'residual_risk')?.formula, log.cell(3, 'residual_risk')?.formula]).toEqual([
      'G2&"x"',
      'G3&"x"',
    ]);
  });
});

describe('the matrix in use', () => {
  test('is the NHS one, looked up and never multiplied', async () => {
    const { shape, hazards } = await readLog(
      text('Hazard ID,Hazard name,Clinical impact,Severity,Likelihood,Risk\nH1,A,B,Minor,Very high,3\n'),
      'log.csv',
    );
    expect(shape.matrix.source).toBe('nhs');
    expect(hazards[0]?.initial.expectedRisk).toBe(3);
  });

  test('is the log’s own if it has one', async () => {
    const own = { ...MATRIX_SHEET, rows: MATRIX_SHEET.rows.map((row) => row.map((cell) => (cell === 5 ? 9 : cell))) };
    const log = await readLog(
      makePackage({
        sheets: [
          {
            name: 'Hazard Log',
            rows: [WIDE_HEADERS, hazardRow({ severity: 'Catastrophic', likelihood: 'Very High' })],
          },
          own,
        ],
      }),
      'log.xlsx',
    );
    expect(log.shape.matrix).toMatchObject({ source: 'log', place: { sheet: 'Risk Matrix', cell: 'D2' } });
    expect(log.hazards[0]?.initial.expectedRisk).toBe(9);
  });

  test('never reads "Very low" as "Low", and ignores case, spaces and hyphens', async () => {
    const { hazards } = await readLog(
      text(
        'Hazard ID,Hazard name,Clinical impact,Severity,Likelihood,Risk\nH1,A,B,Major ,VERY  LOW,2\nH2,C,D,major,low,3\nH3,E,F,Major,very-low,2\nH4,G,H,4 - Major,Low,3\n',
      ),
      'log.csv',
    );
    expect(hazards.map(({ initial }) => initial.expectedRisk)).toEqual([2, 3, 2, 3]);
  });

  test.each([
    ['4 - Major', 'major'],
    ['4. Major', 'major'],
    ['(4) Major', 'major'],
    ['4) Major', 'major'],
    ['4: Major', 'major'],
    ['Major (4)', 'major'],
    ['Major 4', 'major'],
    ['Major4', 'major'],
    ['12 Very – high ', 'very high'],
    ['very_LOW', 'very low'],
    ['4', '4'],
    ['(4)', '(4)'],
    ['', ''],
  ])('has for “%s” the word “%s”', (text, word) => {
    expect(normaliseRatingWord(text)).toBe(word);
  });

  test('is a named numeric scale if the log multiplies numbers', async () => {
    const { shape, hazards } = await readLog(text('ID,Hazard,Cause,Effect,S,L,RPN\nHZ-1,A,B,C,4,2,8\n'), 'log.csv');
    expect(shape.matrix).toMatchObject({ source: 'numeric', name: expect.stringContaining('1–25') });
    expect(hazards[0]?.initial).toMatchObject({ risk: 8, expectedRisk: 8 });
  });

  test('does not exist if the words fit no matrix', async () => {
    const { shape, hazards } = await readLog(
      text('ID,Hazard,Cause,Effect,Severity,Likelihood\nHZ-1,A,B,C,Nasty,Now and then\n'),
      'log.csv',
    );
    expect(shape.matrix.source).toBe('none');
    expect(hazards[0]?.initial.expectedRisk).toBeNull();
  });
});

describe('the text of a node', () => {
  test.each([
    ['a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;', `a <b> & "c" 'd'`],
    ['&#65;&#x42;&#X43;&#x1F600;', 'ABC😀'],
    ['&amp;lt;', '&lt;'],
    ['&nothing; &constructor; &toString; & &;', '&nothing; &constructor; &toString; & &;'],
    ['&#x110000; &#1114112; &#12345678901; &#xZZ;', '&#x110000; &#1114112; &#12345678901; &#xZZ;'],
    ['a_x000D_\nb_x0009_c', 'a\nb\tc'],
    ['_x005F_x0041_ _x41_ _xZZZZ_', '_x0041_ _x41_ _xZZZZ_'],
  ])('of “%s” is “%s”', (written, text) => {
    expect(unescapeXml(written)).toBe(text);
  });

  test.each([`a < b > c & "d" 'e'`, '_x0041_', '&amp;', 'tab\tand\nline', '😀'])(
    '“%s” is unchanged after writing and reading',
    (text) => expect(unescapeXml(escapeXml(text))).toBe(text),
  );

  test('leaves out characters that XML does not allow', () => {
    expect(escapeXml('a\u0000b\u001Fc\uFFFEd\uD800e\uDC00f')).toBe('abcdef');
  });
});

describe('reading text files', () => {
  const csv =
    'Hazard ID,Hazard name,Possible causes,Clinical impact\n0101,Café “closed”,"one\ntwo",harm\n1e3,Other,"a ""b""",harm\n';
  const expected = [
    ['0101', 'Café “closed”', 'one\ntwo'],
    ['1e3', 'Other', 'a "b"'],
  ];
  const rows = async (bytes: Uint8Array) =>
    (await readLog(bytes, 'log.csv')).hazards.map(({ id, name, causes }) => [id, name, causes[0]?.text]);

  test.each([
    ['UTF-8 with a mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(csv)])],
    ['UTF-16 little-endian', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(csv, 'utf16le')])],
    ['UTF-16 big-endian', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(csv, 'utf16le').swap16()])],
    ['UTF-16 without a mark', Buffer.from(csv, 'utf16le')],
    ['Windows-1252', Buffer.from(csv.replace('“', '\x93').replace('”', '\x94'), 'latin1')],
  ])('reads %s and keeps text as text', async (_, bytes) => {
    expect(await rows(new Uint8Array(bytes))).toEqual(expected);
  });

  test.each<[what: string, csv: string, records: string[][]]>([
    ['quotes inside of a field', 'a,"say "no" twice",c', [['a', 'say "no" twice', 'c']]],
    ['a quote that ends inside', '"a"b","c"', [['a"b', 'c']]],
    ['quotes in a field without them', 'a "b" c,5" pipe', [['a "b" c', '5" pipe']]],
    ['doubled quotes', '"a ""b""",""', [['a "b"', '']]],
    ['spaces around a quoted field', ' "a, b" , c', [['a, b', ' c']]],
    ['a quote that is never closed', 'a,"b\nc', [['a', 'b\nc']]],
    [
      'lines inside of quotes',
      '"a\r\nb",c\r\nd,e\re,f',
      [
        ['a\r\nb', 'c'],
        ['d', 'e'],
        ['e', 'f'],
      ],
    ],
    ['rows of other lengths', 'a,b,c\nd\n,e', [['a', 'b', 'c'], ['d'], ['', 'e']]],
    [
      'a comma at the end',
      'a,\nb,',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
  ])('%s', (_what, given, records) => {
    expect(parseCsv(given, ',')).toEqual(records);
  });

  test.each([';', '\t', '|'])('accepts %j between the columns', async (delimiter) => {
    const other = csv
      .split('\n')
      .map((line) => line.replaceAll(',', delimiter))
      .join('\n');
    expect(await rows(text(other))).toEqual(expected);
  });

  test('reads a Markdown table', async () => {
    const { shape, hazards } = await readLog(
      text(
        '# Log\n\n| Hazard ID | Hazard name | Cause | Effect |\n|---|:--|---|---|\n| H1 | A \\| B | **c** | d<br>e |\n',
      ),
      'log.md',
    );
    expect(shape.format).toBe('markdown');
    expect(hazards[0]).toMatchObject({ id: 'H1', name: 'A | B', clinicalImpact: 'd\ne' });
  });

  test('reads a web page with the name of a spreadsheet', async () => {
    const { shape, hazards } = await readLog(
      text(
        '<html><body><table><tr><th>Hazard ID</th><th>Hazard name</th><th>Cause</th><th>Effect</th></tr><tr><td>H1</td><td>A &amp; B</td><td>c<br>d</td><td>e</td></tr></table></body></html>',
      ),
      'log.xls',
    );
    expect(shape.format).toBe('html');
    expect(hazards[0]).toMatchObject({ id: 'H1', name: 'A & B', causes: [{ text: 'c\nd' }] });
  });

  test('reads an old .xls workbook', async () => {
    const { utils, write } = await import('@e965/xlsx');
    const workbook = utils.book_new();
    utils.book_append_sheet(
      workbook,
      utils.aoa_to_sheet([
        ['Hazard ID', 'Hazard name', 'Cause', 'Effect', 'Severity', 'Likelihood', 'Risk'],
        ['H1', 'A', 'b', 'c', 'Major', 'Low', 2],
      ]),
      'Log',
    );
    const bytes: Uint8Array = new Uint8Array(write(workbook, { type: 'buffer', bookType: 'biff8' }));
    const { shape, hazards } = await readLog(bytes, 'log.xls');
    expect(shape.format).toBe('xls');
    expect(hazards[0]?.initial).toMatchObject({ risk: 2, expectedRisk: 3 });
  });
});

describe('an unusual log', () => {
  test('without data rows is an empty log and not an error', async () => {
    const { shape, hazards } = await readLog(makeWideLog([]), 'log.xlsx');
    expect(shape.layout).toBe('empty');
    expect(hazards).toEqual([]);
    expect(shape.remarks.join(' ')).toContain('no hazards yet');
  });

  test('without ratings is read with a remark', async () => {
    const { shape } = await readLog(text('Hazard ID,Hazard name,Cause,Effect\nH1,A,b,c\n'), 'log.csv');
    expect(shape.remarks.join(' ')).toContain('No ratings were read');
  });

  test('with macros and external links is read with remarks', async () => {
    const bytes = makeWideLog([{}], {
      parts: {
        'xl/vbaProject.bin': new Uint8Array([1, 2, 3]),
        'xl/externalLinks/externalLink1.xml': '<externalLink/>',
      },
    });
    const { shape } = await readLog(bytes, 'log.xlsm');
    expect(shape.format).toBe('xlsm');
    expect(shape.remarks.join(' ')).toMatch(/macros.*links to another workbook/);
  });

  test('with several log sheets uses the fullest and names the others', async () => {
    const bytes = makePackage({
      sheets: [
        { name: 'Hazard log', rows: [WIDE_HEADERS, hazardRow()] },
        { name: 'Old', rows: [WIDE_HEADERS, hazardRow()] },
      ],
    });
    const { shape } = await readLog(bytes, 'log.xlsx');
    expect(shape.sheet).toBe('Hazard log');
    expect(shape.remarks.join(' ')).toContain('“Old”');
  });
});
