import { describe, expect, test } from '@jest/globals';
import { documentType, isAnalysable } from '../../../bot/engine/documents/documentType.ts';

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OOXML = 'application/vnd.openxmlformats-officedocument';
const REST = [0x0a, 0, 0xff, 7];

/** The signatures of the formats' specifications: PDF 32000-1 7.5.2, APPNOTE 4.3.7, MS-CFB 2.2. */
const SIGNED: [extension: string, type: string, signature: number[]][] = [
  ['pdf', 'application/pdf', [...Buffer.from('%PDF-')]],
  ['docx', `${OOXML}.wordprocessingml.document`, ZIP],
  ['xlsx', `${OOXML}.spreadsheetml.sheet`, ZIP],
  ['xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.12', ZIP],
  ['xls', 'application/vnd.ms-excel', [0xd0, 0xcf, 0x11, 0xe0]],
];

describe('a document with a signature', () => {
  test.each(SIGNED)('.%s is %s', (extension, type, signature) => {
    expect(documentType(`a.${extension}`, Uint8Array.from([...signature, ...REST]))).toBe(type);
    expect(documentType(`a.${extension}`, Uint8Array.from(signature))).toBe(type);
  });

  test.each(SIGNED)(
    '.%s is not of that type if a byte of the signature differs or is missing',
    (extension, _type, signature) => {
      for (const at of signature.keys()) {
        for (const difference of [1, -1]) {
          const other = signature.with(at, (signature[at] as number) + difference);
          expect(documentType(`a.${extension}`, Uint8Array.from([...other, ...REST]))).toBeNull();
        }
        expect(documentType(`a.${extension}`, Uint8Array.from(signature.slice(0, at)))).toBeNull();
      }
      expect(documentType(`a.${extension}`, Uint8Array.from([0x20, ...signature]))).toBeNull();
    },
  );
});

describe('a text document', () => {
  const LATIN1 = [0x63, 0x61, 0x66, 0xe9];
  const HELLO = [...Buffer.from('a,b\n“c”')];
  test.each([
    ['a.csv', HELLO, 'text/csv'],
    ['a.md', HELLO, 'text/markdown'],
    ['a.txt', HELLO, 'text/plain'],
    // Spreadsheets are also exported in older encodings, and in UTF-16 with a byte order mark.
    ['a.csv', LATIN1, 'text/csv'],
    ['a.csv', [0xff, 0xfe, 0x61, 0], 'text/csv'],
    ['a.csv', [0xfe, 0xff, 0, 0x61], 'text/csv'],
    ['a.csv', [0xff, 0xfd, 0x61, 0], null],
    ['a.csv', [0xfe, 0xfe, 0, 0x61], null],
    ['a.csv', [0xff, 0xff, 0x61, 0], null],
    ['a.csv', [0xfd, 0xff, 0, 0x61], null],
    ['a.csv', [0x61, 0, 0x62], null],
    ['a.csv', [0, 0x61], null],
    ['a.md', LATIN1, null],
    ['a.txt', LATIN1, null],
    ['a.md', [0xff, 0xfe, 0x61, 0], null],
    ['a.txt', [0x61, 0, 0x62], null],
    ['a.txt', [0x61, 1, 0x62], 'text/plain'],
  ])('%s with the bytes %j is %s', (name, bytes, type) => {
    expect(documentType(name, Uint8Array.from(bytes))).toBe(type);
  });
});

test.each([
  ['REPORT.PDF', 'application/pdf'],
  ['two.dots.pdf', 'application/pdf'],
  ['pdf', null],
  ['a.pdf ', null],
  ['a.pdf.exe', null],
  ['a.', null],
  ['', null],
  ['a.html', null],
  // Names of Object's own properties are not extensions.
  ['a.constructor', null],
])('the extension limits what %j may be: %s', (name, type) => {
  expect(documentType(name, Buffer.from('%PDF-1.7'))).toBe(type);
});

test.each([
  ['a.xlsx', true],
  ['A.XLSM', true],
  ['a.xls', true],
  ['a.csv', true],
  ['a.docx', true],
  ['a.pdf', false],
  ['a.md', false],
  ['a.txt', false],
  ['a.exe', false],
  ['a.constructor', false],
  ['xlsx', false],
])('an agent can analyse %s: %s', (name, analysable) => {
  expect(isAnalysable(name)).toBe(analysable);
});
