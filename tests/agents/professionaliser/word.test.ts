import { describe, expect, test } from '@jest/globals';
import { checkCarried } from '../../../bot/agents/professionaliser/control/checkCarried.ts';
import { openDocument } from '../../../bot/agents/professionaliser/word/openDocument.ts';
import { isEditable } from '../../../bot/agents/professionaliser/word/paragraphs.ts';
import { readHeadingStyles } from '../../../bot/agents/professionaliser/word/styles.ts';
import { decodeText, encodeText, parseXml, writeXml } from '../../../bot/agents/professionaliser/word/xml.ts';
import { FileError } from '../../../bot/engine/files/fileError.ts';
import { makeEntry, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';
import { control, linesOf, markupOf, p, wordFile } from './wordFiles.ts';

const refusalOf = (bytes: Uint8Array): string => {
  try {
    openDocument(bytes);
  } catch (error) {
    return error instanceof FileError ? error.code : `other: ${error}`;
  }
  return 'opened';
};

describe('markup', () => {
  test.each([
    '<?xml version="1.0"?>\n<a b="1" c=\'x > y\'><!-- <b> --><d/>text &amp; more<![CDATA[<e>]]></a>',
    '<w:p>  <w:r></w:r></w:p>',
  ])('is written back without a difference: %s', (text) => {
    expect(writeXml(parseXml(text))).toBe(text);
  });

  test.each([
    '<a>',
    '</a>',
    '<a></b>',
    '<a',
    '<a b=c/>',
    '<!DOCTYPE a [<!ENTITY b "c">]><a/>',
    '<!-- a',
    '<a>'.repeat(300),
  ])('that is not well formed, or made to break readers, is refused: %s', (text) => {
    expect(() => parseXml(text)).toThrow();
  });

  test('holds every character that it can, and no other', () => {
    expect(decodeText('&lt;&#65;&#x42;&amp;&unknown;&#x110000;')).toBe('<AB&&unknown;&#x110000;');
    expect(decodeText(encodeText('a < b & "c" > d\u0000\uFFFF'))).toBe('a < b & "c" > d');
  });
});

describe('a Word file', () => {
  test.each([
    ['damaged_document', Buffer.from('PK no archive')],
    ['no_document', writeZip([makeEntry('a.txt', 'x')])],
    ['damaged_document', wordFile('<w:p>')],
    ['no_text', wordFile('<w:p/>')],
    ['tracked_changes', wordFile(p('<w:ins w:id="1"><w:r><w:t>x</w:t></w:r></w:ins>', 'y'))],
    ['tracked_changes', wordFile('<w:p><w:pPr><w:pPrChange w:id="1"><w:pPr/></w:pPrChange></w:pPr></w:p>')],
    ['opened', wordFile(p('<w:r><w:instrText>x</w:instrText></w:r>', 'y'))],
    ['too_long', wordFile(p('x').repeat(6001))],
    ['opened', wordFile(p('x').repeat(6000))],
  ])('is answered %s', (code, bytes) => {
    expect(refusalOf(new Uint8Array(bytes))).toBe(code);
  });

  test('keeps what is not its running text: pictures, text boxes, links and other parts', () => {
    const picture =
      '<w:r><w:drawing><w:txbxContent><w:p><w:r><w:t>in  a box</w:t></w:r></w:p></w:txbxContent></w:drawing></w:r>';
    const link = '<w:hyperlink r:id="r1"><w:r><w:t>two  spaces</w:t></w:r></w:hyperlink>';
    const source = wordFile(p('Two  spaces', picture, link), { 'word/media/image1.png': 'picture' });
    const { written, markup, plan } = control(source);
    expect(markup).toContain(picture);
    expect(markup).toContain(link);
    expect(markupOf(written, 'word/media/image1.png')).toBe('picture');
    expect(plan.openPoints).toContainEqual(expect.objectContaining({ kind: 'kept', words: '1 picture or drawing' }));
    expect(checkCarried(source, written, plan, {})).toEqual([]);
  });
});

describe('a change of the text', () => {
  test('is a deletion and an insertion with author and date, in the format of the run', () => {
    const bold = '<w:r><w:rPr><w:b/></w:rPr><w:t>an e-mail</w:t></w:r>';
    const { markup } = control(wordFile(`${p('Write ', bold, ' now.')}${p('No email.')}`), { email: 'email' });
    const stamp = 'w:author="Petra (Arc)" w:date="2026-11-26T09:00:00Z"';
    expect(markup).toMatch(
      new RegExp(
        `<w:del w:id="\\d+" ${stamp.replace(/[()]/g, '\\$&')}><w:r><w:rPr><w:b/></w:rPr><w:delText xml:space="preserve">e-mail</w:delText></w:r></w:del><w:ins w:id="\\d+" ${stamp.replace(/[()]/g, '\\$&')}><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">email</w:t></w:r></w:ins>`,
      ),
    );
  });

  test('that spans several runs replaces them once', () => {
    const source = wordFile(`${p('An e', '-ma', 'il came.')}${p('One email.')}`);
    const { written } = control(source, { email: 'email' });
    expect(linesOf(written, 'accepted')).toContain('An email came.');
    expect(linesOf(written, 'rejected')).toEqual(['An e-mail came.', 'One email.']);
  });

  test('after a line break or a tab hits its own place', () => {
    const lines = '<w:r><w:br/><w:t>over  there .</w:t></w:r>';
    const { written } = control(wordFile(p('Here', lines)));
    expect(linesOf(written, 'accepted')).toContain('Here\nover there.');
    expect(linesOf(written, 'rejected')).toEqual(['Here\nover  there .']);
  });

  test('is never made in a link or a field: it is listed as open', () => {
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:t>e-mail</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const source = wordFile(`${p(field)}${p('An email.')}`);
    const { written, plan } = control(source, { email: 'email' });
    expect(linesOf(written, 'accepted')).toContain('e-mail');
    expect(plan.openPoints).toContainEqual(expect.objectContaining({ kind: 'spelling', words: 'e-mail' }));
  });

  test('needs every character of its range to be editable', () => {
    const { paragraphs } = openDocument(wordFile(p('ab', '<w:hyperlink><w:r><w:t>cd</w:t></w:r></w:hyperlink>', 'ef')));
    const [only] = paragraphs;
    const may = (from: number, to: number) => only && isEditable(only, from, to);
    expect([may(0, 2), may(1, 3), may(2, 4), may(4, 6), may(0, 0), may(4, 7)]).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('headings', () => {
  test('get style and number as a change of format that names what was before', () => {
    const { markup, written } = control('# A\n\n## 3) Aim\n\nText.\n\n### Part\n\nText.\n\n## Way\n\nText.');
    expect(markup).toMatch(
      /<w:pPr><w:pStyle w:val="Heading2"\/><w:numPr><w:ilvl w:val="0"\/><w:numId w:val="2"\/><\/w:numPr><w:pPrChange [^>]+><w:pPr><w:pStyle w:val="Heading2"\/><\/w:pPr><\/w:pPrChange><\/w:pPr>/,
    );
    expect(markupOf(written, 'word/numbering.xml')).toContain('<w:lvlText w:val="%1.%2"/>');
    expect(linesOf(written, 'accepted')).toEqual(expect.arrayContaining(['Aim', 'Part', 'Way']));
    expect(linesOf(written, 'rejected')).toEqual(['A', '3) Aim', 'Text.', 'Part', 'Text.', 'Way', 'Text.']);
  });

  test('of a file without styles or numbering get both, and those that number themselves stay as they are', () => {
    const bare = control(wordFile(`${p('1. Aim')}${p('Text.')}`, { 'word/styles.xml': '<w:styles></w:styles>' }));
    expect(markupOf(bare.written, 'word/styles.xml')).toContain('w:styleId="ArcHeading1"');
    expect(markupOf(bare.written, '[Content_Types].xml')).toContain('/word/numbering.xml');
    expect(markupOf(bare.written, 'word/_rels/document.xml.rels')).toContain('Target="numbering.xml"');
    const styles =
      '<w:styles><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:numPr/></w:pPr></w:style></w:styles>';
    expect(readHeadingStyles(styles)).toMatchObject({ isNumbered: true, ids: ['berschrift1', null, null, null] });
    const numbered = control(
      wordFile(`<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Aim</w:t></w:r></w:p>${p('Text.')}`, {
        'word/styles.xml': styles,
      }),
    );
    expect(numbered.markup).not.toContain('pPrChange');
    expect(numbered.plan.outline.headings[0]?.number).toBe('1');
  });

  test('use numbers of numbering and lists that no other list of the file has', () => {
    const numbering =
      '<w:numbering><w:abstractNum w:abstractNumId="7"/><w:num w:numId="9"><w:abstractNumId w:val="7"/></w:num><w:numIdMacAtCleanup w:val="1"/></w:numbering>';
    const { written } = control(wordFile(`${p('1. Aim')}${p('Text.')}`, { 'word/numbering.xml': numbering }));
    expect(markupOf(written, 'word/numbering.xml')).toMatch(
      /abstractNumId="7"\/><w:abstractNum w:abstractNumId="9">.*<w:num w:numId="9">.*<w:num w:numId="11"><w:abstractNumId w:val="9"\/><\/w:num><w:numIdMacAtCleanup/,
    );
  });
});

describe('the check of the facts', () => {
  const source = '# Doses\n\nVersion: 2\n\n## Adults\n\nGive 1.5 mg to Dr Osei by e-mail. The email is kept.';
  const { bytes, plan, written } = control(source, { email: 'email' });

  test('passes what was written as planned', () => {
    expect(checkCarried(bytes, written, plan, { email: 'email' })).toEqual([]);
  });

  const rewritten = (change: (markup: string) => string) =>
    writeZip(
      [...readZipDirectory(written).values()].map((entry) =>
        entry.name === 'word/document.xml' ? makeEntry(entry.name, change(markupOf(written))) : entry,
      ),
    );

  test.each([
    ['a number', '1.5 mg', '15 mg'],
    ['a name', 'Osei', 'Osai'],
  ])('finds %s that differs from the source', (_, was, is) => {
    expect(
      checkCarried(
        bytes,
        rewritten((text) => text.replaceAll(was, is)),
        plan,
        { email: 'email' },
      ),
    ).toEqual([
      'With every change rejected, the text is not that of the source.',
      'With every change accepted, a part of the text is missing.',
    ]);
  });

  test('finds an edit that changes a number, or letters that nobody chose', () => {
    const at = plan.outline.headings[0]?.at ?? 0;
    const text = 'Give 1.5 mg to Dr Osei by e-mail. The email is kept.';
    const withEdit = (from: string, to: string) => ({
      ...plan,
      edits: new Map([[at + 1, [{ from: text.indexOf(from), to: text.indexOf(from) + from.length, text: to }]]]),
    });
    expect(checkCarried(bytes, written, withEdit('1.5', '1.50'), {})).toContain('“1.5” would become “1.50”.');
    expect(checkCarried(bytes, written, withEdit('1.5', '15'), {})).toContain('“1.5” would become “15”.');
    expect(checkCarried(bytes, written, withEdit('Osei', 'Osai'), {})).toContain('“Osei” would become “Osai”.');
    expect(checkCarried(bytes, written, withEdit('e-mail', 'letter'), {})).toContain('“e-mail” would become “letter”.');
  });

  test('finds a line that left the text and is not in the control block, and a part that changed', () => {
    const lost = rewritten((text) => text.replace('>2</w:t>', '>3</w:t>'));
    expect(checkCarried(bytes, lost, plan, { email: 'email' })).toEqual(['“2” is not in the control block.']);
    const gone = writeZip([...readZipDirectory(written).values()].filter(({ name }) => name !== '_rels/.rels'));
    expect(checkCarried(bytes, gone, plan, { email: 'email' })).toEqual([
      'The part _rels/.rels is not that of the source.',
    ]);
  });
});
