import { utils, write } from '@e965/xlsx';
import { describe, expect, test } from '@jest/globals';
import { openFile } from '../../../../bot/agents/clinical_safety/reading/openFile.ts';
import { FileError } from '../../../../bot/engine/files/fileError.ts';
import { makeEntry, readZipDirectory, writeZip } from '../../../../bot/engine/files/zipArchive.ts';
import { makePackage, type PackageSpec } from '../../../factories/hazardLog.ts';

const text = (content: string) => new Uint8Array(Buffer.from(content));
const refusal = async (bytes: Uint8Array, fileName = 'log.xlsx') => {
  try {
    await openFile(bytes, fileName);
    return null;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error;
  }
};
const SAVE = 'Save the hazard log as an Excel workbook (.xlsx) or CSV and try again.';
/** The names of the streams in an old container say what kind of file it is. */
const compound = (...streams: string[]) =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      ...streams.map((stream) => Buffer.from(stream, 'utf16le')),
    ]),
  );
const workbook = (spec: Partial<PackageSpec> = {}) =>
  makePackage({
    sheets: [
      { name: 'Log', rows: [['a', 1.5]] },
      { name: 'Other', rows: [['b']], hidden: true },
    ],
    ...spec,
  });

describe('a file that is not a spreadsheet', () => {
  const program = 'program, whatever its name says. It was not opened.';
  test.each([
    ['a Windows program', [0x4d, 0x5a], `This is a Windows ${program} ${SAVE}`],
    ['a Linux program', [0x7f, 0x45, 0x4c, 0x46], `This is a ${program} ${SAVE}`],
    ['a PDF', [0x25, 0x50, 0x44, 0x46], `This is a PDF. ${SAVE}`],
    ['a PNG', [0x89, 0x50, 0x4e, 0x47], `This is a picture. ${SAVE}`],
    ['a JPEG', [0xff, 0xd8, 0xff], `This is a picture. ${SAVE}`],
    ['a GIF', [0x47, 0x49, 0x46, 0x38], `This is a picture. ${SAVE}`],
    ['a gzip archive', [0x1f, 0x8b], `This is a compressed archive. Unpack it first. ${SAVE}`],
    ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf], `This is a compressed archive. Unpack it first. ${SAVE}`],
    ['a RAR archive', [0x52, 0x61, 0x72, 0x21], `This is a compressed archive. Unpack it first. ${SAVE}`],
  ])('is recognised by its first bytes: %s', async (_what, starts, message) => {
    const table = Buffer.from('a,b\nc,d\n');
    expect(await refusal(new Uint8Array([...starts, ...table]))).toMatchObject({ code: 'not_a_spreadsheet', message });
    // With one different byte it is another file.
    for (let at = 0; at < starts.length; at += 1) {
      const other = starts.map((byte, place) => (place === at ? byte ^ 1 : byte));
      expect((await refusal(new Uint8Array([...other, ...table])))?.message ?? '').not.toBe(message);
    }
  });

  test.each([
    ['of a Word document', ['WordDocument'], 'not_a_spreadsheet', `This is a Word document. ${SAVE}`],
    ['of anything else', ['Drawing'], 'not_a_spreadsheet', `This is not a spreadsheet. ${SAVE}`],
    ['of an encrypted package', ['EncryptedPackage'], 'encrypted_workbook', 'This workbook is protected by a password'],
    ['of a Word document with a workbook in it', ['WordDocument', 'Workbook'], 'not_a_spreadsheet', 'This is a Word'],
    ['of a workbook that can’t be read', ['Workbook'], 'damaged_workbook', 'This .xls workbook can’t be read.'],
    ['of an older one that can’t be read', ['Book'], 'damaged_workbook', 'This .xls workbook can’t be read.'],
  ])('or by the streams %s', async (_what, streams, code, message) => {
    expect(await refusal(compound(...streams))).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('or because it is not text', async () => {
    expect(await refusal(new Uint8Array([1, 2, 3, 4, 0, 65, 66]))).toMatchObject({
      code: 'not_a_spreadsheet',
      message: `This is neither a spreadsheet nor text, whatever its name says. It was not opened. ${SAVE}`,
    });
  });
});

describe('a file without any words', () => {
  const empty = 'This file is empty. Check that it was saved, and try again.';
  const nothing =
    'This file holds no text at all: every sheet is empty. Check that it is the right file, and try again.';
  test.each([
    ['no bytes', new Uint8Array(), empty],
    ['spaces', text(' \n\t '), empty],
    ['a blank web page', text('<table><tr><td> </td></tr></table>'), nothing],
    ['a web page without a word', text('<html><head><title>Log</title></head><body><br></body></html>'), nothing],
    ['a workbook of blank cells', workbook({ sheets: [{ name: 'A', rows: [[' ', null], []] }] }), nothing],
    ['a workbook without sheets', workbook({ sheets: [] }), nothing],
  ])('%s', async (_what, bytes, message) => {
    expect(await refusal(bytes)).toMatchObject({ code: 'empty_log', message });
  });

  test('is not one with a word in one of several sheets', async () => {
    const opened = await openFile(
      workbook({
        sheets: [
          { name: 'A', rows: [] },
          { name: 'B', rows: [[], [null, 'x']] },
        ],
      }),
      'x',
    );
    expect(opened.grids.map(({ name }) => name)).toEqual(['A', 'B']);
  });
});

