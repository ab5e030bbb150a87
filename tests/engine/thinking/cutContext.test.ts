import { expect, test } from '@jest/globals';
import { CUT, cutContext } from '../../../bot/engine/thinking/cutContext.ts';
import type { Entry } from '../../../bot/engine/thinking/transcript.ts';

const LONG = 1000;
const reply = (text: string): Entry => ({ kind: 'reply', text, calls: [] });
const result = (letter: string): Entry => ({
  ...{
    kind: 'result',
    id: letter,
    name: 'look',
    isOk: true,
    sources: [],
    outside: [],
    terms: [],
    sides: [],
    isOfCompany: false,
  },
  text: letter.repeat(LONG),
});
const ALL = [reply('a'), result('b'), reply('c'), result('d'), reply('e'), result('f')];
/** Characters of all texts, and of the empty lists of calls. */
const SIZE = 3 * LONG + 3 + 3 * 2;
const textsOf = (max: number) => cutContext(ALL, max).map(({ text }) => (text === CUT ? 'cut' : text[0]));

test('what fits stays whole, to the character', () => {
  expect(textsOf(SIZE)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(textsOf(SIZE - 1)).toEqual(['a', 'cut', 'c', 'd', 'e', 'f']);
});

test('the oldest results go first, and only as many as have to', () => {
  const one = SIZE - LONG + CUT.length;
  expect(textsOf(one)).toEqual(['a', 'cut', 'c', 'd', 'e', 'f']);
  expect(textsOf(one - 1)).toEqual(['a', 'cut', 'c', 'cut', 'e', 'f']);
});

test('what the model asked for last stays, however long it is', () => {
  expect(textsOf(0)).toEqual(['a', 'cut', 'c', 'cut', 'e', 'f']);
});

test('the transcript itself stays as it is', () => {
  cutContext(ALL, 0);
  expect(ALL[1]?.text).toBe('b'.repeat(LONG));
});
