import { expect, test } from '@jest/globals';
import { withoutCall } from '../../../bot/engine/intents/withoutCall.ts';

test.each([
  ['@Dara design a screen', 'design a screen'],
  ['Dara, design a screen', 'design a screen'],
  ['hi @dara: design a screen', 'design a screen'],
  ['Design a screen for Dara', 'Design a screen for Dara'],
  ['Dara’s screen', 'Dara’s screen'],
  ['Daral design a screen', 'Daral design a screen'],
  ['@Dara', '@Dara'],
  ['@Dara ', '@Dara '],
])('“%s” asks “%s”', (text, asks) => {
  expect(withoutCall(text, 'Dara')).toBe(asks);
});
