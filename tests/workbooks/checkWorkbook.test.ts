import { expect, test } from '@jest/globals';
import { makeEntry, readPart, readZipDirectory, writeZip } from '../../bot/engine/files/zipArchive.ts';
import { makeAnchoredLog } from '../factories/anchoredLog.ts';
import { checkWorkbook, faultsAdded } from './checkWorkbook.ts';

const good = makeAnchoredLog();

/** The good workbook with one text of one part replaced. */
function withFault(part: string, from: string, to: string): Uint8Array {
  const parts = readZipDirectory(good);
  const xml = readPart(parts, part) ?? '';
  expect(xml).toContain(from);
  parts.set(part, makeEntry(part, xml.replace(from, to)));
  return writeZip(parts.values());
}

function without(part: string): Uint8Array {
  const parts = readZipDirectory(good);
  expect(parts.delete(part)).toBe(true);
  return writeZip(parts.values());
}

test('a workbook with all kinds of anchored content has no fault', () => {
  expect(checkWorkbook(good)).toEqual([]);
});

test('a formula that was never calculated is no fault', () => {
  const formula = '<f>COUNTA(A2:A3)</f>';
  expect(checkWorkbook(withFault('xl/worksheets/sheet1.xml', `${formula}<v>2</v>`, `${formula}<v></v>`))).toEqual([]);
});

const [SHEET, BOOK, STYLES] = ['xl/worksheets/sheet1.xml', 'xl/workbook.xml', 'xl/styles.xml'];
const [TYPES, RELATIONS] = ['[Content_Types].xml', 'xl/worksheets/_rels/sheet1.xml.rels'];
const [TABLE, COMMENTS, DRAWING] = ['xl/tables/table1.xml', 'xl/comments1.xml', 'xl/drawings/drawing1.xml'];
const SUMMARY = 'xl/worksheets/sheet3.xml';

