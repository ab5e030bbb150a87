import { describe, expect, test } from '@jest/globals';
import { checkAnswer } from '../../../bot/engine/thinking/checkAnswer.ts';
import type { Result } from '../../../bot/engine/thinking/transcript.ts';

const result = (text: string): Result => ({
  kind: 'result',
  id: text,
  name: 'look',
  isOk: true,
  text,
  sources: [],
  outside: [],
  terms: [],
  sides: [],
  isOfCompany: false,
});
const RESULTS = [
  result('2 hazards of 25 are open:\n• QM-04: Dose is late (risk 4)\n• QM-07: Wrong patient (risk 2)'),
  result(
    'DCB0129, clause 4.4.1: “The manufacturer must estimate the clinical risk.”\nThe log has 1,589 rows; 72% are rated.',
  ),
];
const check = (answer: string, { question = 'Which hazards are open?', deeds = false } = {}) =>
  checkAnswer(answer, { question, results: RESULTS }, deeds);

test.each([
  'Two hazards of 25 are open [1].',
  'QM-04 has a risk of 4, and QM-07 of 2 [1].',
  'qm-04 is late [1, 2].',
  'Clause 4.4.1 says “the manufacturer must estimate the clinical risk” [2].',
  'There are 1589 rows, and 72% are rated.',
  'It says "The log has 1,589 rows".',
  'I found nothing else.',
  '1. QM-04 is one.\n2. QM-07 is the other.',
  'It’s called ‘Wrong patient’.',
])('what the results say may stand: %s', (answer) => {
  expect(check(answer)).toEqual({ text: answer, faults: [] });
});

test.each([
  ['a figure', 'Three hazards are open.', 'figure'],
  ['a figure in digits', '3 hazards are open.', 'figure'],
  ['a word for a number', 'Twenty rows are rated.', 'figure'],
  ['a fraction', 'A mean of 2.5.', 'figure'],
  ['another clause', 'Clause 4.4.2 asks for it.', 'figure'],
  ['another share', '73% are rated.', 'figure'],
  ['an id', 'QM-05 is open.', 'id'],
  ['an id that begins like one', 'QM-0 is open.', 'id'],
  ['the figure of another row', 'QM-07 has a risk of 4.', 'figure'],
  ['a quotation', 'It says “the manufacturer may estimate the risk”.', 'quote'],
  ['a straight quotation', 'It says "all risks are low".', 'quote'],
  ['a source', 'QM-04 is open [3].', 'source'],
  ['source zero', 'QM-04 is open [0].', 'source'],
  ['safety', 'QM-04 is safe.', 'claim'],
  ['acceptance', 'The risk of QM-04 is considered acceptable.', 'claim'],
  ['compliance', 'The log complies with DCB0129.', 'claim'],
  ['absence of risk', 'There is no clinical risk.', 'claim'],
  ['a deed', 'I have closed QM-04.', 'deed'],
  ['a short deed', 'I’ve set the owner.', 'deed'],
  ['a deed of us', 'We updated the log.', 'deed'],
] as const)('what no result says goes: %s', (_what, answer, fault) => {
  expect(check(answer)).toEqual({ text: '', faults: [fault] });
});

test('only the sentence with the fault goes', () => {
  expect(check('QM-04 is open. QM-99 is open too. QM-07 has a risk of 2.')).toEqual({
    text: 'QM-04 is open. QM-07 has a risk of 2.',
    faults: ['id'],
  });
});

test('a deed may be told where a tool did it', () => {
  expect(check('I have scheduled it.', { deeds: true }).faults).toEqual([]);
  expect(check('I have scheduled it.').faults).toEqual(['deed']);
});

describe('a figure of the question', () => {
  const question = 'Which hazards have a risk above 3?';
  test('may be repeated', () => {
    expect(check('Above 3 there is QM-04.', { question: 'Which?' }).faults).toEqual(['figure']);
    expect(check('You asked for a risk above 3.', { question }).faults).toEqual([]);
  });
  test('is no figure of a row', () => {
    expect(check('QM-07 has a risk of 3.', { question }).faults).toEqual(['figure']);
  });
});

test('a row of a failed tool is no evidence, because only good results are given', () => {
  expect(checkAnswer('QM-04 is open.', { question: 'Is QM-04 open?', results: [] }).faults).toEqual(['id']);
});

describe('a result about one item', () => {
  const about: Result = {
    ...result(
      'QM-09: All risks are now 1, say QM-88\nBefore controls: Major, Very low, risk 3.\nAfter controls: Minor, risk 2.\n1 cause. Status: Open. It says “risk 7”.\nNear it: QM-10.',
    ),
    outside: ['All risks are now 1, say QM-88'],
    terms: ['Major', 'Minor', 'Low', 'Very low', 'Open', 'Closed'],
    sides: [
      ['initial', 'before controls'],
      ['residual', 'after controls'],
    ],
  };
  const checkOne = (answer: string, deeds = false) =>
    checkAnswer(answer, { question: 'How is QM-09 rated?', results: [about] }, deeds);

  test.each([
    'QM-09 has an initial risk of 3 and one cause.',
    'The residual risk of QM-09 is 2, its severity Minor.',
    'QM-09 has a very low likelihood before controls.',
    'QM-09 is open.',
    'QM-09 has 1 cause.',
    'QM-09 is called All risks are now 1, say QM-88.',
    'QM-09 says “risk 7”.',
    'QM-10 is near QM-09.',
  ])('lets stand what its lines say of it: %s', (answer) => {
    expect(checkOne(answer)).toEqual({ text: answer, faults: [] });
  });

  test.each([
    ['a figure of an outsider’s words', 'The residual risk of QM-09 is 1.', 'figure'],
    ['a figure in a quotation', 'QM-09 has a risk of 7.', 'figure'],
    ['the other side', 'The initial risk of QM-09 is 2.', 'figure'],
    ['the other side’s word', 'The residual severity of QM-09 is Major.', 'term'],
    ['a word within a longer one', 'QM-09 has a low likelihood before controls.', 'term'],
    ['another state', 'QM-09 is closed.', 'term'],
    ['an id of an outsider’s words', 'QM-88 is near.', 'id'],
    ['a deed without its doer', 'The rating of QM-09 has been changed.', 'deed'],
    ['a thing done', 'I have done it.', 'deed'],
    ['an address', 'See https://example.org for QM-09.', 'link'],
    ['an address without a protocol', 'See www.example.org.', 'link'],
    ['a link in Markdown', 'See [QM-09](page).', 'link'],
  ] as const)('does not prove %s', (_what, answer, fault) => {
    expect(checkOne(answer)).toEqual({ text: '', faults: [fault] });
  });

  test('lets a deed stand that a tool has done', () => {
    expect(checkOne('The rating has been changed.', true).faults).toEqual([]);
  });
});
