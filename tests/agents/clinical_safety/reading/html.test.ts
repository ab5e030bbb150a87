import { describe, expect, test } from '@jest/globals';
import { readHtmlBlocks } from '../../../../bot/agents/clinical_safety/reading/html.ts';
import {
  CELL_LIMIT,
  LONGEST_CELL,
  ReadingBudget,
} from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const tablesOf = (html: string, budget = new ReadingBudget('file', null)) =>
  readHtmlBlocks(html, budget).flatMap((block) => ('table' in block ? [block.table] : []));
/** The text of one cell. */
const textOf = (html: string) => tablesOf(`<table><tr><td>${html}</td></tr></table>`)[0]?.[0]?.[0];
const row = (...cells: string[]) => `<tr>${cells.join('')}</tr>`;

describe('the tables of a web page', () => {
  test.each<[string, string[][][]]>([
    ['no table', []],
    ['<table></table>', [[]]],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', [[['a', 'b'], ['c']]]],
    ['<TABLE class="x"><TR><TH>a</TH><TD>b</TD></TR></TABLE>', [[['a', 'b']]]],
    ['<table><tr><td>a<td>b<tr><td>c', [[['a', 'b'], ['c']]]],
    ['<table><tr><td>a</td></tr></table><tr><td>b</td></tr>', [[['a']]]],
    ['<table><tr><td>a</td></tr></table>and<table><tr><td>b</td></tr></table>', [[['a']], [['b']]]],
    ['<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>', [[['a'], ['b']]]],
    ['<table><tr></tr><tr><td>a</td></tr></table>', [[[], ['a']]]],
    ['<tablet><tr><td>a</td></tr></tablet>', []],
    ['<table><track><tr><td>a</td></tr></table>', [[['a']]]],
    ['<table><tr><tdx>a</tdx><td>b</td></tr></table>', [[['b']]]],
    ['<table><tr><td\nid="1">a</td>stray<td >b</td></tr></table>', [[['a', 'b']]]],
    ['<table><tr><td', [[[]]]],
    // A tag that is never closed is text.
    ['<table><tr><td colspan=2', [[['colspan=2']]]],
  ])('%s', (html, tables) => {
    expect(tablesOf(html)).toEqual(tables);
  });

  test.each([
    ['a<br>b<BR/>c<br />d', 'a\nb\nc\nd'],
    ['<p>a</p><div>b</div><ul><li>c</li><li>d</li></ul>e', 'a\nb\nc\nd\ne'],
    [' <b>a</b> <i class="x">b</i> ', 'a b'],
    ['a < b', 'a < b'],
    ['x<b>a < b', 'xa < b'],
    ['a > b', 'a > b'],
    ['&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;', '<b> & "c" \'d\''],
    ['a&nbsp;b &pound;5 1&ndash;2 &mdash; &lsquo;x&rsquo;', 'a b £5 1–2 — ‘x’'],
    ['&LT;&Amp;', '<&'],
    ['&#65;&#x42;&#X43;&#x1F600;', 'ABC😀'],
    ['a&#0;b&#x0;c', 'abc'],
    ['a&#x10FFFF;b', 'a\u{10ffff}b'],
    ['a&#x110000;b&#999999999;c', 'abc'],
    ['&unknown; &constructor; &valueof; & &; &#; &#xZ;', '&unknown; &constructor; &valueof; & &; &#; &#xZ;'],
    ['&amp;lt;', '&lt;'],
  ])('have “%s” as %j', (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

describe('spanning cells', () => {
  const spanned = (...rows: string[]) => tablesOf(`<table>${rows.join('')}</table>`)[0];

  test('repeat their text in each row, and leave columns blank', () => {
    expect(
      spanned(
        row('<td rowspan="2">a</td>', '<td colspan="3">b</td>', '<td>c</td>'),
        row('<td>d</td>', '<td>e</td>'),
        row('<td>f</td>'),
      ),
    ).toEqual([['a', 'b', '', '', 'c'], ['a', 'd', 'e'], ['f']]);
  });

  test('span rows and columns', () => {
    expect(spanned(row('<td rowspan=2 colspan=2>a</td>', '<td>b</td>'), row('<td>c</td>'))).toEqual([
      ['a', '', 'b'],
      ['a', '', 'c'],
    ]);
  });

  test('may be in the middle of a row that is filled from the left', () => {
    expect(spanned(row('<td>a</td>', '<td rowspan="3">b</td>', '<td>c</td>'), row('<td>d</td>', '<td>e</td>'))).toEqual(
      [
        ['a', 'b', 'c'],
        ['d', 'b', 'e'],
        ['', 'b'],
      ],
    );
  });

  test('may be below the first row, and beside one another', () => {
    expect(
      spanned(
        row('<td>a</td>', '<td>b</td>', '<td>c</td>'),
        row('<td rowspan="2">d</td>', '<td>e</td>', '<td rowspan="3">f</td>'),
        row('<td>g</td>'),
        row('<td>h</td>'),
      ),
    ).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
      ['d', 'g', 'f'],
      ['h', '', 'f'],
    ]);
  });

  test.each([
    ['colspan="2"', 2],
    ["COLSPAN='2'", 2],
    ['colspan = 2', 2],
    ['class="x" colspan=2', 2],
    ['colspan="0"', 1],
    ['colspan="1"', 1],
    ['colspan="x"', 1],
    ['mycolspan="2"', 1],
    ['colspan="100"', 100],
    ['colspan="101"', 100],
    ['colspan="999999"', 100],
  ])('with %s make %i', (attribute, cells) => {
    expect(spanned(row(`<td ${attribute}>a</td>`))?.[0]).toHaveLength(cells);
  });

  test.each([
    ['rowspan="3"', 3],
    ['rowspan="101"', 100],
    ['rowspan="0"', 1],
  ])('with %s extend to row %i', (attribute, rows) => {
    expect(spanned(row(`<td ${attribute}>a</td>`))).toHaveLength(rows);
  });

  test('are recognised in the first two thousand characters of their tag', () => {
    const tag = (before: number) => spanned(row(`<td x="${'y'.repeat(before)}" colspan=2>a</td>`))?.[0]?.length;
    // ` x="` before, `" colspan=2` behind.
    expect(tag(2000 - 4 - 11)).toBe(2);
    expect(tag(2000 - 4 - 10)).toBe(1);
  });
});

describe('the text outside the tables of a web page', () => {
  const page = (body: string) =>
    `<!DOCTYPE html><html><head><title>No</title><style>p{}</style></head><body>${body}</body></html>`;
  const table = (id: string) =>
    `<table><tr><th>Hazard ID</th><th>Hazard</th><th>Cause</th><th>Effect</th></tr><tr><td>${id}</td><td>Wrong dose</td><td>a</td><td>b</td></tr></table>`;
  const unreadOf = async (body: string) =>
    (await readLog(new TextEncoder().encode(page(body)), 'log.html'))
      .findUnread()
      .map(({ what, label, note, place }) => [what, label, note, `${place.sheet} ${place.cell}`]);

  test('is listed as not read, with its paragraph, and so are ids that it names', async () => {
    const body = `<header><h1>Hazard log</h1></header><p>Version&nbsp;2</p><script>var H9 = 1;</script>${table('HZ1')}<ul><li>Done</li><li>HZ7 was <b>closed</b></li></ul>`;
    expect(await unreadOf(body)).toEqual([
      ['rows', 'Hazard log', 'paragraphs 1 to 2', 'log.html (text) A1'],
      ['rows', 'Done', 'paragraphs 4 to 5', 'log.html (text) A4'],
      ['id', 'HZ7', 'named once', 'log.html (text) A5'],
    ]);
  });

  test('is nothing for a page that is a table', async () => expect(await unreadOf(table('HZ1'))).toEqual([]));

  test('can be cards: headings with headings and texts below them', async () => {
    const card = (id: string) =>
      `<h2>${id}: Wrong dose</h2><p><b>Cause:</b> ${id} mixed up</p><p>Effect: Overdose</p><p>Severity: Major</p><p>Likelihood: Low</p>`;
    const log = await readLog(new TextEncoder().encode(page(card('H1') + card('H2'))), 'log.html');
    expect(log.hazards.map(({ id, name, causes }) => [id, name, causes[0]?.text])).toEqual([
      ['H1', 'Wrong dose', 'H1 mixed up'],
      ['H2', 'Wrong dose', 'H2 mixed up'],
    ]);
    expect(log.findUnread()).toEqual([]);
  });

  test('names the hazard of a table of fields right below a heading, and no other', async () => {
    const fields =
      '<tr><th>Cause</th><td>a</td></tr><tr><th>Effect</th><td>b</td></tr><tr><th>Severity</th><td>Major</td></tr><tr><th>Risk</th><td>3</td></tr>';
    const body = `<h2>H1 Wrong dose</h2><p>Seen.</p><table>${fields}</table><table>${fields}</table>`;
    const log = await readLog(new TextEncoder().encode(page(body)), 'log.html');
    expect(log.hazards.map(({ id, name, hasId }) => [id, name, hasId])).toEqual([
      ['H1', 'Wrong dose', true],
      ['row 3', '', false],
    ]);
  });
});

describe('the budget for a web page', () => {
  /** Whether a page can be read with this many cells left. */
  const fits = (html: string, cells: number) => {
    const budget = new ReadingBudget('file', null);
    budget.spendCells(CELL_LIMIT - cells);
    try {
      return tablesOf(html, budget).length > 0;
    } catch {
      return false;
    }
  };

  test.each([
    ['six cells for a row', '<table><tr></tr></table>', 6],
    ['one for each cell', '<table><tr><td>a</td><td>b</td></tr></table>', 8],
    ['those that a cell spans', '<table><tr><td colspan=3 rowspan=4>a</td></tr></table>', 18],
  ])('is %s', (_what, html, cells) => {
    expect([fits(html, cells), fits(html, cells - 1)]).toEqual([true, false]);
  });

  test('is limited to a thousand tables, and to texts that are not too long', () => {
    expect(tablesOf('<table>'.repeat(1000))).toHaveLength(1000);
    expect(() => tablesOf('<table>'.repeat(1001))).toThrow(/more than 1,000 tables/);
    expect(textOf('a'.repeat(LONGEST_CELL))).toHaveLength(LONGEST_CELL);
    expect(() => textOf('a'.repeat(LONGEST_CELL + 1))).toThrow(/One cell of this file holds more/);
  });
});
