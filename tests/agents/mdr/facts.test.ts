import { describe, expect, test } from '@jest/globals';
import { readDay } from '../../../bot/agents/mdr/facts/readDay.ts';
import { readFacts } from '../../../bot/agents/mdr/facts/readFacts.ts';

const valuesIn = (text: string, asksPurpose = false) =>
  Object.fromEntries(Object.entries(readFacts(text, { asksPurpose }).facts).map(([fact, { value }]) => [fact, value]));

describe('facts in words', () => {
  test.each([
    ['Name: MoleView', { name: 'MoleView' }],
    ['• Users: GPs\n2) Version = 2.1', { users: 'GPs', version: '2.1' }],
    ['The version is now 2.2.', { version: '2.2' }],
    ['Lay users: yes; Market: UK', { lay: 'yes', market: 'uk' }],
    ['Market: UK and EU', { market: 'both' }],
    ['Worst consequence: non-serious', { harm: 'less' }],
    ['Worst consequence: a serious deterioration', { harm: 'serious' }],
    ['Worst consequence: could be fatal', { harm: 'death' }],
    ['Software failure: non-serious injury', { failure: 'minor' }],
    ['Software failure: no injury', { failure: 'none' }],
    ['Decisions: diagnosis', { decisions: 'diagnosis' }],
    ['Decisions: diagnosis and therapy', { decisions: 'both' }],
    ['Decisions: neither', { decisions: 'no' }],
    ['Monitoring: vital processes, no immediate danger', { monitoring: 'vital' }],
    ['Monitoring: vital', { monitoring: 'danger' }],
    ['Driven device: class IIa', { driven: 'IIa' }],
    ['Driven device: class II', {}],
    ['Driven device: class III', { driven: 'III' }],
    ['Certificate date: 29 February 2024', { certified: '2024-02-29' }],
    ['Certificate date: 2023-02-29', {}],
    ['Certificate date: 03/04/2024', {}],
    ['Worst consequence: I don’t know', {}],
    ['What is it?', {}],
  ])('%j: %j', (text, facts) => expect(valuesIn(text)).toEqual(facts));

  test('without labels are the intended purpose, where that was asked for, with the name at the start', () => {
    const text = 'TremorNote is an Android app with which people record tremor.';
    expect(valuesIn(text, true)).toEqual({ name: 'TremorNote', purpose: text, mobile: 'yes' });
    expect(valuesIn(text)).toEqual({ mobile: 'yes' });
    expect(valuesIn('It is an app.', true)).toEqual({ purpose: 'It is an app.' });
  });

  test('that no rule reads are said, each as it stands; what is not known is not', () => {
    const { facts, unread } = readFacts('Market: Mars\nLay users: perhaps\nVersion: skip\nName: X');
    expect(unread).toEqual(['Market: Mars', 'Lay users: perhaps']);
    expect(facts).toEqual({ name: { value: 'X', words: 'Name: X' } });
  });

  test('are cut where they are too long, and keep no line breaks', () => {
    expect(readFacts(`Users: ${'x'.repeat(3000)}`).facts.users?.value).toHaveLength(2000);
  });
});

test.each([
  ['2026-03-01', '2026-03-01'],
  ['1 March 2026', '2026-03-01'],
  ['1st Mar 2026', '2026-03-01'],
  ['31 April 2026', null],
  ['2026-13-01', null],
  ['soon', null],
])('the day in %j is %j', (text, day) => expect(readDay(text)).toBe(day));
