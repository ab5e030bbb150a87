import { describe, expect, test } from '@jest/globals';
import {
  readRelations,
  readScanContext,
  readWorkbookParts,
  relationsPart,
  resolveTarget,
} from '../../../../bot/agents/clinical_safety/ooxml/workbookParts.ts';
import { ReadingBudget } from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';
import { makeEntry } from '../../../../bot/engine/files/zipArchive.ts';

const entriesOf = (parts: Record<string, string>) =>
  new Map(Object.entries(parts).map(([name, content]) => [name, makeEntry(name, content)]));
const relation = (id: string, type: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"${more}/>`;
const relations = (...all: string[]) => `<Relationships>${all.join('')}</Relationships>`;
const SHEET = '<worksheet/>';

describe('the parts that a part refers to', () => {
  test.each([
    ['xl/workbook.xml', 'worksheets/sheet1.xml', 'xl/worksheets/sheet1.xml'],
    ['xl/workbook.xml', '/xl/styles.xml', 'xl/styles.xml'],
    ['xl/workbook.xml', './styles.xml', 'xl/styles.xml'],
    ['xl/worksheets/sheet1.xml', '../comments1.xml', 'xl/comments1.xml'],
    ['xl/worksheets/sheet1.xml', '../../docProps/app.xml', 'docProps/app.xml'],
    ['', 'xl/workbook.xml', 'xl/workbook.xml'],
    ['workbook.xml', 'styles.xml', 'styles.xml'],
  ])('from “%s”, “%s” is %s', (from, target, name) => {
    expect(resolveTarget(from, target)).toBe(name);
  });

  test.each([
    ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'],
    ['', '_rels/.rels'],
    ['workbook.xml', '_rels/workbook.xml.rels'],
    ['xl/worksheets/sheet1.xml', 'xl/worksheets/_rels/sheet1.xml.rels'],
  ])('of “%s” are in %s', (part, name) => {
    expect(relationsPart(part)).toBe(name);
  });

  test('are those inside the workbook', () => {
    const entries = entriesOf({
      'xl/_rels/workbook.xml.rels': relations(
        relation('rId1', 'worksheet', 'a&amp;b.xml'),
        relation('rId2', 'hyperlink', 'https://example.org', ' TargetMode="External"'),
        relation('rId3', 'styles', 'styles.xml', ' TargetMode="Internal"'),
        '<Relationship/>',
      ),
    });
    expect(readRelations(entries, 'xl/workbook.xml')).toEqual([
      { id: 'rId1', type: 'http://x/worksheet', target: 'xl/a&b.xml' },
      { id: 'rId3', type: 'http://x/styles', target: 'xl/styles.xml' },
      { id: '', type: '', target: 'xl/' },
    ]);
    expect(readRelations(entries, 'xl/other.xml')).toEqual([]);
    expect(readRelations(entriesOf({ '_rels/.rels': '' }), '')).toEqual([]);
  });
});

describe('the sheets of a workbook', () => {
  const read = (sheets: string, own: string[], more: Record<string, string> = {}) =>
    readWorkbookParts(
      entriesOf({
        'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': relations(...own),
        'xl/a.xml': SHEET,
        'xl/b.xml': SHEET,
        ...more,
      }),
    );
  const [A, B] = [relation('rId1', 'worksheet', 'a.xml'), relation('rId2', 'worksheet', 'b.xml')];

  test('are in the order of the workbook, with their state', () => {
    expect(
      read(
        '<sheet name="B &amp; C" sheetId="1" r:id="rId2"/><sheet name="A" sheetId="2" state="hidden" r:id="rId1"/>',
        [A, B],
      ).sheets,
    ).toEqual([
      { name: 'B & C', partName: 'xl/b.xml', hidden: false },
      { name: 'A', partName: 'xl/a.xml', hidden: true },
    ]);
    const hidden = (state: string) => read(`<sheet name="A" state="${state}" r:id="rId1"/>`, [A]).sheets[0]?.hidden;
    expect(['hidden', 'veryHidden', 'visible', ''].map(hidden)).toEqual([true, true, false, false]);
  });

  test.each([
    ['another prefix', '<sheet name="A" sheetId="rId2" rel:id="rId1"/>', 'A'],
    ['no prefix', '<sheet name="A" sheetId="rId2" id="rId1"/>', 'A'],
    ['the number of the sheet alone', '<sheet name="A" sheetId="rId1"/>', ''],
    ['an id that is unknown', '<sheet name="A" r:id="rId9"/>', ''],
    ['no name', '<sheet r:id="rId1"/>', ''],
    ['the id of a sheet that was read', '<sheet name="A" r:id="rId1"/><sheet name="B" r:id="rId1"/>', 'A'],
    ['another part that was read', '<sheet name="A" r:id="rId1"/><sheet name="B" r:id="rId3"/>', 'A'],
    ['a chart', '<sheet name="A" r:id="rId4"/>', ''],
    ['a part that is not there', '<sheet name="A" r:id="rId5"/>', ''],
    ['a prefix of its own', '<x:sheet name="A" r:id="rId1"/>', 'A'],
  ])('named by %s', (_what, sheets, names) => {
    const found = read(sheets, [
      A,
      B,
      relation('rId3', 'worksheet', '/xl/a.xml'),
      relation('rId4', 'chartsheet', 'b.xml'),
      relation('rId5', 'worksheet', 'gone.xml'),
    ]).sheets;
    expect(found.map(({ name }) => name).join()).toBe(names);
    expect(found.every(({ partName }) => partName === 'xl/a.xml')).toBe(true);
  });

  test('come with the workbook’s other contents', () => {
    const of = (more: Record<string, string>, attributes = '') => {
      const { macros, externalLinks, date1904 } = read(`<workbookPr${attributes}/>`, [], more);
      return [macros, externalLinks, date1904];
    };
    expect(of({})).toEqual([false, 0, false]);
    expect(of({ 'xl/vbaProject.bin': 'x' })).toEqual([true, 0, false]);
    expect(of({ 'xl/VBAPROJECT.BIN': 'x', 'xl/vbaProject.bin.rels': 'x' })).toEqual([true, 0, false]);
    expect(of({ 'xl/vbaProject.bin.rels': 'x' })).toEqual([false, 0, false]);
    expect(
      of({
        'xl/externalLinks/externalLink1.xml': 'x',
        'xl/externalLinks/externalLink22.xml': 'x',
        'xl/externalLinks/_rels/externalLink1.xml.rels': 'x',
      }),
    ).toEqual([false, 2, false]);
    expect(of({}, ' date1904="1"')).toEqual([false, 0, true]);
    expect(of({}, ' date1904="true"')).toEqual([false, 0, true]);
    expect(of({}, ' date1904="0"')).toEqual([false, 0, false]);
  });
});

describe('the workbook of an archive', () => {
  const codeOf = (parts: Record<string, string>) => {
    try {
      return readWorkbookParts(entriesOf(parts)).workbookPart;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const WORKBOOK = '<workbook/>';
  const main = (target: string) => relations(relation('rId1', 'officeDocument', target));
  const NOT_ONE = 'This archive is not an Excel workbook. Save the hazard log as .xlsx or CSV and try again.';
  const SAVE = 'Save the hazard log as an Excel workbook (.xlsx) or CSV and try again.';
  const BINARY = 'This is a binary workbook (.xlsb). Open it in Excel, save it as .xlsx and try again.';

  test.each<[string, Record<string, string>, string]>([
    ['at its usual place', { 'xl/workbook.xml': WORKBOOK }, 'xl/workbook.xml'],
    ['where the package says', { '_rels/.rels': main('book/main.xml'), 'book/main.xml': WORKBOOK }, 'book/main.xml'],
    [
      'at its usual place if the package names a missing part',
      { '_rels/.rels': main('gone.xml'), 'xl/workbook.xml': WORKBOOK },
      'xl/workbook.xml',
    ],
    [
      'behind other relations',
      {
        '_rels/.rels': relations(relation('a', 'other', 'x.xml'), relation('b', 'officeDocument', 'y.xml')),
        'x.xml': WORKBOOK,
        'y.xml': WORKBOOK,
      },
      'y.xml',
    ],
    [
      'next to parts of another program',
      { 'xl/workbook.xml': WORKBOOK, 'content.xml': 'x', 'word/document.xml': 'x' },
      'xl/workbook.xml',
    ],
    ['nowhere', { 'a.xml': WORKBOOK }, NOT_ONE],
    ['in name only', { 'xl/workbook.xml': '<book/>' }, NOT_ONE],
    ['empty', { 'xl/workbook.xml': '' }, NOT_ONE],
    ['a presentation', { 'ppt/presentation.xml': 'x' }, `This is a presentation. ${SAVE}`],
    ['a binary workbook', { 'xl/workbook.bin': 'workbook' }, BINARY],
    [
      'a binary workbook that the package names',
      { '_rels/.rels': main('xl/workbook.bin'), 'xl/workbook.bin': 'workbook' },
      BINARY,
    ],
    [
      'a binary workbook next to another',
      { '_rels/.rels': main('xl/workbook.bin'), 'xl/workbook.bin': 'workbook', 'xl/workbook.xml': WORKBOOK },
      BINARY,
    ],
    ['an OpenDocument file', { 'content.xml': 'x' }, 'This is an OpenDocument file. Save it as .xlsx and try again.'],
  ])('is found %s', (_where, parts, found) => {
    expect(codeOf(parts)).toBe(found);
  });
});

describe('the shared data of a workbook’s sheets', () => {
  const context = (styles: string, strings = '', budget = new ReadingBudget('workbook', null)) => {
    const entries = entriesOf({
      'xl/workbook.xml': '<workbook/>',
      'xl/_rels/workbook.xml.rels': relations(
        relation('rId1', 'styles', 'styles.xml'),
        relation('rId2', 'sharedStrings', 'strings.xml'),
      ),
      'xl/styles.xml': styles,
      'xl/strings.xml': strings,
    });
    return readScanContext(entries, readWorkbookParts(entries), budget);
  };
  const stylesOf = (formats: string, ids: (number | string)[]) =>
    context(
      `<styleSheet>${formats}<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    ).dateStyles;

  test('includes its strings', () => {
    expect(
      context('', '<sst><si><t>a</t></si><si/><si><r><t>b</t></r><r><t>c</t></r></si></sst>').sharedStrings,
    ).toEqual(['a', '', 'bc']);
    expect(context('', '<x:sst><x:si><x:t>a</x:t></x:si></x:sst>').sharedStrings).toEqual(['a']);
    const bare = readScanContext(
      new Map(),
      { workbookPart: 'xl/workbook.xml', sheets: [], macros: false, externalLinks: 0, date1904: true },
      new ReadingBudget('workbook', null),
    );
    expect(bare).toMatchObject({ sharedStrings: [], dateStyles: [], date1904: true });
  });

  // ECMA-376, 18.8.30: 14 to 22 and 45 to 47; those from 27 on are dates of East Asian locales.
  test('includes the built-in formats that show a date', () => {
    const ids = Array.from({ length: 60 }, (_, id) => id);
    const dates = stylesOf('', ids).flatMap((isDate, id) => (isDate ? [id] : []));
    const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
    expect(dates).toEqual([...range(14, 22), ...range(27, 36), ...range(45, 47), ...range(50, 58)]);
    expect(stylesOf('', ['x', ''])).toEqual([false, false]);
    expect(context('<styleSheet><cellXfs><xf/></cellXfs></styleSheet>').dateStyles).toEqual([false]);
    expect(context('<styleSheet/>').dateStyles).toEqual([]);
    expect(context('<x:styleSheet><x:cellXfs><x:xf numFmtId="14"/></x:cellXfs></x:styleSheet>').dateStyles).toEqual([
      true,
    ]);
  });

  test.each([
    ['dd/mm/yyyy', true],
    ['DD/MM', true],
    ['h:mm', true],
    ['ss', true],
    ['0.00', false],
    ['General', false],
    ['&quot;days&quot; 0', false],
    ['0\\d', false],
    ['[Red]0', false],
    ['[$-409]d', true],
    ['0 &quot;a&quot; yy', true],
    ['#,##0', false],
    ['', false],
    [`${'0'.repeat(999)}d`, true],
    [`${'0'.repeat(1000)}d`, false],
  ])('includes its own formats that show a date: %s', (code, isDate) => {
    expect(stylesOf(`<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts>`, [164, 165])).toEqual([
      isDate,
      false,
    ]);
  });

  test('prefers its own formats to built-in ones', () => {
    expect(
      stylesOf('<numFmt numFmtId="14" formatCode="0"/><numFmt numFmtId="1" formatCode="d"/>', [14, 1, 15]),
    ).toEqual([false, true, true]);
    expect(stylesOf('<numFmt numFmtId="164"/>', [164])).toEqual([false]);
  });

  test('is counted against the time budget as it is read', () => {
    const costly = (styles: string, strings: string) => {
      try {
        context(styles, strings, new ReadingBudget('workbook', -1));
        return false;
      } catch {
        return true;
      }
    };
    // The clock is checked every two thousand units of work.
    expect([
      costly('', `<sst>${'<si/>'.repeat(1999)}</sst>`),
      costly('', `<sst>${'<si/>'.repeat(2000)}</sst>`),
    ]).toEqual([false, true]);
    const inner = '<t/>'.padEnd(100, ' ');
    const strings = (count: number) => `<sst>${`<si>${inner}</si>`.repeat(count)}</sst>`;
    expect([costly('', strings(999)), costly('', strings(1000))]).toEqual([false, true]);
    const formats = (count: number) => `<styleSheet>${'<numFmt numFmtId="1"/>'.repeat(count)}</styleSheet>`;
    expect([costly(formats(399), ''), costly(formats(400), '')]).toEqual([false, true]);
    const styles = (count: number) => `<styleSheet><cellXfs>${'<xf/>'.repeat(count)}</cellXfs></styleSheet>`;
    expect([costly(styles(1999), ''), costly(styles(2000), '')]).toEqual([false, true]);
  });
});
