import { describe, expect, test } from '@jest/globals';
import { cellAddress } from '../../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import { inspect } from '../../../bot/agents/clinical_safety/worker/inspect.ts';
import { FileError } from '../../../bot/engine/files/fileError.ts';
import { makeEntry, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';
import { makeWideLog } from '../../factories/hazardLog.ts';

const text = (content: string) => new Uint8Array(Buffer.from(content));

/** Maximum processor time of a refusal. Instrumented sources also count what they reach. */
const MAX_MS = 2000 * Number(process.env.SOURCES_SLOWER ?? 1);

async function refused(bytes: Uint8Array, fileName: string): Promise<FileError> {
  // Processor time, so that a busy machine does not fail a fast refusal.
  const start = process.cpuUsage();
  const error = await inspect(bytes, fileName).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(MAX_MS);
  if (!(error instanceof FileError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

const withEntry = (bytes: Uint8Array, name: string, content: string | Uint8Array) => {
  const parts = readZipDirectory(bytes);
  parts.set(name, makeEntry(name, content));
  return writeZip(parts.values());
};

const compound = (marker: string) =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(2000),
      Buffer.from(marker, 'utf16le'),
      Buffer.alloc(500),
    ]),
  );

describe('an unreadable file is refused within two seconds, with a sentence that says what to do', () => {
  test.each([
    ['an empty file', new Uint8Array(0), 'log.xlsx', 'empty_log'],
    ['a file of spaces', text(' \n \n'), 'log.csv', 'empty_log'],
    [
      'a program renamed to .xlsx',
      new Uint8Array(Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5000)])),
      'log.xlsx',
      'not_a_spreadsheet',
    ],
    ['a PDF', text('%PDF-1.7 …'), 'log.xlsx', 'not_a_spreadsheet'],
    [
      'bytes of no kind',
      new Uint8Array(Array.from({ length: 4000 }, (_, at) => (at * 97) % 256)),
      'log.csv',
      'not_a_spreadsheet',
    ],
    ['an encrypted workbook', compound('EncryptedPackage'), 'log.xlsx', 'encrypted_workbook'],
    ['an old Word document', compound('WordDocument'), 'log.xls', 'not_a_spreadsheet'],
    ['a CSV of one column', text('hazard\none\ntwo\nthree\n'), 'log.csv', 'one_column_csv'],
    [
      'a table of something else',
      text('Fruit,Colour,Price\nApple,red,3\nPear,green,4\n'),
      'fruit.csv',
      'neither_log_nor_tickets',
    ],
    ['a cut-off workbook', makeWideLog([{}]).slice(0, 900), 'log.xlsx', 'damaged_workbook'],
  ] as const)('%s', async (_, bytes, fileName, code) => {
    const error = await refused(bytes, fileName);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/[.!]$/);
    expect(error.message.length).toBeGreaterThan(30);
  });

  test('a workbook without any words', async () => {
    const parts = readZipDirectory(makeWideLog([]));
    const empty =
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>';
    for (const name of ['xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml'])
      parts.set(name, makeEntry(name, empty));
    expect((await refused(writeZip(parts.values()), 'log.xlsx')).code).toBe('empty_log');
  });

  test('a Word document without a word', async () => {
    const bytes = writeZip([
      makeEntry('[Content_Types].xml', '<Types/>'),
      makeEntry('word/document.xml', '<document/>'),
    ]);
    expect(await refused(bytes, 'log.docx')).toMatchObject({
      code: 'empty_log',
    });
  });

  test('a zip bomb, by its directory and before anything is unpacked', async () => {
    const bytes = withEntry(makeWideLog([{}]), 'xl/media/image1.bin', new Uint8Array(60 * 1024 * 1024));
    expect((await refused(bytes, 'log.xlsx')).code).toBe('zip_bomb');
  });

  test('a zip bomb with a false directory', async () => {
    const parts = readZipDirectory(makeWideLog([{}]));
    const sheet = makeEntry('xl/worksheets/sheet1.xml', new Uint8Array(40 * 1024 * 1024));
    parts.set(sheet.name, { ...sheet, size: 5000 });
    expect((await refused(writeZip(parts.values()), 'log.xlsx')).code).toBe('zip_bomb');
  });

  test('an archive with too many parts, or with one that names a path outside', async () => {
    const many = writeZip(Array.from({ length: 2001 }, (_, at) => makeEntry(`xl/p${at}.xml`, '')));
    expect((await refused(many, 'log.xlsx')).code).toBe('zip_bomb');
    expect((await refused(withEntry(makeWideLog([{}]), '../../etc/passwd', 'x'), 'log.xlsx')).code).toBe('zip_bomb');
  });

  test('a text file of more than two million cells', async () => {
    const bytes = new Uint8Array(9_000_000).fill(0x61).map((byte, at) => (at % 3 === 1 ? 0x2c : byte));
    expect((await refused(bytes, 'log.csv')).code).toBe('too_many_cells');
  });

  test('more than two million cells', async () => {
    // Written into one buffer, so that the refusal is timed and not the collection of two million strings.
    const sheet = Buffer.alloc(60_000_000, ' ');
    const cells = Array.from({ length: 50 }, (_, at) => `<c r="${cellAddress(1, at + 1).slice(0, -1)}#"><v>3</v></c>`);
    const template = `<row r="#">${cells.join('')}</row>`;
    let at = sheet.write('<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>');
    for (let row = 1; row <= 40_200; row += 1) at += sheet.write(template.replaceAll('#', String(row)), at, 'latin1');
    sheet.write('</sheetData></worksheet>', at, 'latin1');
    expect((await refused(withEntry(makeWideLog([{}]), 'xl/worksheets/sheet1.xml', sheet), 'log.xlsx')).code).toBe(
      'too_many_cells',
    );
  }, 120_000);
});

describe('the kind of a file', () => {
  test('a hazard log with its data rows', async () => {
    expect(await inspect(makeWideLog([{ id: 'A1' }, { id: 'A2', name: 'B' }]), 'log.xlsx')).toMatchObject({
      kind: 'hazard-log',
      rowCount: 2,
    });
  });

  test.each([
    ['Jira', 'Issue key,Issue Type,Summary,Description\nEPS-1,Bug,Wrong dose shown,Text\nEPS-2,Task,Other,\n'],
    [
      'Linear',
      'ID,Team,Title,Description,Status,Priority\nENG-1,Core,Wrong dose shown,Text,Todo,High\nENG-2,Core,Other,,Done,Low\n',
    ],
    ['a tracker with impact and cause', 'Key,Summary,Description,Root cause,Impact\nEPS-1,A,B,C,D\nEPS-2,A2,B,C,D\n'],
  ])('tickets as %s exports them', async (_, csv) => {
    expect(await inspect(text(csv), 'tickets.csv')).toMatchObject({ kind: 'tickets', rowCount: 2 });
  });
});
