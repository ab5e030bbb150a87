import { describe, expect, test } from '@jest/globals';
import { checkWording } from '../../../bot/engine/llm/phraseAnswer.ts';

const FACTS = 'NRL01 records an initial risk of 2; the matrix gives 3 for Major and Low.';
const answer = (text: string, quotes = ['the matrix gives 3']) => JSON.stringify({ text, quotes });

describe('a model’s wording', () => {
  test('stands where every quote and figure is in the facts', () => {
    const text = 'For NRL01 the matrix gives 3, and the log says 2.';
    expect(checkWording(answer(text), FACTS)).toBe(text);
    expect(checkWording(`\`\`\`json\n${answer(text)}\n\`\`\``, FACTS)).toBe(text);
  });

  test.each([
    ['text that is no JSON', 'NRL01 is wrong'],
    ['a quote that is not in the facts', answer('NRL01 is 2.', ['the matrix says 4'])],
    ['no quote at all', answer('NRL01 is 2.', [])],
    ['a figure of its own', answer('The matrix gives 4 for NRL01.')],
    ['a hazard of its own', answer('NRL02 records 2.')],
    ['a claim of safety', answer('With 3 it is safe.')],
  ])('falls for %s', (_what, given) => {
    expect(checkWording(given, FACTS)).toBeNull();
  });
});
