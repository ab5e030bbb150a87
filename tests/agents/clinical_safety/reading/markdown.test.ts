import { describe, expect, test } from '@jest/globals';
import { readMarkdownTables } from '../../../../bot/agents/clinical_safety/reading/markdown.ts';
import {
  CELL_LIMIT,
  LONGEST_CELL,
  ReadingBudget,
} from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';

const tablesOf = (text: string, budget = new ReadingBudget('file', null)) => readMarkdownTables(text, budget).tables;
const RULE = '|---|---|';

describe('tables in Markdown', () => {
  test.each<[string, string[][][]]>([
    [
      `| a | b |\n${RULE}\n| 1 | 2 |\n`,
      [
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      ],
    ],
    [
      'a | b\n--- | ---\n1 | 2',
      [
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      ],
    ],
    [
      '| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n',
      [
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      ],
    ],
    [`text\n| a | b |\n${RULE}\ntext\n| 1 | 2 |`, [[['a', 'b']]]],
    [
      `| a | b |\n|:--|--:|\n| 1 | 2 |\n\n| c | d |\n|:-:|---|\n| 3 | 4 |`,
      [
        [
          ['a', 'b'],
          ['1', '2'],
        ],
        [
          ['c', 'd'],
          ['3', '4'],
        ],
      ],
    ],
    [
      '| a | b | c |\n|:-:|:-|-:|\n| 1 | 2 | 3 |',
      [
        [
          ['a', 'b', 'c'],
          ['1', '2', '3'],
        ],
      ],
    ],
    // A heading directly below the first table is one of its rows.
    [
      `| a | b |\n${RULE}\n| c | d |\n${RULE}`,
      [
        [
          ['a', 'b'],
          ['c', 'd'],
          ['---', '---'],
        ],
      ],
    ],
    [`| a | b |\n${RULE}\n  | 1 | 2 |  \n| 3\n| |\n||`, [[['a', 'b'], ['1', '2'], ['3'], [''], ['']]]],
    [
      `| a | b\n${RULE}\n1 | 2 |\n|| 3`,
      [
        [
          ['a', 'b'],
          ['1', '2'],
          ['', '3'],
        ],
      ],
    ],
    [
      '| a | b | c |\n|---|---|---|\n| 1 || 3 |\n|a\\||b|',
      [
        [
          ['a', 'b', 'c'],
          ['1', '', '3'],
          ['a|', 'b'],
        ],
      ],
    ],
  ])('%j', (text, tables) => {
    expect(tablesOf(text)).toEqual(tables);
  });

  test.each(['| - | - |', '|-|-|', '|---|-|', '|:-:|-|'])('have a rule of single dashes in %s', (rule) => {
    expect(tablesOf(`| a | b |\n${rule}\n| 1 | 2 |\n| - | - |`)).toEqual([
      [
        ['a', 'b'],
        ['1', '2'],
        ['-', '-'],
      ],
    ]);
  });

  test.each([
    ['', 'nothing'],
    ['| a | b |', 'no rule'],
    ['a -- b', 'no marks'],
    [`${RULE}\n| 1 | 2 |`, 'a rule in the first line'],
    [`a b\n${RULE}\n| 1 | 2 |`, 'no marks above the rule'],
    ['| a | b |\n\n|---|---|', 'a line between'],
    ['| a | b |\n| --- | x |', 'a word in the rule'],
    ['| a | b |\n|---| |', 'a gap in the rule'],
    ['a | b\n- | -', 'dashes for blank fields'],
    ['| a | b\n| - | -', 'dashes for blank fields, without a bar at the end'],
    ['a | b |\n- | - |', 'dashes for blank fields, without a bar at the start'],
    ['| a | b |\n|---|::--|', 'two colons'],
    ['| a |\n|---|', 'one column'],
    ['| a | b |\n------', 'a rule of one column'],
  ])('do not exist in %j: %s', (text) => {
    expect(tablesOf(text)).toEqual([]);
  });

  test.each([
    ['x \\| y', 'x | y'],
    ['x \\| y \\| z', 'x | y | z'],
    ['a<br>b<br/>c<BR />d', 'a\nb\nc\nd'],
    ['**a** __b__ `c`', 'a b c'],
    ['a*b_c', 'a*b_c'],
    ['**', ''],
    ['[words](https://example.org)', 'words'],
    ['a [b](c) d [e](f) g', 'a b d e g'],
    ['[a](b', '[a](b'],
    ['a](b)', 'a](b)'],
    ['](x) [b](c)', '](x) b'],
    ['[a] [b](c)', '[a] b'],
    ['[[a](b)](c)', '[a](c)'],
    ['a [b] (c)', 'a [b] (c)'],
    ['<b>', '<b>'],
    ['1 < 2', '1 < 2'],
    [' <br> x <br> ', 'x'],
  ])('have the field %j as %j', (field, text) => {
    expect(tablesOf(`| a | b |\n${RULE}\n| ${field} | 2 |`)[0]?.[1]).toEqual([text, '2']);
    expect(tablesOf(`| a | b |\n${RULE}\n| 1 | ${field} |`)[0]?.[1]).toEqual(['1', text]);
  });

  test('cost a cell per field, and are limited to a thousand', () => {
    const fits = (cells: number) => {
      const budget = new ReadingBudget('file', null);
      budget.spendCells(CELL_LIMIT - cells);
      try {
        return tablesOf(`| a | b |\n${RULE}\n| 1 | 2 | 3 |\n`, budget).length > 0;
      } catch {
        return false;
      }
    };
    expect([fits(5), fits(4)]).toEqual([true, false]);
    const many = (count: number) => tablesOf(`|a|b\n${RULE}\n\n`.repeat(count));
    expect(many(1000)).toHaveLength(1000);
    expect(() => many(1001)).toThrow(/more than 1,000 tables/);
    const long = (length: number) => tablesOf(`|${'a'.repeat(length)}|b\n${RULE}`);
    expect(long(LONGEST_CELL)).toHaveLength(1);
    expect(() => long(LONGEST_CELL + 1)).toThrow(/One cell of this file holds more/);
  });

  test('are read down to line 200,000; a longer text without one is left to others', () => {
    const lines = (count: number) => `| a | b |\n${RULE}${'\n'.repeat(count - 2)}`;
    expect(tablesOf(lines(200_000))).toHaveLength(1);
    expect(() => tablesOf(lines(200_001))).toThrow(/has a table in Markdown and more than 200,000 lines/);
    expect(tablesOf(`--|--${'\n'.repeat(200_000)}`)).toEqual([]);
  });
});
