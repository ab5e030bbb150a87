import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { textOf } from '../../../bot/engine/documents/documentText.ts';
import { makeEntry, writeZip } from '../../../bot/engine/files/zipArchive.ts';

const word = (body: string) => writeZip([makeEntry('word/document.xml', `<w:document>${body}</w:document>`)]);
const p = (text: string, properties = '') =>
  `<w:p>${properties ? `<w:pPr>${properties}</w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

test.each([
  ['paragraphs, a line each', p('One &amp; two') + p('Three'), 'One & two\nThree\n'],
  ['headings and items of lists, marked', p('A', '<w:pStyle w:val="Heading2"/>') + p('b', '<w:numPr/>'), '## A\n• b\n'],
  ['tabs and ends of lines', '<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>', 'a\tb\nc\n'],
  ['cells of a row in one line', `<w:tr><w:tc>${p('a')}</w:tc><w:tc>${p('b')}</w:tc></w:tr>`, 'a\tb\t\n'],
  [
    'no deleted text and no code of fields',
    '<w:p><w:r><w:delText>x</w:delText><w:instrText>y</w:instrText><w:t>z</w:t></w:r></w:p>',
    'z\n',
  ],
])('a Word document gives %s', async (_, body, text) => {
  expect(await textOf('a.docx', word(body))).toBe(text);
});

test('a tab that begins a paragraph is no end of a cell', async () => {
  const body = `${p('a')}<w:p><w:r><w:tab/><w:t>b</w:t></w:r></w:p>`;
  expect(await textOf('a.docx', word(body))).toBe('a\n\tb\n');
});

/** Each takes hours where a search begins anew at every mark. */
test.each([
  ['marks that never end', '<'],
  ['properties that never end', '<w:pPr>'],
  ['deleted text that never ends', '<w:delText>'],
  ['styles without an end', '<w:pPr><w:pStyle w:val="heading'],
])('%s are read at once', async (_, mark) => {
  const begun = performance.now();
  await textOf('a.docx', word(mark.repeat(Math.floor(1_000_000 / mark.length))));
  expect(performance.now() - begun).toBeLessThan(3000);
});

test('a package of many thousand parts is refused at once, whatever its directory counts', async () => {
  const parts = Array.from({ length: 30_000 }, (_, at) => makeEntry(`${at}`, ''));
  const many = writeZip([makeEntry('word/document.xml', p('a')), ...parts]);
  const claimed = Buffer.from(many);
  for (const at of [8, 10]) claimed.writeUInt16LE(1, claimed.length - 22 + at);
  const begun = performance.now();
  expect(await textOf('a.docx', many)).toBe(null);
  expect(await textOf('a.docx', claimed)).toBe('a\n');
  expect(performance.now() - begun).toBeLessThan(200);
});

test('a part of more than 4 MB is not read, and one of 4 MB is', async () => {
  const sized = (bytes: number) =>
    writeZip([makeEntry('word/document.xml', `<a>${randomBytes(bytes).toString('hex')}`)]);
  expect(await textOf('a.docx', sized(2 * 1024 * 1024 - 1))).toBe(null);
  expect(await textOf('a.docx', sized(2 * 1024 * 1024 - 2))).toHaveLength(400_000);
});

test.each([
  ['a.pdf', 'x', null],
  ['a.docx', 'no archive', null],
  ['a.md', '# A', '# A'],
  ['a.TXT', 'x'.repeat(400_001), 'x'.repeat(400_000)],
])('%s of %j characters gives a text or none', async (name, content, text) => {
  expect(await textOf(name, Buffer.from(content))).toBe(text);
});