test.each([
  // The package
  ['a tag that does not close', SHEET, '</worksheet>', '', 'not well formed'],
  ['an attribute twice', SHEET, '<brk id="5"', '<brk id="5" id="6"', 'not well formed'],
  ['an unknown entity', COMMENTS, 'Counted', '&nbsp;', 'not well formed'],
  ['a prefix that is not declared', COMMENTS, '<text>', '<text z:a="1">', 'not well formed'],
  ['a character that XML forbids', COMMENTS, 'Counted', '\u0001', 'not well formed'],
  ['a part without a type', TYPES, 'Extension="vml"', 'Extension="other"', 'no content type'],
  ['a type for a part that is missing', TYPES, '/xl/charts/chart1.xml', '/xl/charts/chart2.xml', 'not in the package'],
  [
    'two types for one part',
    TYPES,
    '</Types>',
    '<Override PartName="/xl/styles.xml" ContentType="a"/></Types>',
    'two types',
  ],
  ['a type of another kind', TYPES, 'spreadsheetml.table+xml', 'spreadsheetml.comments+xml', 'has the content type'],
  ['a relation that leads nowhere', RELATIONS, 'table1.xml', 'table2.xml', 'which is not in the package'],
  ['two relations with one id', RELATIONS, '"rId2"', '"rId1"', 'not unique'],
  ['an id that is no relation', SHEET, 'r:id="rId2"', 'r:id="rId9"', 'no relation of the part'],
  // The workbook
  ['two sheets with one name', BOOK, 'name="Summary"', 'name="HAZARD LOG"', 'not unique'],
  ['a name of 32 characters', BOOK, 'name="Summary"', `name="${'x'.repeat(32)}"`, 'not allowed'],
  ['two sheets with one number', BOOK, 'sheetId="3"', 'sheetId="1"', 'sheetId 1'],
  ['two sheets with one part', BOOK, 'r:id="rId3"', 'r:id="rId1"', 'the same part'],
  ['elements in another order', BOOK, '</workbook>', '<bookViews/></workbook>', 'stands after <definedNames>'],
  [
    'an active sheet that does not exist',
    BOOK,
    '<sheets>',
    '<bookViews><workbookView activeTab="3"/></bookViews><sheets>',
    'active sheet',
  ],
  ['a name past the last row', BOOK, '$U$1048576', '$U$1048577', 'the name Words'],
  ['a name on a missing sheet', BOOK, "'Hazard Log'!$C$4", "'Hazards'!$C$4", 'on a sheet that does not exist'],
  ['a name twice', BOOK, 'name="Words"', 'name="TOTAL"', 'defined twice'],
  ['a name of a missing sheet', BOOK, 'localSheetId="0"', 'localSheetId="3"', 'belongs to no sheet'],
  ['a name of the filter that is not the filter', BOOK, '$A$1:$S$3', '$A$1:$S$4', 'is not its filter'],
  // Formats and strings
  ['a format that does not exist', SHEET, 'r="A2" s="2"', 'r="A2" s="4"', 'A2 has the format 4'],
  ['a format with a missing font', STYLES, 'fontId="1"', 'fontId="2"', 'the fontId 2 of 2'],
  [
    'a format with a missing number format',
    STYLES,
    'numFmtId="164" fontId',
    'numFmtId="165" fontId',
    'number format 165',
  ],
  ['a wrong count of formats', STYLES, '<cellXfs count="4">', '<cellXfs count="5">', 'counts 5 of 4'],
  ['a string that does not exist', SHEET, '<v>35</v>', '<v>3500</v>', 'the shared string 3500'],
  ['a rule with a missing format', SHEET, 'dxfId="0"', 'dxfId="1"', 'a rule has the format 1'],
  // Cells
  ['a row before the one above it', SHEET, '<row r="9"', '<row r="8"', 'row 8 stands after row 8'],
  ['a cell of another row', SHEET, '<c r="A10"', '<c r="A11"', 'the cell “A11”'],
  ['a cell before the one on its left', SHEET, '<c r="B3"', '<c r="A3"', 'the cell “A3”'],
  ['a cell past the last column', SHEET, '<c r="V10"', '<c r="XFE10"', 'the cell “XFE10”'],
  ['a number that is none', SHEET, 'r="V10" s="2"><v>4</v>', 'r="V10" s="2"><v>four</v>', 'the number “four”'],
  ['a number that is empty', SHEET, 'r="V10" s="2"><v>4</v>', 'r="V10" s="2"><v></v>', 'the number “”'],
  ['a type that does not exist', SHEET, 'r="A2" s="2" t="s"', 'r="A2" s="2" t="x"', 'the type x'],
  ['a formula past the last row', SHEET, 'COUNTA(A2:A3)', 'COUNTA(A2:A1048577)', 'A1048577 lies outside'],
  ['a formula past the last column', SHEET, 'COUNTA(A2:A3)', 'COUNTA(A2:XFE3)', 'XFE3 lies outside'],
  ['a formula on a missing sheet', SUMMARY, "SUM('Hazard Log'!", "SUM('Hazards'!", 'on a sheet that does not exist'],
  [
    'a shared formula without its first cell',
    SHEET,
    '<f>COUNTA(A2:A3)</f>',
    '<f t="shared" si="0"/>',
    'does not reach it',
  ],
  ['a formula range without its cell', SHEET, '<f>COUNTA', '<f t="array" ref="C5:C6">COUNTA', 'does not have it'],
  ['a dimension that is too small', SHEET, 'ref="A1:V10"', 'ref="A1:V9"', 'the dimension A1:V9'],
  // Around the cells
  ['a list past the last row', SHEET, 'sqref="G2:G3"', 'sqref="G2:G1048577"', 'has the sqref'],
  ['a filter upside down', SHEET, 'ref="A1:S3"', 'ref="A3:S1"', '<autoFilter> has the ref'],
  ['a format on no cell', SHEET, 'I2:I3 P2:P3', 'I2:I3 P0', '<conditionalFormatting> has the sqref'],
  ['a wrong count of merges', SHEET, '<mergeCells count="1">', '<mergeCells count="2">', 'counts 2 of 1'],
  [
    'merged ranges that overlap',
    SHEET,
    '<mergeCell ref="A5:D5"/>',
    '<mergeCell ref="A5:D5"/><mergeCell ref="D5:D6"/>',
    'overlap',
  ],
  ['a merged range of one cell', SHEET, 'ref="A5:D5"', 'ref="A5"', 'is one cell'],
  ['a value under a merged range', SHEET, 'ref="A5:D5"', 'ref="A4:D5"', 'C4 is hidden'],
  ['a link to a missing sheet', SHEET, 'location="\'Hazard Log\'!C4"', 'location="Hazards!C4"', 'leads to no sheet'],
  ['a link past the last row', SUMMARY, "'Hazard Log'!A4:C4", "'Hazard Log'!A4:C1048577", 'leads nowhere'],
  ['a link to a missing name', SHEET, 'location="Total"', 'location="Totals"', 'leads nowhere'],
  ['a page break past the last row', SHEET, '<brk id="5"', '<brk id="1048577"', 'a page break'],
  ['elements of a sheet in another order', SHEET, '<sheetData>', '<rowBreaks/><sheetData>', 'stands after <rowBreaks>'],
  // What is anchored to cells
  ['a table with another heading', TABLE, 'name="Figure"', 'name="Number"', 'is not the heading'],
  ['a table of another width', TABLE, 'ref="U8:V10"', 'ref="U8:W10"', 'another width'],
  [
    'a table below its headings',
    TABLE,
    'displayName="Scale" ref="U8:V10"',
    'displayName="Scale" ref="U9:V10"',
    'is not the heading in row 9',
  ],
  ['a table with a name that is taken', TABLE, 'displayName="Scale"', 'displayName="Total"', 'used twice'],
  [
    'a filter that reaches out of its table',
    TABLE,
    '<autoFilter ref="U8:V10"/>',
    '<autoFilter ref="U8:V11"/>',
    'reaches out of it',
  ],
  [
    'a table that its sheet does not list',
    SHEET,
    '<tablePart r:id="rId5"/>',
    '<tablePart r:id="rId4"/>',
    'does not list it',
  ],
  ['a comment out of bounds', COMMENTS, 'ref="A4"', 'ref="A0"', 'out of bounds'],
  ['a comment without its box', COMMENTS, 'ref="A4"', 'ref="A7"', 'no box at its cell'],
  ['a comment without an author', COMMENTS, 'authorId="0"', 'authorId="1"', 'has no author'],
  ['a box with half an anchor', 'xl/drawings/vmlDrawing1.vml', '1, 15, 3, 10, 3, 15, 7, 4', '1, 15, 3', 'the anchor'],
  ['a picture past the last row', DRAWING, '<xdr:row>20<', '<xdr:row>1048576<', 'an anchor from row'],
  ['a picture that ends above its start', DRAWING, '<xdr:row>20<', '<xdr:row>11<', 'an anchor from row'],
  [
    'a chart of a missing sheet',
    'xl/charts/chart1.xml',
    "'Hazard Log'!$V$9",
    'Gone!$V$9',
    'on a sheet that does not exist',
  ],
  ['a chain with a cell that has no formula', 'xl/calcChain.xml', 'r="C4"', 'r="C5"', 'has no formula'],
  ['a chain with a cell twice', 'xl/calcChain.xml', 'r="B2"', 'r="B1"', 'listed twice'],
])('%s is found', (_, part, from, to, expected) => {
  expect(checkWorkbook(withFault(part, from, to)).join('\n')).toContain(expected);
});

test('a part that is missing is found by what refers to it', () => {
  expect(checkWorkbook(without(TABLE)).join('\n')).toContain(`rId5 leads to ${TABLE}, which is not in the package`);
});

test('only the faults that were not there before count', () => {
  const [first, second] = [
    withFault(BOOK, '$U$1048576', '$U$1048577'),
    withFault(SHEET, '<brk id="5"', '<brk id="1048577"'),
  ];
  expect(faultsAdded(first, first)).toEqual([]);
  expect(faultsAdded(first, second)).toEqual([`${SHEET}: a page break after row 1048577`]);
  expect(faultsAdded(new Uint8Array(Buffer.from('a,b')), first)).toHaveLength(1);
});