describe('a workbook', () => {
  test('is opened with its sheets in order, hidden ones too', async () => {
    const { format, grids, remarks } = await openFile(workbook(), 'anything.txt');
    expect([format, remarks]).toEqual(['xlsx', []]);
    expect(grids.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['Log', false],
      ['Other', true],
    ]);
    expect(grids[0]?.rows[1]).toEqual([
      undefined,
      { text: 'a', number: null, formula: null },
      { text: '1.5', number: 1.5, formula: null },
    ]);
  });

  test('says that it contains macros, and that it links to others', async () => {
    const macros = 'This workbook holds macros. They were not run, and a merge keeps them as they are.';
    const links = (what: string) => `This workbook links to ${what}. The links were not followed.`;
    const opened = async (...names: string[]) => {
      const parts = Object.fromEntries(names.map((name) => [`xl/${name}`, '<x/>']));
      const { format, remarks } = await openFile(workbook({ parts }), 'log.xlsx');
      return [format, ...remarks];
    };
    const link = (at: number) => `externalLinks/externalLink${at}.xml`;
    expect(await opened('vbaProject.bin')).toEqual(['xlsm', macros]);
    expect(await opened(link(1))).toEqual(['xlsx', links('another workbook')]);
    expect(await opened(link(1), link(2), link(3))).toEqual(['xlsx', links('3 other workbooks')]);
    expect(await opened(link(1), 'vbaProject.bin')).toEqual(['xlsm', macros, links('another workbook')]);
    expect(await opened('externalLinks/_rels/externalLink1.xml.rels', 'vbaProject.bin.txt')).toEqual(['xlsx']);
  });

  test('may have two million cells in all its sheets together, blank ones included', async () => {
    const withCells = (...counts: number[]) => {
      const parts = readZipDirectory(workbook());
      for (const [at, count] of counts.entries()) {
        const name = `xl/worksheets/sheet${at + 1}.xml`;
        const sheet = Buffer.from(
          `<worksheet><sheetData><row>${'<c ></c>'.repeat(count)}<col/><c/><v></v></row></sheetData></worksheet>`,
        );
        // Stored uncompressed, because data that deflates so well is refused before it is read.
        parts.set(name, { ...makeEntry(name, ''), method: 0, compressed: sheet, size: sheet.length });
      }
      return writeZip(parts.values());
    };
    expect(await refusal(withCells(1_000_000, 1_000_000))).toMatchObject({ code: 'empty_log' });
    expect(await refusal(withCells(1_000_000, 1_000_001))).toMatchObject({
      code: 'too_many_cells',
      message:
        'This workbook has more than 2,000,000 cells, more than one analysis reads. Save the hazard log sheet on its own and try again.',
    });
  });
});

describe('an old workbook', () => {
  const sheet = () => utils.aoa_to_sheet([['Hazard ID', 'Name']]);
  test.each(['biff8', 'biff5'] as const)('of %s is read with a remark', async (bookType) => {
    const bytes = write({ SheetNames: ['A'], Sheets: { A: sheet() } }, { type: 'array', bookType });
    expect(await openFile(new Uint8Array(bytes), 'log.xlsx')).toMatchObject({
      format: 'xls',
      grids: [{ name: 'A', rows: [undefined, [undefined, { text: 'Hazard ID' }, { text: 'Name' }]] }],
      remarks: ['This is an old .xls workbook: a merge writes a new .xlsx beside it.'],
    });
  });

  test('of XML is read with a remark', async () => {
    const bytes = write({ SheetNames: ['A'], Sheets: { A: sheet() } }, { type: 'array', bookType: 'xlml' });
    expect(await openFile(new Uint8Array(bytes), 'log.xls')).toMatchObject({
      format: 'xls',
      grids: [{ name: 'A', rows: [undefined, [undefined, { text: 'Hazard ID' }, { text: 'Name' }]] }],
      remarks: ['This is an XML spreadsheet: a merge writes a new .xlsx beside it.'],
    });
  });
});

