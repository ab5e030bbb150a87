import { describe, expect, test } from '@jest/globals';
import { likeness, nameOfSheet } from '../../../../bot/agents/clinical_safety/reading/headingKeys.ts';

describe('the name of a sheet', () => {
  test.each([
    ['Hazard Log', 'hazard log'],
    ['Acme hazard log v2.csv', 'acme hazard log'],
    ['Acme_hazard_log_version_2.1_FINAL.csv', 'acme hazard log'],
    ['hazard-log (3).md', 'hazard log'],
    ['Log2 of ward 7', 'log2 of ward'],
  ])('%s is %s in every version', (name, plain) => expect(nameOfSheet(name)).toBe(plain));
});

describe('two versions of a log', () => {
  const log = (sheet: string, headings: string[]) => ({ sheet, headings });
  const five = ['a', 'b', 'c', 'd', 'e'];

  test('share at least three in five of all headings on sheets of one name', () => {
    expect(likeness(log('log', five), log('log', five))).toBe(2);
    expect(likeness(log('log', five), log('log', ['a', 'b', 'c']))).toBeCloseTo(1.6);
    expect(likeness(log('log', five), log('log', ['a', 'b', 'c', 'f']))).toBe(0);
  });

  test('share at least nine in ten on sheets of other names, and are then less alike', () => {
    const ten = [...five, 'f', 'g', 'h', 'i', 'j'];
    expect(likeness(log('log', ten), log('dch log', ten.slice(1)))).toBeCloseTo(0.9);
    expect(likeness(log('log', ten), log('dch log', ten.slice(2)))).toBe(0);
    expect(likeness(log('log', []), log('log', []))).toBe(0);
  });
});
