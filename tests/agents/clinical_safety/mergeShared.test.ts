import { describe, expect, test } from '@jest/globals';
import type { Growth } from '../../../bot/agents/clinical_safety/merge/growth.ts';
import { separateShared } from '../../../bot/agents/clinical_safety/merge/sharedFormulas.ts';

/** Three rows under row 3; everything below moves. */
const moved: Growth = { sheet: 'Log', lastRow: 3, added: 3, shift: 3, columns: { first: 1, last: 9 } };
const unmoved: Growth = { ...moved, shift: 0 };

/** A column of shared formulas from a first row on, as a sheet has it. */
const column = (first: number, last: number, text: string, prefix = '') =>
  Array.from({ length: last - first + 1 }, (_, at) => {
    const formula =
      at === 0
        ? `<${prefix}f t="shared" ref="C${first}:C${last}" si="0">${text}</${prefix}f>`
        : `<${prefix}f t="shared" si="0"/>`;
    return `<${prefix}c r="C${first + at}">${formula}<${prefix}v>1</${prefix}v></${prefix}c>`;
  }).join('');
const formulasOf = (xml: string) => [...xml.matchAll(/<(?:x:)?f>([^<]*)</g)].map(([, text]) => text);
const separate = (xml: string, growth = moved, sheet = 'Log', isReplaced?: (row: number, column: number) => boolean) =>
  separateShared(xml, xml.includes('<x:') ? 'x:' : '', sheet, growth, isReplaced);

describe('shared formulas', () => {
  test('stay shared where all of their cells and all that they refer to stay, or all move', () => {
    for (const xml of [
      column(2, 3, 'A2*B2'),
      column(2, 3, '$A$9*B2'),
      column(4, 6, 'A4*B4'),
      column(2, 3, 'A4*B4'),
      column(4, 6, '$A$2'),
    ])
      expect(separate(xml)).toBe(xml);
  });

  test('are written out where some of their cells move and others do not', () => {
    expect(formulasOf(separate(column(3, 4, 'A3*2')))).toEqual(['A3*2', 'A4*2']);
    expect(formulasOf(separate(column(3, 4, 'A3&lt;2', 'x:')))).toEqual(['A3&lt;2', 'A4&lt;2']);
  });

  test('are written out where some of the cells that they refer to move and others do not', () => {
    expect(formulasOf(separate(column(2, 3, 'A3')))).toEqual(['A3', 'A4']);
    expect(separate(column(2, 3, 'A2'))).toContain('t="shared"');
    // Cells below the log that refer to its last rows and beyond.
    expect(formulasOf(separate(column(5, 6, 'A3+$B3')))).toEqual(['A3+$B3', 'A4+$B4']);
  });

  test('of another sheet are written out only for what they refer to on the grown one', () => {
    expect(formulasOf(separate(column(2, 3, 'Log!A3'), moved, 'Summary'))).toEqual(['Log!A3', 'Log!A4']);
    expect(separate(column(3, 4, 'A3'), moved, 'Summary')).toContain('t="shared"');
  });

  test('are written out where a value takes the place of one of them, and only that group', () => {
    const other = '<c r="D2"><f t="shared" ref="D2:D3" si="1">A2</f></c><c r="D3"><f t="shared" si="1"/></c>';
    const xml = separate(column(4, 5, 'A4') + other, unmoved, 'Log', (row, at) => row === 4 && at === 3);
    expect(formulasOf(xml)).toEqual(['A4', 'A5']);
    expect(xml).toContain(other);
    expect(separate(column(4, 5, 'A4'), unmoved)).toContain('t="shared"');
  });
});
