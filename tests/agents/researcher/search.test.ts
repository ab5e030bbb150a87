import { describe, expect, test } from '@jest/globals';
import { checkQuotes, describeBrief } from '../../../bot/agents/researcher/brief/brief.ts';
import { asksFor, readIntent, subjectOf } from '../../../bot/agents/researcher/intents.ts';
import { findPassages, namesSubject } from '../../../bot/agents/researcher/search/findPassages.ts';
import { termsOf } from '../../../bot/agents/researcher/search/terms.ts';
import { stemOf } from '../../../bot/engine/documents/stems.ts';

describe('words', () => {
  test.each([
    ['rounding', 'rounded'],
    ['doses', 'dose'],
    ['policies', 'policy'],
    ['kept', 'keep'],
    ['company’s', 'company'],
    ['planned', 'planning'],
  ])('%s and %s are one', (one, other) => {
    expect(stemOf(one)).toBe(stemOf(other));
  });

  test.each([
    ['class', 'clas'],
    ['red', 'reed'],
  ])('%s and %s are two', (one, other) => {
    expect(stemOf(one)).not.toBe(stemOf(other));
  });

  test('of a question are those of its subject, each once, and twelve at most', () => {
    expect(termsOf('What do our documents say about the dose, doses and 2.5 mg?').map(({ text }) => text)).toEqual([
      'dose',
      '2.5',
      'mg',
    ]);
    const many = Array.from({ length: 13 }, (_, at) => `${String.fromCharCode(97 + at).repeat(5)}x`).join(' ');
    expect(termsOf(many)).toHaveLength(12);
    expect([namesSubject('What do our documents say?'), namesSubject('dose')]).toEqual([false, true]);
  });
});

describe('passages', () => {
  const find = (question: string, text: string, name = 'A.md') => findPassages(question, [{ name, text }]);
  const quotes = (question: string, text: string, name?: string) =>
    find(question, text, name).passages.map(({ quote }) => quote);

  test('are sentences word for word, with heading and line', () => {
    expect(
      find('cold chain', '# Storage\n\nText here now.\n- The cold chain is kept by Dr. Osei. It is long.').passages,
    ).toMatchObject([{ document: 'A.md', line: 4, heading: 'Storage', quote: 'The cold chain is kept by Dr. Osei.' }]);
  });

  test('may get a part of the question from their heading, but not all of it', () => {
    expect(quotes('fridge alarm', '# Fridge\n\nThe alarm is loud today.\nThe door is white today.')).toEqual([
      'The alarm is loud today.',
    ]);
  });

  test('hold a word of the question themselves; those that hold more of it come before those under a heading of it', () => {
    expect(quotes('fridge alarm', '# Fridge alarm\n\nThe door is white today.')).toEqual([]);
    const under = Array.from({ length: 6 }, (_, at) => `The alarm number ${at} rings.`);
    const text = ['# Fridge', '', ...under, '', '# Other', '', 'The fridge alarm is loud.'].join('\n');
    expect(quotes('fridge alarm', text)).toEqual([...under.slice(0, 5), 'The fridge alarm is loud.']);
  });

  test('of a table know the names of its columns', () => {
    expect(quotes('temperature 8.6', 'Date,Temperature\n2026-05-02,8.6 °C', 'Log.csv')).toEqual(['2026-05-02,8.6 °C']);
  });

  test('are each text once, six of a document and fourteen in all', () => {
    const text = Array.from({ length: 8 }, (_, at) => `The alarm number ${at} rings.`).join('\n');
    expect(quotes('alarm', text)).toHaveLength(6);
    expect(quotes('alarm', 'The alarm rings loud.\nThe alarm rings loud.')).toHaveLength(1);
    const documents = ['A.md', 'B.md', 'C.md'].map((name) => ({ name, text }));
    expect(findPassages('alarm', documents).passages).toHaveLength(14);
  });

  test('are none where most of the question is in no document; its words are named', () => {
    expect(find('insurance of dragons at night', 'The night is dark here.')).toMatchObject({
      passages: [],
      missing: ['insurance', 'dragons'],
    });
    expect(find('dark dragons', 'The night is dark here.')).toMatchObject({
      passages: [{ line: 1 }],
      missing: ['dragons'],
    });
  });

  test('know which documents were not read', () => {
    const found = findPassages('night', [
      { name: 'A.pdf', text: null },
      { name: 'B.md', text: 'The night is dark.' },
    ]);
    expect(found).toMatchObject({ read: 1, unread: ['A.pdf'] });
  });
});

describe('a brief', () => {
  const documents = [{ name: 'A.md', text: '# Rule\n\nThe **cold** chain is kept.' }];
  const found = findPassages('cold chain', documents);

  test('numbers each quote and says where it stands, what is missing and what was not read', () => {
    expect(
      describeBrief({ question: 'cold chain', found: { ...found, missing: ['cats'], unread: ['B.pdf'] } }).split('\n'),
    ).toEqual([
      '**cold chain**',
      '**A.md**',
      '• “The cold chain is kept.” [1]',
      '**What is not in them**',
      '• 1 sentence of 1 document speaks of it; 1 document was read.',
      '• In none of them: “cats”.',
      '• Not read: B.pdf.',
      '• Sentences were found by words. One that says it in other words is not here, and none was judged to be right or up to date.',
      '**Sources**',
      '[1] A.md, “Rule”, line 3',
    ]);
  });

  test('is refused where a quote does not stand in its document', () => {
    expect(checkQuotes(found.passages, documents)).toEqual([]);
    const [passage] = found.passages;
    expect(checkQuotes([{ ...passage, quote: 'The cold chain is kept well.' } as never], documents)).toEqual([
      '“The cold chain is kept well.” is not in A.md.',
    ]);
    expect(checkQuotes([{ ...passage, document: 'B.md' } as never], documents)).toHaveLength(1);
  });
});

test.each([
  ['What do our documents say about dose rounding?', 'brief', 'dose rounding'],
  ['Please write a short brief on leavers.', 'brief', 'leavers'],
  ['Research the duty manager', 'brief', 'the duty manager'],
  ['Which briefs have you written?', 'briefs', 'Which briefs have you written'],
  ['Don’t write a brief yet', null, 'Don’t write a brief yet'],
  ['How long are backups kept?', null, 'How long are backups kept'],
] as const)('“%s” is read as %s, about “%s”', (text, intent, subject) => {
  expect([readIntent(text), subjectOf(text), asksFor(text)]).toEqual([intent, subject, intent === 'brief']);
});
