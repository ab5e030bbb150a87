import { describe, expect, test } from '@jest/globals';
import { unfoldCards } from '../../../../bot/agents/clinical_safety/reading/unfoldCards.ts';
import { type CellSpec, makeGrid } from '../../../factories/grid.ts';

/** The lines of a card that its small tables are read into. */
const lines = (...rows: CellSpec[][]) =>
  unfoldCards(makeGrid('Card', [['Hazard ID', 'H1'], ...rows]))
    .rows.slice(2)
    .map((row) => (row ?? []).flatMap((cell) => cell?.text ?? []))
    .filter((row) => row.length > 0);

describe('a small table inside a card', () => {
  const PAIRS: CellSpec[][] = [
    ['Severity', 'Major', 'Severity', 'Minor'],
    ['Likelihood', 'High', 'Likelihood', 'Low'],
  ];

  test('has the ratings before and after side by side', () => {
    expect(lines(['Risk before control', '', 'Risk after control'], ...PAIRS)).toEqual([
      ['Initial severity', 'Major'],
      ['Residual severity', 'Minor'],
      ['Initial likelihood', 'High'],
      ['Residual likelihood', 'Low'],
    ]);
  });

  test('says nothing of the phases where both sides are of one', () => {
    const read = lines(['Risk after control', '', 'Residual risk'], ...PAIRS);
    expect(read.flat().filter((text) => text.startsWith('Initial'))).toEqual([]);
    expect(read.filter(([heading]) => heading === 'Residual severity')).toEqual([]);
  });

  test('has ratings beside their numbers, or below a line of its own', () => {
    expect(
      lines(['Assessment', 'Before controls', 'After controls', '', 'numeric'], ['Severity', 'Major', 'Minor', '', 4]),
    ).toEqual([
      ['Initial severity', 'Major'],
      ['Residual severity', 'Minor'],
    ]);
    expect(lines(['Risk without safeguards'], ['', 'Severity', 'Likelihood'], ['', 4, 3])).toEqual([
      ['Initial severity', '4'],
      ['Initial likelihood', '3'],
    ]);
  });

  test('lists controls, without those that are not in place', () => {
    expect(
      lines(['Control type', 'Control', 'Implemented?'], ['Design', 'Hard stop', 'Yes'], ['Training', 'Leaflet', 'No']),
    ).toEqual([['Control 1', 'Hard stop']]);
  });
});
