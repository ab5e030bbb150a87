import { expect, test } from '@jest/globals';
import { asksFor, readIntent } from '../../../bot/agents/mdr/intents.ts';

test.each([
  ['Make the technical file', 'file', true],
  ['Marta, please draft Annex II', 'file', true],
  ['Update the technical documentation', 'file', true],
  ['Check our technical file', 'file', true],
  ['Don’t make the technical file yet', null, false],
  ['Which class is it?', 'class', false],
  ['What does Rule 11 say about it?', 'class', true],
  ['Is it a medical device?', 'class', false],
  ['Show the GSPR on security', 'requirements', true],
  ['What is missing?', 'gaps', false],
  ['What is missing in our technical file?', 'gaps', true],
  ['When is the PSUR due?', 'dates', true],
  ['Which products do you know?', 'products', false],
  ['Version: 2.2', 'facts', false],
  ['The market is the UK', 'facts', false],
  ['Is the market UK?', null, false],
  ['Analyse my log', null, false],
  ['Hello', null, false],
])('%j is %s; asked for by name alone: %s', (text, intent, isAsked) => {
  expect(readIntent(text)).toBe(intent);
  expect(asksFor(text)).toBe(isAsked);
});
