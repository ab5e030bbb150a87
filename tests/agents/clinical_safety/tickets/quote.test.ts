import { describe, expect, test } from '@jest/globals';
import { quoteFrom } from '../../../../bot/agents/clinical_safety/tickets/quote.ts';

import { termsOf } from '../../../../bot/agents/clinical_safety/tickets/words.ts';

describe('a quote', () => {
  const about = new Set(termsOf('allergy panel empty service fails prescribing'));
  const quote = (summary: string, description = '') => quoteFrom({ key: 'A-1', summary, description }, about);

  test.each([
    [
      'the summary, if the description adds nothing',
      ' Allergy panel is empty ',
      'The allergy panel is empty.',
      'Allergy panel is empty',
    ],
    ['the summary, if neither matches', 'Screen is wrong', 'Nothing else is known of it.', 'Screen is wrong'],
    [
      'a sentence that matches clearly better',
      'Wrong',
      'Intro to it. The allergy panel is empty. Bye now to all.',
      'The allergy panel is empty.',
    ],
    [
      'the first of two sentences that say as much',
      'Wrong',
      'The allergy panel is empty\nThe empty panel of allergy',
      'The allergy panel is empty',
    ],
    ['an item of a list, without its mark', 'Wrong', '* > The allergy panel is empty', 'The allergy panel is empty'],
    [
      'words of the summary that weigh a little more than the description’s',
      'Allergy',
      'The allergy panel was there',
      'Allergy',
    ],
    [
      'a line without the spaces around it',
      'Wrong',
      'The allergy panel is empty \t\nNothing else',
      'The allergy panel is empty',
    ],
    ['nothing that is shorter than twelve letters', 'Wrong', 'Panel empty', 'Wrong'],
    ['twelve letters', 'Wrong', 'Panel empty!', 'Panel empty!'],
    ['the description, without a summary', '', 'It is about a panel.', 'It is about a panel.'],
    ['empty, if the description does not match and there is no summary', '', 'Nothing else is known of it.', ''],
    ['nothing after eight thousand letters', 'Wrong', `${'x'.repeat(7990)}\nThe allergy panel is empty`, 'Wrong'],
    [
      'words up to eight thousand letters',
      'Wrong',
      `${'x'.repeat(7973)}\nThe allergy panel is empty`,
      'The allergy panel is empty',
    ],
  ])('is %s', (_what, summary, description, words) => {
    expect(quote(summary, description)).toBe(words);
  });

  test('has at most 240 characters and is cut at a word, if that leaves more than eighty', () => {
    const words = (first: number, rest: number) => `${'a'.repeat(first)} ${'b'.repeat(rest)}`;
    expect(quote('a'.repeat(240))).toHaveLength(240);
    expect(quote('a'.repeat(241))).toHaveLength(240);
    expect(quote(words(200, 39))).toBe(words(200, 39));
    expect(quote(words(81, 200))).toBe('a'.repeat(81));
    expect(quote(words(80, 200))).toBe(words(80, 159));
    expect(quote(words(240, 20))).toBe('a'.repeat(240));
    expect(quote(words(239, 20))).toBe('a'.repeat(239));
    expect(quote(`${'a'.repeat(100)}  ${'b'.repeat(200)}`)).toBe('a'.repeat(100));
  });

  test('weighs a long sentence less for its other words', () => {
    const rest = 'while users of many other wards wait hours near lifts beside stairs under lamps';
    const long = `The allergy panel service ${rest}`;
    expect(quote('', `${long}\nThe allergy panel there`)).toBe('The allergy panel there');
    // A sentence of fewer than six words weighs as much as one of six.
    const few = 'The allergy goes alone';
    const withMany = (count: number) =>
      `Allergy panel ${Array.from({ length: count }, (_, at) => `w${at}x`).join(' ')}`;
    expect(quote('', `${few}\n${withMany(20)}`)).toBe(withMany(20));
    expect(quote('', `${few}\n${withMany(28)}`)).toBe(few);
  });
});

describe('a quote of a ticket that also tells of its fix', () => {
  const about = new Set(termsOf('dose rounding wrong unit chart'));
  const quote = (summary: string, description = '') => quoteFrom({ key: 'A-1', summary, description }, about);

  test.each([
    [
      'the sentence that fails, not the summary that mends it',
      'Add rounding of the dose unit to the chart',
      'The dose on the chart has the wrong unit.',
      'The dose on the chart has the wrong unit.',
    ],
    [
      'not what stands under the heading of the fix',
      'Screen',
      'The dose is rounded.\n## Fix\nThe wrong dose unit of the chart is rounded before it is shown.\n## Steps\nOpen it.',
      'The dose is rounded.',
    ],
    [
      'what stands under the next heading again',
      'Chart',
      'Expected result:\nDose rounding of the unit on the chart.\nActual result:\nThe chart has the wrong dose.',
      'The chart has the wrong dose.',
    ],
    ['what was mended, without the word for it', 'Fix wrong dose rounding', '', 'wrong dose rounding'],
    ['the fix, where the ticket says nothing else', 'Add dose rounding', 'Nothing else is known.', 'Add dose rounding'],
  ])('is %s', (_what, summary, description, words) => {
    expect(quote(summary, description)).toBe(words);
    expect(`${summary}\n${description}`).toContain(words);
  });

  test('prefers what fails to a neutral sentence that says as much', () => {
    expect(quote('', 'The dose on the chart is old.\nThe dose on the chart is lost.')).toBe(
      'The dose on the chart is lost.',
    );
  });
});
