import { describe, expect, test } from '@jest/globals';
import { columnLetters } from '../../../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import {
  listReferences,
  rewriteReferences,
  translateFormula,
} from '../../../../bot/agents/clinical_safety/ooxml/formulaReferences.ts';

/** "Risk matrix!$C$3" for each reference, with its sheet if it has one. */
const referencesOf = (formula: string) =>
  listReferences(formula).map(
    ({ sheet, columnAbsolute, column, rowAbsolute, row }) =>
      `${sheet === null ? '' : `${sheet}!`}${columnAbsolute ? '$' : ''}${columnLetters(column)}${rowAbsolute ? '$' : ''}${row}`,
  );

describe('the references of a formula', () => {
  test.each<[string, string[]]>([
    ['A1', ['A1']],
    ['A1+B2', ['A1', 'B2']],
    ['$A1*A$1*$A$1', ['$A1', 'A$1', '$A$1']],
    ['SUM(A1:B2)', ['A1', 'B2']],
    ['IF(A1,B2,C3)', ['A1', 'B2', 'C3']],
    ['XFD1048576', ['XFD1048576']],
    ['"A1"&B2', ['B2']],
    ['"a ""A1"" b"&C3', ['C3']],
    ['Sheet2!A1', ['Sheet2!A1']],
    ['My_Sheet.v2!B2', ['My_Sheet.v2!B2']],
    ["'Risk matrix'!$C$3:$G$7", ['Risk matrix!$C$3', 'Risk matrix!$G$7']],
    ["'It''s'!A1", ["It's!A1"]],
    // Only the far end of a range is on the sheet of its near end.
    ["'A'!A1:B2+C3", ['A!A1', 'A!B2', 'C3']],
    ["'A'!A1+B2:C3", ['A!A1', 'B2', 'C3']],
    ["'A'!A1,B2", ['A!A1', 'B2']],
    ["'A'!A1+D4:B2", ['A!A1', 'D4', 'B2']],
    ['\'A\'!A1&":"&B2', ['A!A1', 'B2']],
    ["IF('A'!A1,1:1,:B2)", ['A!A1', 'B2']],
    ["'A'!A1:'B'!B2", ['A!A1', 'B!B2']],
    ["'A'!A1:B2:C3", ['A!A1', 'A!B2', 'A!C3']],
    ['Sheet!A1:B2', ['Sheet!A1', 'Sheet!B2']],
    ['[1]Sheet!B2', ['[1]Sheet!B2']],
    ["'[12]A b'!B2:C3", ['[12]A b!B2', '[12]A b!C3']],
    ['A1*[1]Sheet!B2', ['A1', '[1]Sheet!B2']],
    ['A1!B2', ['A1!B2']],
    // Functions, names and numbers that look like cells.
    ['LOG10(5)', []],
    ['LOG10', ['LOG10']],
    ['A1B', []],
    ['A1.5', []],
    ['ABCD1', []],
    ['_A1', []],
    ['x.A1', []],
    ['2A1', []],
    ['$$A1', []],
    ['a1', []],
    ['A1234567', ['A1234567']],
    ['A12345678', []],
    ['#REF!A1', []],
    ['', []],
  ])('%s', (formula, references) => {
    expect(referencesOf(formula)).toEqual(references);
  });

  test('are rewritten, and the rest is unchanged', () => {
    const formula = "\"A1\"&'It''s'!$A$1+ b2 +Sheet!C3:D$4+LOG10(5)";
    expect(rewriteReferences(formula, () => null)).toBe(formula);
    expect(rewriteReferences(formula, (reference) => ({ ...reference, row: reference.row + 10 }))).toBe(
      "\"A1\"&'It''s'!$A$11+ b2 +Sheet!C13:D$14+LOG10(5)",
    );
    expect(
      rewriteReferences('A1+$B$2', (it) => (it.column === 2 ? { ...it, column: 28, rowAbsolute: false } : null)),
    ).toBe('A1+$AB2');
    expect(rewriteReferences('A1', (it) => ({ ...it, columnAbsolute: true, rowAbsolute: true }))).toBe('$A$1');
  });

  test('move with a shared formula, unless they are absolute', () => {
    expect(translateFormula('A1+$A1+A$1+$A$1', 2, 3)).toBe('D3+$A3+D$1+$A$1');
    expect(translateFormula("'A b'!C3:D4", -1, -2)).toBe("'A b'!A2:B3");
    expect(translateFormula('"A1"&1', 2, 3)).toBe('"A1"&1');
  });
});
