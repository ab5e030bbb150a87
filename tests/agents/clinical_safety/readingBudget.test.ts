import { describe, expect, test } from '@jest/globals';
import { HazardFileError } from '../../../bot/agents/clinical_safety/errors.ts';
import { CELL_LIMIT, LONGEST_CELL, ReadingBudget } from '../../../bot/agents/clinical_safety/reading/readingBudget.ts';

/** How many times a budget can be spent, up to a number that none of its limits reaches, and why it stops. */
function spend(each: (budget: ReadingBudget) => void, most: number, budget = new ReadingBudget('workbook', null)) {
  for (let count = 0; count < most; count += 1) {
    try {
      each(budget);
    } catch (error) {
      if (!(error instanceof HazardFileError)) throw error;
      return { count, code: error.code, message: error.message };
    }
  }
  return { count: most, code: null, message: '' };
}
const HALF_CELL = 'a'.repeat(LONGEST_CELL / 2);

describe('the budget for one file', () => {
  test.each<[what: string, each: (budget: ReadingBudget) => void, count: number, says: RegExp]>([
    ['cells', (budget) => budget.spendCells(1000), CELL_LIMIT / 1000, /more than 2,000,000 cells/],
    ['tables', (budget) => budget.spendTable(), 1000, /more than 1,000 tables/],
    ['characters', (budget) => budget.spendText(HALF_CELL), 640, /more than 64 million characters together/],
    ['merged ranges', (budget) => budget.spendMerge(), 250_000, /more than 250,000 merged ranges/],
    ['rows that its sheets reach', (budget) => budget.spendRows(100_000), 45, /near the last row/],
  ])('%s', (_, each, count, says) => {
    const spent = spend(each, count * 2);
    expect(spent).toMatchObject({ count, code: 'too_many_cells', message: expect.stringMatching(says) });
    expect(spent.message).toMatch(/^[A-Z].*try again\.$/);
  });

  test('limits the characters of one cell', () => {
    const budget = new ReadingBudget('file', null);
    expect(budget.spendText('a'.repeat(LONGEST_CELL))).toHaveLength(LONGEST_CELL);
    expect(() => budget.spendText('a'.repeat(LONGEST_CELL + 1))).toThrow(
      /One cell of this file holds more than 200,000/,
    );
  });

  test('limits processor time, checked during the work, if it has a limit', () => {
    const used = new ReadingBudget('workbook', -1);
    expect(spend((budget) => budget.spendWork(500), 10, used)).toMatchObject({ count: 3, code: 'too_costly' });
    expect(spend((budget) => budget.spendCells(2000), 10, new ReadingBudget('workbook', -1)).count).toBe(0);
    expect(spend((budget) => budget.spendMerge(), 9000, new ReadingBudget('workbook', -1)).count).toBe(1999);
    expect(spend((budget) => budget.spendRows(40_000), 10, new ReadingBudget('workbook', -1)).count).toBe(0);
    expect(spend((budget) => budget.spendWork(500), 1000).code).toBeNull();
    expect(spend((budget) => budget.spendWork(500), 1000, new ReadingBudget('workbook', 60_000)).code).toBeNull();
  });
});
