import { describe, expect, test } from '@jest/globals';
import { hazardReview } from '../../../../bot/agents/clinical_safety/questions/hazardReview.ts';
import type { Addition, NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { type QuestionRow, withOption } from '../../../../models/contracts/questionRows.ts';
import { codeOfRow, describeOption } from '../../../../models/contracts/rowOptions.ts';
import { makeInterrupt, makeProposal } from '../../../factories/interrupt.ts';

const VALUES = makeProposal().values;
const FIRST = { kbId: 'MED-02', title: 'Wrong dose', category: 'Medicines', score: 3 };
const OTHER = {
  kbId: 'RES-01',
  title: 'Late result',
  category: 'Results',
  score: 2.456,
  values: { ...VALUES, name: 'Result is late' },
  suggested: { severity: 'Minor', likelihood: 'High', risk: 2 },
};
const open = (more: Partial<NewHazard> = {}) => makeProposal({ sure: false, candidates: [FIRST, OTHER], ...more });
const viewOf = (rows: NewHazard[] | undefined, mode: ConsentMode = 'full') =>
  hazardReview.rows?.({ context: { rows } } as never, mode);
const rowOf = (proposal: NewHazard, mode: ConsentMode = 'full') => viewOf([proposal], mode)?.rows[0];

test('a hazard review has the fields of a hazard: a name is required, and its controls are side by side', () => {
  expect(viewOf([])).toEqual({
    noun: { one: 'proposal', many: 'proposals' },
    sources: { one: 'ticket', many: 'tickets' },
    headings: { row: 'Proposal', quotes: 'What the tickets say', grade: 'Suggested' },
    fields: [
      ['name', 'Hazard', true, false],
      ['description', 'Description', false, false],
      ['cause', 'Cause', false, false],
      ['clinicalImpact', 'Clinical impact', false, false],
      ['controlDesign', 'Design control', false, true],
      ['controlTest', 'Test control', false, true],
      ['controlTraining', 'Training control', false, true],
      ['controlBusiness', 'Business process control', false, true],
    ].map(([name, label, required, half]) => ({ name, label, required, half })),
    reasons: [],
    rows: [],
  });
  expect(viewOf(undefined)?.rows).toEqual([]);
});

describe('a proposal under consent', () => {
  const GRADE = { value: 3, texts: ['Major', 'Medium'] };

  test('has all its words with full consent', () => {
    expect(rowOf(open())).toEqual({
      id: 'p1',
      name: 'H1',
      title: VALUES.name,
      group: 'Medicines',
      values: VALUES,
      quotes: [{ text: 'Dose in the wrong unit', source: 'EX-1', field: 'cause' }],
      grade: GRADE,
      option: 'MED-02',
      options: [
        { id: 'MED-02', title: 'Wrong dose', note: 'closest', group: 'Medicines', values: null, grade: GRADE },
        {
          id: 'RES-01',
          title: 'Late result',
          note: null,
          group: 'Results',
          values: OTHER.values,
          grade: { value: 2, texts: ['Minor', 'High'] },
        },
      ],
      earlier: null,
      isWeak: true,
    });
  });

  test('has each ticket’s words beside the causes where they tell what fails, else beside the description', () => {
    const evidence = [
      { ticketKey: 'EX-1', summary: 'Dose in the wrong unit', quote: 'Dose in the wrong unit' },
      { ticketKey: 'EX-2', summary: 'Add a check of the unit', quote: 'Add a check of the unit' },
    ];
    expect(rowOf(open({ evidence }))?.quotes.map(({ source, field }) => [source, field])).toEqual([
      ['EX-1', 'cause'],
      ['EX-2', 'description'],
    ]);
  });

  test.each<[sure: boolean, tickets: number, isWeak: boolean]>([
    [true, 2, false],
    [true, 1, true],
    [false, 2, true],
  ])('sure %s, with %i tickets, has weak evidence: %s', (sure, tickets, isWeak) => {
    const [one] = open().evidence;
    const evidence = Array.from({ length: tickets }, (_, at) => ({ ...one, ticketKey: `EX-${at}` }));
    const row = rowOf(open({ sure, evidence: evidence as NewHazard['evidence'] }));
    expect(row?.isWeak ?? false).toBe(isWeak);
  });

  test.each<[ConsentMode, string | null]>([
    ['redacted', 'Wrong dose'],
    ['reference-only', null],
  ])('under %s has no words but our own title: %j', (mode, title) => {
    const row = rowOf(open(), mode);
    expect(row).toMatchObject({ name: 'H1', title, group: null, values: null, quotes: [], grade: null });
    expect(row?.options.map((option) => [option.id, option.title, option.values])).toEqual([
      ['MED-02', title, null],
      ['RES-01', title && 'Late result', null],
    ]);
  });

  test('has no title without a match', () => {
    expect(rowOf(open({ candidates: [] }), 'redacted')?.title).toBeNull();
  });

  test.each<[string, Partial<NewHazard>, number]>([
    ['it is open between two', {}, 2],
    ['it is sure', { sure: true }, 0],
    ['it has one match', { candidates: [FIRST] }, 0],
    ['it has no match', { candidates: [] }, 0],
  ])('needs a choice of match if %s: of %i', (_what, more, count) => {
    expect(rowOf(open(more))?.options).toHaveLength(count);
  });

  const before = { by: 'Ada', at: '2026-03-09T10:00:00.000Z', reason: 'Out of scope' };
  test.each<[ConsentMode, NewHazard['rejectedBefore'], string | null]>([
    ['full', undefined, null],
    ['full', before, 'Rejected before, on 9 Mar 2026 by Ada: Out of scope'],
    ['full', { ...before, reason: null }, 'Rejected before, on 9 Mar 2026 by Ada'],
    ['full', { ...before, reason: '' }, 'Rejected before, on 9 Mar 2026 by Ada'],
    ['redacted', before, 'Rejected before, on 9 Mar 2026 by Ada'],
    ['reference-only', before, 'Rejected before, on 9 Mar 2026 by Ada'],
  ])('under %s describes %j as %j', (mode, rejectedBefore, earlier) => {
    expect(rowOf(open({ rejectedBefore }), mode)?.earlier).toBe(earlier);
  });
});

describe('a proposal that may be added to a hazard of the log', () => {
  const CAUSE: Addition = {
    id: 'cause:H7',
    as: 'cause',
    hazardId: 'H7',
    hazardName: 'Old dose',
    values: { name: 'New cause of H7: Old dose', cause: 'Unit lost (T-1)' },
    says: { text: 'The dose is old', place: { sheet: 'Log', cell: 'C7' } },
  };
  const sure = (more: Partial<NewHazard> = {}) => makeProposal({ additions: [CAUSE], ...more });

  test('can be turned into one and back, each with its own values, and says what the hazard says', () => {
    const row = rowOf(sure());
    expect(row).toMatchObject({ option: 'MED-02', title: VALUES.name, values: VALUES, choiceIsOptional: true });
    expect(row?.options.map(({ id, title, values }) => [id, title, values])).toEqual([
      ['MED-02', 'New hazard: Wrong dose', VALUES],
      ['cause:H7', 'New cause of H7: Old dose', CAUSE.values],
    ]);
    // An addition gets no id and no rating of its own.
    expect(row?.options.map(({ name, grade }) => [name, grade])).toEqual([
      ['H1', { value: 3, texts: ['Major', 'Medium'] }],
      ['H7', null],
    ]);
    expect(withOption(row as QuestionRow, 'cause:H7')).toMatchObject({ name: 'H7', grade: null });
    // Its id is for the machine; what it is about stays.
    expect(row?.options.map(({ isTitleOnly, group }) => [isTitleOnly, group])).toEqual([
      [undefined, 'Medicines'],
      [true, 'Medicines'],
    ]);
    expect(row?.options.map(describeOption)).toEqual(['MED-02 New hazard: Wrong dose', 'New cause of H7: Old dose']);
    expect([codeOfRow(row as QuestionRow, null), codeOfRow(row as QuestionRow, 'cause:H7')]).toEqual(['MED-02', null]);
    expect(row?.quotes.at(-1)).toEqual({ text: 'The dose is old', source: 'H7, Log!C7' });
    const cause = rowOf(sure({ proposedAs: CAUSE.id }));
    expect(cause).toMatchObject({ option: CAUSE.id, title: CAUSE.values.name, name: 'H7', grade: null });
    expect(withOption(cause as QuestionRow, 'MED-02')).toMatchObject({
      name: 'H1',
      grade: { value: 3, texts: ['Major', 'Medium'] },
    });
    expect([codeOfRow(cause as QuestionRow, null), codeOfRow(cause as QuestionRow, 'MED-02')]).toEqual([
      null,
      'MED-02',
    ]);
    expect(cause?.values).toEqual(CAUSE.values);
  });

  test('that is not sure either still needs a choice', () => {
    expect(rowOf(open({ additions: [CAUSE] }))).not.toHaveProperty('choiceIsOptional');
  });

  test.each<[ConsentMode, string]>([
    ['redacted', 'MED-02 New hazard: Wrong dose'],
    ['reference-only', 'MED-02 New hazard'],
  ])('under %s names only ids', (mode, own) => {
    const proposedSo = rowOf(sure({ proposedAs: CAUSE.id }), mode);
    expect(proposedSo).toMatchObject({ name: 'H7', title: 'New cause of H7', grade: null });
    const row = rowOf(sure(), mode);
    expect(row?.options.at(-1)).toMatchObject({ id: 'cause:H7', title: 'New cause of H7', values: null, group: null });
    expect(row?.options.map(describeOption)).toEqual([own, 'New cause of H7']);
    expect(JSON.stringify(row)).not.toMatch(/Old dose|Unit lost|The dose is old/);
  });

  test('refuses an edit of what the choice does not write', () => {
    const question = makeInterrupt({ interruptType: 'hazard_review', context: { rows: [sure()] } });
    const check = (values: Record<string, string>) =>
      hazardReview.check(question, {
        userResponse: { rows: [{ id: 'p1', outcome: 'edited', choice: 'cause:H7', values }] },
      });
    expect(() => check({ description: 'Another' })).toThrow();
    expect(check({ cause: 'Another' })).toMatchObject({ outcome: 'modified' });
  });
});

test.each([
  [0, 'Please review 0 proposals (question 7).'],
  [1, 'Please review 1 proposal (question 7).'],
  [2, 'Please review 2 proposals (question 7).'],
])('a review of %i asks in our own words if others may not be sent', (count, prompt) => {
  const rows = Array.from({ length: count }, (_, at) => makeProposal({ id: `p${at}` }));
  const question = { id: 7, prompt: 'Secret', context: { rows } };
  expect(hazardReview.view(question as never, 'redacted').prompt).toBe(prompt);
});
