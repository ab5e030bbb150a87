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
    expect(check('You asked about a risk of 3.', { question }).faults).toEqual([]);
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

describe('figures in words', () => {
  const about = [
    result('25 hazards, 20 with an owner and 5 without. 1,205 rows.'),
    result('72% are rated. QM-04 was closed on 2026-03-12.'),
  ];
  const faultsOf = (answer: string) => checkAnswer(answer, { question: 'How many?', results: about }).faults;

  test.each([
    'There are twenty-five hazards.',
    'Twenty have an owner and five have none.',
    'One thousand two hundred and five rows.',
    'Seventy-two per cent are rated.',
    '72 percent are rated.',
    'QM-04 was closed on 12 March 2026.',
    'Five may be open.',
    'One of them may be open.',
  ])('stand where the results say them: %s', (answer) => {
    expect(faultsOf(answer)).toEqual([]);
  });

  test.each([
    'There are twenty-four hazards.',
    'There are thirty hazards.',
    'There are a hundred hazards.',
    'There are two dozen hazards.',
    'There are hundreds of hazards.',
    'Five hundred rows.',
    'One thousand two hundred and six rows.',
    '25% are rated.',
    'Twenty-five per cent are rated.',
    'Half are rated.',
    'Two thirds are rated.',
    'A quarter is rated.',
    'QM-04 was closed on 12 April 2026.',
    'QM-04 was closed on April 12.',
    '２６ hazards.',
    '½ are rated.',
    '⑦ hazards.',
  ])('go where no result says them: %s', (answer) => {
    expect(faultsOf(answer)).toEqual(['figure']);
  });

  test('of other scripts can’t be checked', () => {
    expect(faultsOf('٢٥ hazards.')).toEqual(['disguise']);
  });
});

test('a share proves its number', () => {
  const results = [result('72% are rated.')];
  expect(checkAnswer('The share is 72.', { question: 'How many?', results }).faults).toEqual([]);
});

describe('what is said of many', () => {
  const sorted = [
    result('The highest of 25 by residual risk:\n• QM-04: Dose is late (risk 4)\n• QM-07: Wrong patient (risk 2)'),
    result('5 hazards of 5 have an owner. 12 hazards have a risk above 2.'),
    result('QM-09: No control is recorded.\nRisk 3.'),
  ];
  const faultsOf = (answer: string) => checkAnswer(answer, { question: 'Which?', results: sorted }).faults;

  test.each([
    'The highest risk is 4.',
    'All 5 hazards have an owner.',
    'Every hazard has an owner.',
    '12 hazards have a risk of more than 2.',
    'QM-09 has no control.',
    'This one is late: QM-04.',
  ])('stands where a tool says so: %s', (answer) => {
    expect(faultsOf(answer)).toEqual([]);
  });

  test.each([
    ['of most', 'Most of them have an owner.'],
    ['of several', 'Several hazards are late.'],
    ['of the only one', 'The only late hazard is QM-04.'],
    ['the other end of the order', 'QM-04 has the lowest risk.'],
    ['a place in the order', 'The second of them is QM-07.'],
    ['a place in digits', 'It is the 2nd.'],
    ['the other bound', '12 hazards have a risk below 2.'],
    ['an inclusive bound', '12 hazards have a risk of at least 2.'],
    ['a range', 'Their risks are between 2 and 4.'],
    ['a range in digits', 'Their risks are 2-4.'],
    ['a change over time', 'The risk of QM-04 has increased to 4.'],
  ])('goes where no tool says it: %s', (_what, answer) => {
    expect(faultsOf(answer)).toEqual(['sweep']);
  });

  test('of all goes where no tool says all', () => {
    expect(check('All hazards are closed.').faults).toEqual(['sweep']);
    expect(check('Both are open.').faults).toEqual(['sweep']);
  });

  test('counts one where one is counted', () => {
    expect(check('Only one is open.').faults).toEqual(['figure']);
    expect(check('One hazard is open.').faults).toEqual(['figure']);
    expect(check('QM-04 is one of them.').faults).toEqual([]);
  });

  test('says none of an item only where a line about it does', () => {
    expect(faultsOf('QM-04 has no control.')).toEqual(['figure']);
  });
});

