import { utils, write } from '@e965/xlsx';
import { cellAddress } from '../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import { makeEntry, readZipDirectory, writeZip } from '../../bot/engine/files/zipArchive.ts';
import { makePackage, makeWideLog, WIDE_HEADERS } from './hazardLog.ts';

/** A malicious file: its effect, its name, and how its bytes are made. */
export type HostileFile = { what: string; fileName: string; make: () => Uint8Array };

const MEGABYTE = 1024 * 1024;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const filled = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length));

const withParts = (parts: Record<string, string | Uint8Array>, from = makeWideLog([{ id: 'HAZ-01' }])) => {
  const all = readZipDirectory(from);
  for (const [name, content] of Object.entries(parts)) all.set(name, makeEntry(name, content));
  return writeZip(all.values());
};
const SHEET = 'xl/worksheets/sheet1.xml';
const sheet = (data: string, after = '') =>
  `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData>${after}</worksheet>`;
const strings = (items: string) => `<sst xmlns="${MAIN}">${items}</sst>`;
const styles = (inner: string) => `<styleSheet xmlns="${MAIN}">${inner}</styleSheet>`;
const text = (value: string, address: string) => `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
const headings = `<row r="1">${WIDE_HEADERS.map((header, at) => text(header, cellAddress(1, at + 1))).join('')}</row>`;
const hazardRow = (row: number, fill: (column: number) => string) =>
  `<row r="${row}">${WIDE_HEADERS.map((_, at) => text(fill(at), cellAddress(row, at + 1))).join('')}</row>`;

const xlsx = (what: string, make: () => Uint8Array): HostileFile => ({ what, fileName: 'log.xlsx', make });
const withSheet = (what: string, make: () => string) => xlsx(what, () => withParts({ [SHEET]: make() }));
const textFile = (extension: string) => (what: string, make: () => string) => ({
  what,
  fileName: `log.${extension}`,
  make: () => bytes(make()),
});
const csv = textFile('csv');
const html = textFile('xls');
const markdown = textFile('md');

const LOG_HEAD = `${WIDE_HEADERS.join(',')}\n`;
const compound = (...markers: string[]) =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(2000, 1),
      ...markers.map((marker) => Buffer.from(marker, 'utf16le')),
      Buffer.alloc(600_000, 0xff),
    ]),
  );

/** A BIFF workbook with this many cells, a hundred per row. */
function legacy(count: number, value: (at: number) => string | number): Uint8Array {
  const rows = Array.from({ length: Math.ceil(count / 100) }, (_, row) =>
    Array.from({ length: 100 }, (_unused, column) => value(row * 100 + column)),
  );
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), 'Log');
  return new Uint8Array(write(workbook, { type: 'array', bookType: 'biff8' }));
}
const SPREADSHEET = 'urn:schemas-microsoft-com:office:spreadsheet';
const xmlRow = (cell: string, count: number, attributes = '') =>
  `<Row${attributes}>${`${cell}<Data ss:Type="String">a</Data></Cell>`.repeat(count)}</Row>`;
const xmlWorkbook = (rows: string) =>
  `<?xml version="1.0"?><Workbook xmlns="${SPREADSHEET}" xmlns:ss="${SPREADSHEET}"><Worksheet ss:Name="A"><Table>${rows}</Table></Worksheet></Workbook>`;

/** A zip whose central directory is manipulated. */
function patched(change: (view: DataView, end: number) => void): Uint8Array {
  const whole = new Uint8Array(makeWideLog([{ id: 'HAZ-01' }]));
  change(new DataView(whole.buffer), whole.length - 22);
  return whole;
}

/** `count` cells of one row, each with the same content. */
const manyCells = (row: number, count: number, inside: string) =>
  `<row r="${row}">${filled(`<c>${inside}</c>`, count * (inside.length + 7))}</row>`;

/** Files that are built to crash, slow down or deceive their reader. */
export const HOSTILE_FILES: HostileFile[] = [
  // Archives
  xlsx('a zip bomb that its directory declares', () =>
    withParts({ 'xl/media/image1.bin': new Uint8Array(60 * MEGABYTE) }),
  ),
  xlsx('a zip bomb whose directory lies', () => {
    const parts = readZipDirectory(makeWideLog([{}]));
    const entry = makeEntry(SHEET, new Uint8Array(40 * MEGABYTE));
    parts.set(SHEET, { ...entry, size: 5000 });
    return writeZip(parts.values());
  }),
  xlsx('2,001 parts', () => writeZip(Array.from({ length: 2001 }, (_, at) => makeEntry(`xl/p${at}.xml`, '')))),
  xlsx('a part outside of the archive', () => withParts({ '../../etc/passwd': 'x' })),
  xlsx('a part with an absolute name', () => withParts({ '/etc/passwd': 'x' })),
  xlsx('a part with a NUL in its name', () => withParts({ 'xl/worksheets/\0.xml': 'x' })),
  xlsx('a truncated zip', () => makeWideLog([{}]).slice(0, 900)),
  xlsx('a zip without its last bytes', () => makeWideLog([{}]).slice(0, -10)),
  xlsx('a directory that begins behind the file', () =>
    patched((view, end) => view.setUint32(end + 16, 2 ** 31, true)),
  ),
  xlsx('a directory of 65,535 entries that are not there', () =>
    patched((view, end) => view.setUint16(end + 10, 65_535, true)),
  ),
  xlsx('an encrypted workbook', () => compound('EncryptedPackage')),
  xlsx('a workbook whose sheet is missing', () => {
    const parts = readZipDirectory(makeWideLog([{}]));
    parts.delete(SHEET);
    return writeZip(parts.values());
  }),
  xlsx('one sheet named 200,000 times', () =>
    withParts({
      'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="r"><sheets>${filled('<sheet name="A" sheetId="1" r:id="rId1"/>', 9 * MEGABYTE)}</sheets></workbook>`,
    }),
  ),
  xlsx('relations that point at each other', () =>
    withParts({
      'xl/_rels/workbook.xml.rels': `<Relationships>${filled('<Relationship Id="rId1" Type="x/worksheet" Target="../../../../xl/workbook.xml"/>', MEGABYTE)}</Relationships>`,
    }),
  ),

  // XML
  withSheet('XML 300,000 levels deep', () => sheet(filled('<row>', 1.5 * MEGABYTE) + filled('</row>', 1.5 * MEGABYTE))),
  xlsx('billion laughs', () =>
    withParts({
      'xl/sharedStrings.xml': `<!DOCTYPE sst [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>${strings(`<si><t>${filled('&c;', MEGABYTE)}</t></si>`)}`,
    }),
  ),
  xlsx('an external entity', () =>
    withParts({
      [SHEET]: `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${sheet(headings + hazardRow(2, () => '&e;'))}`,
    }),
  ),
  withSheet('a million tags that are never closed', () => `${sheet(headings)}${filled('<mergeCell ', 11 * MEGABYTE)}`),
  withSheet(
    'cells that are never closed',
    () => `<worksheet><sheetData><row r="1">${filled('<c t="s"><v>1', 8 * MEGABYTE)}`,
  ),
  xlsx('styles that are never closed', () =>
    withParts({ 'xl/styles.xml': filled('<numFmt formatCode="d', 8 * MEGABYTE) }),
  ),
  xlsx('cell formats that are never closed', () =>
    withParts({ 'xl/styles.xml': styles(`<cellXfs>${filled('<xf ', 8 * MEGABYTE)}</cellXfs>`) }),
  ),
  xlsx('number formats of brackets', () =>
    withParts({
      'xl/styles.xml': styles(
        `<numFmts>${filled(`<numFmt numFmtId="164" formatCode="${'['.repeat(50_000)}"/>`, 4 * MEGABYTE)}</numFmts>`,
      ),
    }),
  ),
  xlsx('half a million number formats', () =>
    withParts({ 'xl/styles.xml': styles(filled('<numFmt numFmtId="164" formatCode="[h]:mm"/>', 20 * MEGABYTE)) }),
  ),
  xlsx('phonetic runs that are never closed', () =>
    withParts({ 'xl/sharedStrings.xml': strings(`<si>${filled('<rPh sb="0">', 8 * MEGABYTE)}<t>x</t></si>`) }),
  ),
  xlsx('a string of 700,000 rich-text runs', () =>
    withParts({ 'xl/sharedStrings.xml': strings(`<si>${filled('<r><t>ab</t></r>', 11 * MEGABYTE)}</si>`) }),
  ),
  xlsx('three million shared strings', () =>
    withParts({ 'xl/sharedStrings.xml': strings(filled('<si/>', 15 * MEGABYTE)) }),
  ),
  xlsx('one string of 20 MB in 10,000 cells', () =>
    withParts({
      'xl/sharedStrings.xml': strings(`<si><t>${filled('wrong dose ', 20 * MEGABYTE)}</t></si>`),
      [SHEET]: sheet(headings + manyCells(2, 10_000, '<v>0</v>').replaceAll('<c>', '<c t="s">')),
    }),
  ),
  xlsx('one string of 150 kB in 10,000 cells', () =>
    withParts({
      'xl/sharedStrings.xml': strings(`<si><t>${filled('wrong dose ', 150_000)}</t></si>`),
      [SHEET]: sheet(headings + manyCells(2, 10_000, '<v>0</v>').replaceAll('<c>', '<c t="s">')),
    }),
  ),
  withSheet(
    'an attribute of 10 MB',
    () => `<worksheet><sheetData><row r="1"><c r="${filled('A', 10 * MEGABYTE)}"/></row>`,
  ),
  withSheet('lone surrogates and characters that XML forbids', () =>
    sheet(headings + hazardRow(2, () => '&#xD800;&#x0;_xD800_&#x110000;')),
  ),

  // Sheets
  withSheet('a wrong dimension', () =>
    sheet(headings).replace('<sheetData>', '<dimension ref="A1:XFD1048576"/><sheetData>'),
  ),
  withSheet('1.6 million cells in 100 rows', () =>
    sheet(Array.from({ length: 100 }, (_, at) => manyCells(at + 1, 16_000, '<v>7</v>')).join('')),
  ),
  withSheet('16,384 different headings', () =>
    sheet(
      Array.from(
        { length: 8 },
        (_, row) =>
          `<row r="${row + 1}">${Array.from({ length: 16_384 }, (_unused, at) => text(`Hazad ${row}x${at}`, cellAddress(row + 1, at + 1))).join('')}</row>`,
      ).join(''),
    ),
  ),
  withSheet('a row beyond the last one', () =>
    sheet(`${headings}<row r="4294967295"><c r="A4294967295"><v>1</v></c></row>`),
  ),
  xlsx('300 sheets with a cell in the last row', () =>
    makePackage({
      sheets: Array.from({ length: 300 }, (_, at) => ({ name: `S${at}`, rows: [['x']] })),
      parts: Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [
          `xl/worksheets/sheet${at + 1}.xml`,
          sheet('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
        ]),
      ),
    }),
  ),
  withSheet('a million rows without a cell', () => sheet(`${headings}${filled('<row/>', 6 * MEGABYTE)}`)),
  withSheet('two million merged ranges', () =>
    sheet(headings, `<mergeCells>${filled('<mergeCell ref="A1:B1"/>', 48 * MEGABYTE)}</mergeCells>`),
  ),
  withSheet('merged ranges over the whole sheet', () =>
    sheet(
      headings + hazardRow(2, () => 'x'),
      `<mergeCells>${filled('<mergeCell ref="A2:XFD1048576"/>', MEGABYTE)}</mergeCells>`,
    ),
  ),
  withSheet('cyclic references', () =>
    sheet(
      `${headings}<row r="2"><c r="A2" t="str"><f>B2</f><v>1</v></c><c r="B2" t="str"><f>A2</f><v>1</v></c><c r="C2"><f t="shared" si="0"/><v>1</v></c></row>`,
    ),
  ),
  withSheet('formulas of 8 kB, nested, in 5,000 cells', () =>
    sheet(
      `${headings}<row r="2">${filled(`<c><f>${'IF('.repeat(2000)}A1${')'.repeat(2000)}</f><v>1</v></c>`, 40 * MEGABYTE)}</row>`,
    ),
  ),
  withSheet('a shared formula of 100 kB in 100,000 cells', () =>
    sheet(
      `${headings}<row r="2"><c r="A2"><f t="shared" si="0" ref="A2:A9">${filled('A1+', 100_000)}A1</f><v>1</v></c>${filled('<c><f t="shared" si="0"/><v>1</v></c>', 3 * MEGABYTE)}</row>`,
    ),
  ),
  withSheet('formulas of one word, and of quotation marks', () =>
    sheet(
      `${headings}<row r="2"><c r="A2"><f t="shared" si="0" ref="A2:A9">${'a'.repeat(90_000)}</f><v>1</v></c><c r="B2"><f t="shared" si="0"/><v>1</v></c><c r="C2"><f t="shared" si="1" ref="C2:C9">${"'".repeat(90_000)}</f><v>1</v></c><c r="D2"><f t="shared" si="1"/><v>1</v></c></row>`,
    ),
  ),
  withSheet('half a million data validations', () =>
    sheet(
      headings,
      `<dataValidations>${filled('<dataValidation sqref="A1:A9"><formula1>"a"</formula1></dataValidation>', 30 * MEGABYTE)}</dataValidations>`,
    ),
  ),
  withSheet('conditional formats that are never closed', () =>
    sheet(headings + hazardRow(2, () => 'x'), filled('<conditionalFormatting sqref="A1', 8 * MEGABYTE)),
  ),
  withSheet('ratings of digits', () => sheet(headings + hazardRow(2, () => `${'1'.repeat(100_000)}a`))),
  withSheet('ids of digits, of brackets and of patterns', () =>
    sheet(
      headings +
        ['(1+)+', '1)', `${'9'.repeat(90_000)}x`, '('.repeat(90_000)]
          .map((id, at) => hazardRow(at + 2, (column) => (column === 0 ? id : 'Wrong dose')))
          .join(''),
    ),
  ),
  withSheet('ratings of spaces', () => sheet(headings + hazardRow(2, () => `1${' '.repeat(90_000)}x`))),

  // Text
  csv('quotes that close nothing', () => `${LOG_HEAD}${filled('"a" ', 9 * MEGABYTE)}`),
  csv('quotes and nothing else', () => `${LOG_HEAD}${filled('"', 9 * MEGABYTE)}`),
  csv('a quote that is never closed', () => `${LOG_HEAD}"${filled('a,b\n', 9 * MEGABYTE)}`),
  csv('five million fields', () => filled('a,', 9 * MEGABYTE)),
  csv('a line end after every character', () => `a,b${filled('\n', 9 * MEGABYTE)}`),
  csv('lone surrogates and NUL', () => `${LOG_HEAD}\uD800,\uDFFF,\u0001,x,y,z\n`),
  {
    what: 'half a character of UTF-16',
    fileName: 'log.csv',
    make: () => new Uint8Array([0xff, 0xfe, ...Buffer.from(LOG_HEAD, 'utf16le'), 0x41]),
  },
  {
    what: 'UTF-16 of surrogates alone',
    fileName: 'log.csv',
    make: () => new Uint8Array([0xff, 0xfe, ...Buffer.alloc(90_000, 0xd8)]),
  },
  markdown('a table of pipes', () => `|a|b|\n|--|--|\n${filled('|', 9 * MEGABYTE)}`),
  markdown('lines of spaces', () => `a|b\n${filled(`${' '.repeat(100_000)}\n`, 5 * MEGABYTE)}`),
  markdown('a link that is never closed', () => `|a|b|\n|--|--|\n|${'['.repeat(150_000)}|${'[a]('.repeat(40_000)}|`),
  markdown('a million tables', () => filled('|a|b|\n|--|--|\n', 9 * MEGABYTE)),
  html(
    'spans of spans',
    () =>
      `<table><tr><th>Hazard</th></tr>${filled('<tr><td rowspan=100 colspan=100>x</td></tr>', 5 * MEGABYTE)}</table>`,
  ),
  html('spans that are never closed', () => `<table><tr><td>${filled('<span ', 150_000)}</td></tr></table>`),
  html('a million nested tables', () => filled('<table><tr><td>', 9 * MEGABYTE)),
  html('a rowspan of a billion', () => `<table><tr><td rowspan=1000000000 colspan=1000000000>Hazard</td></tr></table>`),
  html('rows and cells that are never closed', () => `<table>${filled('<tr><td>', 9 * MEGABYTE)}`),
  html('tags of angle brackets', () => `<table><tr><td>${'<'.repeat(190_000)}</td></tr></table>`),
  html(
    'entities of digits',
    () => `<table><tr><td>${filled('&#99999999999;&#xFFFFFFFFFF;&a', 190_000)}</td></tr></table>`,
  ),

  // Attacks on the libraries that read files
  { what: 'a broken BIFF workbook', fileName: 'log.xls', make: () => compound('Workbook') },
  { what: 'a workbook that is half a header', fileName: 'log.xls', make: () => compound('Book').slice(0, 2100) },
  { what: 'an old Word document', fileName: 'log.xls', make: () => compound('WordDocument') },
  html(
    'an XML spreadsheet with entities of entities',
    () =>
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'h'.repeat(1000)}">]><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table><Row><Cell><Data>${filled('&a;', 500_000)}</Data></Cell></Row></Table></Worksheet></Workbook>`,
  ),
  html(
    'an XML spreadsheet of cells that are never closed',
    () =>
      `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table>${filled('<Row><Cell><Data>', MEGABYTE)}`,
  ),
  { what: 'an .xls of 40,000 numbers', fileName: 'log.xls', make: () => legacy(40_000, (at) => at + 0.5) },
  { what: 'an .xls of 20,000 different texts', fileName: 'log.xls', make: () => legacy(20_000, (at) => `word ${at}`) },
  {
    what: 'an .xls of 10 MB',
    fileName: 'log.xls',
    make: () => new Uint8Array(Buffer.concat([legacy(1000, (at) => at + 0.5), Buffer.alloc(9 * MEGABYTE)])),
  },
  html('an XML spreadsheet of 1 MB of cells', () => xmlWorkbook(filled(xmlRow('<Cell>', 100), 0.9 * MEGABYTE))),
  html('an XML spreadsheet of 10 MB of cells', () => xmlWorkbook(filled(xmlRow('<Cell>', 100), 9 * MEGABYTE))),
  html('an XML spreadsheet of merged cells beyond every edge', () =>
    xmlWorkbook(
      filled(
        xmlRow('<Cell ss:Index="16000" ss:MergeAcross="900" ss:MergeDown="900000">', 1, ' ss:Index="1000000"'),
        MEGABYTE - 1000,
      ),
    ),
  ),
  {
    what: 'a name of 100,000 characters',
    fileName: `${'v'.repeat(50_000)}${'_'.repeat(50_000)}.csv`,
    make: () => bytes(`${LOG_HEAD}1,2,3,4,5\n`),
  },
];
