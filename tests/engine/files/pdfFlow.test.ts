import { expect, test } from '@jest/globals';
import { openPdf } from '../../../bot/engine/files/pdfFlow.ts';
import { makePrintable } from '../../../bot/engine/files/pdfText.ts';
import { pagesOf, textOf } from '../../factories/pdf.ts';

const open = () => openPdf({ title: 'A title', foot: 'The foot', madeAt: new Date('2026-01-02T03:04:05Z') });
const LONG = 'A sentence that is long enough to take more than one line on a sheet of A4 with its margins. ';

test('a character that the font lacks is shown as its number, and none is lost', () => {
  const printable = makePrintable((code) => code < 0x3000);
  expect(printable('≥ 3 漢🩺')).toBe('≥ 3 [U+6F22][U+1FA7A]');
  expect(printable('one\r\ntwo\tthree\u0000four')).toBe('one\ntwo threefour');
});

test('what is longer than a page goes on, and each page has its foot and number', async () => {
  const pdf = open();
  pdf.heading('A title', 1);
  pdf.record({ code: 'H1', title: 'Wrong dose', state: 'Open', fields: [['What', LONG.repeat(80)]] });
  pdf.heading('Next', 2, 1234);
  pdf.list(Array.from({ length: 80 }, (_, at) => `Line ${at}.`));
  const bytes = await pdf.end();
  const pages = pagesOf(bytes);
  expect(pages).toBeGreaterThanOrEqual(3);
  const text = textOf(bytes);
  for (const [at, page] of (text ?? []).entries()) {
    expect(page).toContain('The foot');
    expect(page).toContain(`Page ${at + 1} of ${pages}`);
  }
  if (text) {
    const words = text
      .join(' ')
      .replace(/The foot\s+Page \d+ of \d+/g, '')
      .replace(/\s+/g, ' ');
    expect(words.split(LONG.trim()).length - 1).toBe(80);
    expect(words).toContain('Next 1,234');
    expect(words).toContain('Line 79.');
  }
});

test('no page is empty where a heading or a table does not fit the rest of one', async () => {
  const pdf = open();
  const row = ['a', 'b'];
  for (let at = 0; at < 9; at += 1)
    pdf.table({ kind: 'table', caption: `Table ${at}`, head: row, rows: Array(14).fill(row), widths: [1, 1] });
  const text = textOf(await pdf.end());
  for (const page of text ?? []) expect(page).toContain('Table');
});

test('the same content at the same moment gives the same text', async () => {
  const write = async () => {
    const pdf = open();
    pdf.fields([
      ['Name', 'Wrong dose', 'a'.repeat(64)],
      ['Causes', ['One', 'Two']],
    ]);
    return textOf(await pdf.end());
  };
  expect(await write()).toEqual(await write());
});
