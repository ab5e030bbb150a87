import { expect, test } from '@jest/globals';
import { askedAgain, saysNotKnown } from '../../../bot/engine/questions/notKnown.ts';

test.each([
  'I don’t know',
  "i don't know.",
  'I do not know yet',
  'I really don’t know that',
  'don’t know',
  'not sure',
  'I’m not sure yet',
  'no idea',
  'I have no idea!',
  'Unknown',
  'n/a',
  'TBC',
  ' ? ',
  '–',
])('“%s” says that nobody knows', (text) => {
  expect(saysNotKnown(text)).toBe(true);
});

test.each([
  'Nurses who don’t know the ward',
  'I don’t know which ward it is, but it is for nurses',
  'Unknown Pleasures',
  'Not sure-fire',
  'No Idea Ltd',
  'Later life planner',
  'Skip',
])('“%s” is not taken for it unless it is only that', (text) => {
  expect(saysNotKnown(text)).toBe(text === 'Skip');
});

test('what is needed is asked once more, with what to do', () => {
  expect(askedAgain('What is it called?')).toBe(
    'I can’t go on without this. If nobody knows it yet, withdraw the question in the inbox. What is it called?',
  );
});