describe('a count of zero', () => {
  const faultsOf = (answer: string, text: string) =>
    checkAnswer(answer, { question: 'Is none open?', results: [result(text)] }).faults;

  test.each([
    'No hazards are open.',
    'None of them is open.',
    'There are no open hazards.',
    'Not a single one is open.',
  ])('stands where a result says that something is not there: %s', (answer) => {
    expect(faultsOf(answer, '2 hazards are open.')).toEqual(['figure']);
    expect(faultsOf(answer, '0 hazards of 25 are open.')).toEqual([]);
    expect(faultsOf(answer, 'Nothing is open.')).toEqual([]);
  });
});

describe('a word in disguise', () => {
  const rated: Result = { ...result('QM-04: Dose is late\nRisk: Medium.'), terms: ['Low', 'Medium'] };
  const faultsOf = (answer: string) => checkAnswer(answer, { question: 'How?', results: [rated] }).faults;

  test.each([
    ['a style within a word', 'QM-04 has a risk of **L**ow.', 'term'],
    ['another style', 'QM-04 has a risk of `L`ow.', 'term'],
    ['an invisible character', 'QM-04 has a risk of L\u200bow.', 'term'],
    ['a soft hyphen', 'QM-04 is s\u00adafe.', 'claim'],
    ['full-width letters', 'QM-04 has a risk of Ｌｏｗ.', 'term'],
    ['a letter of another script', 'QM-04 has a risk of L\u043ew.', 'disguise'],
    ['a Greek letter', 'QM-04 has a risk of L\u03bfw.', 'disguise'],
    ['a hyphen of another kind', 'QM\u201105 is open.', 'id'],
  ] as const)('is read as people see it: %s', (_what, answer, fault) => {
    expect(faultsOf(answer)).toEqual([fault]);
  });

  test('is not what the answer or a result only styles', () => {
    expect(faultsOf('**QM-04** has a risk of _Medium_, called “dose is late”.')).toEqual([]);
    const results = [result('* **QM-04**: the dose in μg is ５')];
    expect(checkAnswer('* QM-04 has 5 μg.', { question: 'How?', results })).toEqual({
      text: '* QM-04 has 5 μg.',
      faults: [],
    });
  });
});

test.each([
  'It’s safe.',
  "That's compliant.",
  'You’re safe to go live.',
  'QM-04 is, in our view, safe.',
  'QM-04 is entirely and fully safe.',
  'The change can be used safely.',
  'It is risk-free.',
  'QM-04 poses no danger.',
  'QM-04 isn’t dangerous.',
  'Patients won’t be harmed.',
  'QM-04 is not unsafe.',
  'There is nothing to worry about.',
  'The risk is ALARP.',
  'The risk has been reduced as far as possible.',
  'The log is in compliance with the standard.',
  'The product is fit for clinical use.',
  'This is ready for release.',
  'Safe: yes.',
])('a claim in other words goes: %s', (answer) => {
  expect(check(answer).faults).toEqual(['claim']);
});

test.each([
  'I lowered it.',
  'I’ve gone ahead and closed QM-04.',
  'I have successfully updated the log.',
  'We just raised it.',
  'QM-04 is now closed.',
  'QM-04 was closed by me.',
  'Done.',
])('a deed in other words goes: %s', (answer) => {
  expect(check(answer).faults).toEqual(['deed']);
  expect(check(answer, { deeds: true }).faults).toEqual([]);
});

test.each([
  'See evil.example.com/fix.',
  'See example.co.uk for QM-04.',
  'Write to ada@example.test.',
  'Open mailto:ada.',
  'Open ftp://files.',
  'Open //files/log.',
  'Open hxxp://files.',
  'Open example[.]test.',
  'Open example。com now.',
  'Open [the log] (files).',
  '[log]: files',
])('an address in another notation goes: %s', (answer) => {
  expect(check(answer).faults).toEqual(['link']);
});

test('a file’s name is no address', () => {
  expect(check('The log is hazards.xlsx, e.g. its first sheet.').faults).toEqual([]);
});