describe('a text file', () => {
  const TABLE = '<table><tr><td>a</td></tr></table>';
  test.each([
    `<!DOCTYPE html>${TABLE}`,
    `<html>${TABLE}`,
    ` \n<HTML>${TABLE}`,
    `<?xml version="1.0"?>\n<html>${TABLE}`,
    TABLE,
    `<meta charset="utf-8">${TABLE}`,
    `<style></style>${TABLE}`,
    `<head></head>${TABLE}`,
  ])('that starts as a web page is one: %s', async (html) => {
    expect(await openFile(text(html), 'log.xls')).toMatchObject({
      format: 'html',
      grids: [{ name: 'log.xls', hidden: false, merges: [], rows: [undefined, [undefined, { text: 'a' }]] }],
      remarks: ['This is a web page under a spreadsheet’s name: a merge writes a new .xlsx beside it.'],
    });
  });

  test('that mentions a web page later is not one', async () => {
    expect(await openFile(text(`a,b\n${TABLE},c`), 'log.csv')).toMatchObject({ format: 'csv' });
    expect((await openFile(text(`<?xml version="1.0"?><a>,b\n<html>${TABLE},c`), 'log.csv')).format).toBe('csv');
  });

  test('with a Markdown table is read with a remark, each table as a sheet', async () => {
    const one = '| a | b |\n|---|---|\n| c | 3 |\n';
    expect(await openFile(text(one), 'log.md')).toMatchObject({
      format: 'markdown',
      grids: [
        {
          name: 'log.md',
          rows: [undefined, [undefined, { text: 'a' }, { text: 'b' }], [undefined, { text: 'c' }, { number: 3 }]],
        },
      ],
      remarks: ['This is a text in Markdown: a merge writes a new .xlsx beside it.'],
    });
    expect((await openFile(text(`${one}\n${one}`), 'log.md')).grids.map(({ name }) => name)).toEqual([
      'log.md (table 1)',
      'log.md (table 2)',
    ]);
  });

  test('of one column is refused', async () => {
    expect(await refusal(text('a'), 'log.csv')).toMatchObject({ code: 'one_column_csv' });
    expect(await refusal(text('a\nb\n'), 'log.csv')).toMatchObject({
      code: 'one_column_csv',
      message:
        'This file has one column only, so it can’t be a hazard log or a ticket export. Export it again with a comma, semicolon or tab between the columns.',
    });
  });

  test('has a row and a column for each field, and no cells for blank ones', async () => {
    const { format, grids, remarks } = await openFile(text('a, ,"b\r\nc\rd"\n,,\n,4,\n'), 'log.csv');
    expect({ format, remarks }).toEqual({ format: 'csv', remarks: [] });
    expect(grids).toEqual([
      {
        name: 'log.csv',
        hidden: false,
        merges: [],
        rows: [
          undefined,
          [
            undefined,
            { text: 'a', number: null, formula: null },
            undefined,
            { text: 'b\nc\nd', number: null, formula: null },
          ],
          undefined,
          [undefined, undefined, { text: '4', number: 4, formula: null }],
        ],
      },
    ]);
    expect(1 in (grids[0]?.rows ?? [])).toBe(true);
    expect(2 in (grids[0]?.rows ?? [])).toBe(false);
  });

  test.each([
    ['4', 4],
    ['-4', -4],
    [' 2.50 ', 2.5],
    ['007', 7],
    ['+4', null],
    ['.5', null],
    ['5.', null],
    ['1e3', null],
    ['4 a', null],
    ['1,5', null],
    ['9'.repeat(40), 1e40],
    ['9'.repeat(41), null],
  ])('has in “%s” the number %s', async (field, number) => {
    const { grids } = await openFile(text(`a;b\n${field};x\n`), 'log.csv');
    expect(grids[0]?.rows[2]?.[1]).toMatchObject({ text: field, number });
  });

  test('is what its first two thousand characters say', async () => {
    const urn = 'urn:schemas-microsoft-com:office:spreadsheet';
    const begins = (before: number) => refusal(text(`${'a'.repeat(before)}${urn}`), 'log.csv');
    // The library reads any text as a sheet, while a CSV of one column is refused.
    expect((await begins(2000 - urn.length))?.code).not.toBe('one_column_csv');
    expect((await begins(2000 - urn.length + 1))?.code).toBe('one_column_csv');
  });
});

describe('a text with a table in Markdown', () => {
  const TABLE = '| a | b |\n|---|---|\n| 1 | 2 |';
  const formatOf = async (content: string) => (await openFile(text(content), 'log.txt')).format;

  test.each(['Key,Summary,Description', 'Key;Summary;Description', 'Key\tSummary\tDescription'])(
    'in a field below the headings “%s” is CSV, whose field keeps it',
    async (head) => {
      const between = head.charAt(3);
      const rows = [
        ['A-1', 'Dose', `"${TABLE}"`],
        ['A-2', 'Late', 'none'],
      ];
      const { format, grids } = await openFile(
        text([head, ...rows.map((row) => row.join(between))].join('\n')),
        'log.txt',
      );
      expect(format).toBe('csv');
      expect(grids.map(({ rows: all }) => all.filter(Boolean).map((row) => row?.[3]?.text))).toEqual([
        ['Description', TABLE, 'none'],
      ]);
    },
  );

  test.each([
    ['alone', TABLE],
    ['below a heading with commas', `# Risks, causes, controls\n\n${TABLE}`],
    ['below a list', `- one, two\n- three, four\n\n${TABLE}`],
    ['below a quotation', `> one, two\n\n${TABLE}`],
    ['below one sentence with a comma', `The log, version 2\n\n${TABLE}`],
    ['with commas in its cells', '| a, b | c |\n|---|---|\n| 1, 2 | 3 |\n| 4, 5 | 6 |'],
  ])('%s is Markdown', async (_where, content) => {
    expect(await formatOf(content)).toBe('markdown');
  });
});
