import { describe, expect, test } from '@jest/globals';
import { bestRows, wordsOf } from '../../../bot/engine/desk/wordsIn.ts';

const rows = [
  { id: 'H-10', title: 'Late result', text: 'A dose is given twice' },
  { id: 'H-1', title: 'Wrong dose', text: 'The unit is hidden' },
  { id: 'H-2', title: 'Dose unit', text: 'Named in H-1' },
];
const find = (text: string, most = 6) =>
  bestRows(rows, wordsOf(text), ['hint', 'hints'], most, ({ id, title, text: further }) => [id, title, further]).map(
    ({ id }) => id,
  );

describe('the words of a search', () => {
  test('are lower case, without blanks, and none twice', () =>
    expect(wordsOf('  Dose\tdose  UNIT ')).toEqual(['dose', 'unit']));
  test('are numbers without their sign', () => expect(wordsOf('question #12 #a')).toEqual(['question', '12', '#a']));
});

describe('the rows that match', () => {
  test('contain every word, in whichever of id, title and text', () => {
    expect(find('dose unit')).toEqual(['H-2', 'H-1']);
    expect(find('dose nothing')).toEqual([]);
  });
  test('begin with the one whose id was typed, then those named so, then those that mention it', () => {
    expect(find('h-1')).toEqual(['H-1', 'H-10', 'H-2']);
    expect(find('dose')).toEqual(['H-1', 'H-2', 'H-10']);
  });
  test('may be named with their kind', () => {
    expect(find('hint h-1')).toEqual(['H-1', 'H-10', 'H-2']);
    expect(find('hints')).toEqual(['H-10', 'H-1', 'H-2']);
    expect(find('question h-1')).toEqual([]);
  });
  test('are at most so many', () => expect(find('dose', 2)).toEqual(['H-1', 'H-2']));
});
