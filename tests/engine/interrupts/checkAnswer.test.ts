import { describe, expect, test } from '@jest/globals';
import { checkAnswer } from '../../../bot/engine/interrupts/checkAnswer.ts';
import { requireUndecided } from '../../../bot/engine/questions/kinds/rowReview.ts';
import type { AppError } from '../../../models/contracts/errors.ts';
import { findRowFault, type RowDecision, valuesShown } from '../../../models/contracts/questionRows.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { makeInterrupt, makeProposal, makeRow, rowsUnder } from '../../factories/interrupt.ts';

const fieldOf = (row: InterruptRow, answer: Parameters<typeof checkAnswer>[1]) => {
  try {
    checkAnswer(row, answer);
  } catch (error) {
    return (error as AppError).fields;
  }
  return 'accepted';
};

/** @shows S2-3.2 */
describe('an approval', () => {
  const row = makeInterrupt({ interruptType: 'approval' });

  test('is approved or rejected', () => {
    expect(checkAnswer(row, { approved: true })).toEqual({ userResponse: { approved: true }, outcome: 'approved' });
    expect(checkAnswer(row, { approved: false }).outcome).toBe('rejected');
  });

  test('refuses anything but the explicit word', () => {
    expect(fieldOf(row, { userInput: 'yes' })).toEqual({ approved: 'Choose approve or reject.' });
  });
});

/** @shows S2-3.2 */
describe('a decision', () => {
  const row = makeInterrupt({ interruptType: 'decision', options: ['Keep', 'Drop'] });

  test('takes one of its options', () => {
    expect(checkAnswer(row, { selectedOption: 'Drop' }).userResponse).toEqual({ selectedOption: 'Drop' });
  });

  test('takes an option by its id, if it has one', () => {
    const named = makeInterrupt({
      interruptType: 'decision',
      options: [{ id: 'keep', label: 'Keep it', action: 'approve' }],
    });
    expect(checkAnswer(named, { selectedOption: 'keep' }).userResponse).toEqual({ selectedOption: 'keep' });
    for (const selectedOption of ['Keep it', '', undefined])
      expect(fieldOf(named, { selectedOption })).toEqual({ selectedOption: 'Choose one of the options.' });
  });

  test('refuses an option that was not offered', () => {
    expect(fieldOf(row, { selectedOption: 'Burn' })).toEqual({ selectedOption: 'Choose one of the options.' });
  });
});

/** @shows S2-3.2 */
describe('an input', () => {
  const row = makeInterrupt({ interruptType: 'input' });

  test('takes words and trims them', () => {
    expect(checkAnswer(row, { userInput: '  Version 2.1 ' }).userResponse).toEqual({ userInput: 'Version 2.1' });
  });

  test('refuses blank words', () => {
    expect(fieldOf(row, { userInput: '   ' })).toEqual({ userInput: 'Please write an answer.' });
  });
});

/** @shows S2-3.2 */
describe('a project', () => {
  const options = [
    { id: 'approve', label: 'Approve', action: 'approve' },
    { id: 'edit', label: 'Edit', action: 'edit' },
  ];
  const row = makeInterrupt({ interruptType: 'REPLIT_PROJECT_CREATED', options });

  test('takes a choice, and with an edit its words', () => {
    expect(checkAnswer(row, { userResponse: 'approve' }).userResponse).toEqual({ choice: 'approve' });
    for (const text of [' ', undefined])
      expect(fieldOf(row, { userResponse: { choice: 'edit', text } })).toEqual({
        userResponse: 'Say what should change.',
      });
    expect(checkAnswer(row, { userResponse: { choice: 'edit', text: ' Blue ' } })).toEqual({
      userResponse: { choice: 'edit', text: 'Blue' },
      outcome: 'answered',
    });
    expect(checkAnswer(row, { userResponse: { choice: 'approve', text: ' ' } }).userResponse).toEqual({
      choice: 'approve',
    });
    for (const userResponse of ['Approve', '', { choice: 'burn' }, {}, undefined])
      expect(fieldOf(row, { userResponse })).toEqual({ userResponse: 'Choose one of the options.' });
  });
});

/** @shows S2-3.2 */
describe('a hazard review', () => {
  const one = makeProposal({ id: 'a', proposedId: 'H4' });
  const two = makeProposal({
    id: 'b',
    proposedId: 'H5',
    candidates: [
      { kbId: 'MED-02', title: 'Wrong dose', category: 'Medicines', score: 3 },
      { kbId: 'MED-08', title: 'Dose calculation', category: 'Medicines', score: 2 },
    ],
    sure: false,
  });
  const row = makeInterrupt({ interruptType: 'hazard_review', context: { rows: [one, two] } });
  const accepted = (id: string) => ({ id, outcome: 'accepted' as const, ...(id === 'b' ? { choice: 'MED-02' } : {}) });

  test('decides every row, in the order of the proposals', () => {
    const { userResponse, outcome } = checkAnswer(row, {
      userResponse: { rows: [{ id: 'b', outcome: 'rejected', reason: 'Out of scope' }, accepted('a')] },
    });
    expect(outcome).toBe('modified');
    expect(userResponse).toEqual({ rows: [accepted('a'), { id: 'b', outcome: 'rejected', reason: 'Out of scope' }] });
  });

  test('decides all rows with one word', () => {
    expect(checkAnswer(row, { approved: true })).toEqual({
      userResponse: { rows: [accepted('a'), { ...accepted('b'), bestMatch: true }] },
      outcome: 'approved',
    });
    expect(checkAnswer(row, { approved: false }).outcome).toBe('rejected');
  });

  test('refuses one word for all if the draft has decisions, and uses the matches chosen there', () => {
    const draft = { rows: [], chosen: { b: 'MED-08' }, version: 1, savedAt: null, savedBy: null };
    const begun = makeInterrupt({
      ...row,
      draft: { ...draft, rows: [{ id: 'a', outcome: 'rejected', reason: 'No' }] },
    });
    for (const approved of [true, false])
      expect(() => checkAnswer(begun, { approved })).toThrow(
        '1 of 2 proposals is decided in the review already, so nothing was sent and every decision is kept.',
      );
    expect(checkAnswer({ ...row, draft }, { approved: true }).userResponse).toEqual({
      rows: [accepted('a'), { id: 'b', outcome: 'accepted', choice: 'MED-08' }],
    });
    // A match that was not proposed does not count as chosen.
    const foreign = { ...draft, chosen: { b: 'RES-01' } };
    expect(checkAnswer({ ...row, draft: foreign }, { approved: true }).userResponse).toEqual({
      rows: [accepted('a'), { ...accepted('b'), bestMatch: true }],
    });
  });

  test('marks a match as not chosen only if the best of several was taken', () => {
    const rowsOf = (a: object, b: object) => checkAnswer(row, { userResponse: { rows: [a, b] } }).userResponse;
    const unchosen = { ...accepted('b'), bestMatch: true };
    expect(rowsOf(accepted('a'), unchosen)).toEqual({ rows: [accepted('a'), unchosen] });
    expect(rowsOf({ ...accepted('a'), bestMatch: true }, accepted('b'))).toEqual({
      rows: [accepted('a'), accepted('b')],
    });
    expect(rowsOf(accepted('a'), { ...unchosen, choice: 'MED-08' })).toEqual({
      rows: [accepted('a'), { id: 'b', outcome: 'accepted', choice: 'MED-08' }],
    });
    for (const match of [{}, { choice: 'MED-02' }])
      expect(rowsOf(accepted('a'), { id: 'b', outcome: 'rejected', ...match, bestMatch: true })).toEqual({
        rows: [accepted('a'), { id: 'b', outcome: 'rejected', ...match }],
      });
  });

  test('needs a choice for a row with several matches', () => {
    const unsaid = { id: 'b', outcome: 'accepted' as const };
    expect(fieldOf(row, { userResponse: { rows: [accepted('a'), unsaid] } })).toEqual({
      userResponse: 'H5 has more than one match. Choose one of them.',
    });
  });

  test('needs no choice for a row that is sure or has only one match', () => {
    const sure = makeProposal({ ...two, sure: true });
    const single = makeProposal({ id: 'c', proposedId: 'H6', sure: false });
    const none = makeProposal({ id: 'd', proposedId: 'H7', sure: false, candidates: [] });
    const rows = [sure, single, none].map(({ id }) => ({ id, outcome: 'accepted' as const }));
    const asked = makeInterrupt({ ...row, context: { rows: [sure, single, none] } });
    expect(checkAnswer(asked, { userResponse: { rows } })).toEqual({ userResponse: { rows }, outcome: 'approved' });
    expect(checkAnswer(asked, { approved: true }).userResponse).toEqual({ rows });
  });

  test('rejected row by row is rejected, and a reason for all applies to each row', () => {
    const rows = ['a', 'b'].map((id) => ({ id, outcome: 'rejected' as const, reason: 'No' }));
    expect(checkAnswer(row, { userResponse: { rows } })).toEqual({ userResponse: { rows }, outcome: 'rejected' });
    expect(checkAnswer(row, { approved: false, reason: 'No' }).userResponse).toEqual({ rows });
    expect(checkAnswer(row, { approved: false }).userResponse).toEqual({
      rows: rows.map(({ id, outcome }) => ({ id, outcome })),
    });
    expect(checkAnswer(row, { approved: true, reason: 'Yes' }).userResponse).toEqual({
      rows: [accepted('a'), { ...accepted('b'), bestMatch: true }],
    });
  });

  test('counts another match as a change', () => {
    const edited = { id: 'b', outcome: 'edited' as const };
    const given = (decided: object) => fieldOf(row, { userResponse: { rows: [accepted('a'), decided] } });
    expect(given({ ...edited, choice: 'MED-08' })).toBe('accepted');
    expect(given({ ...edited, choice: 'MED-02' })).toEqual({
      userResponse: 'H5 is marked as edited and nothing was changed.',
    });
    expect(given({ ...edited, choice: 'MED-02', values: { cause: 'Other' } })).toBe('accepted');
  });

  test('names the rows that are left', () => {
    expect(fieldOf(row, { userResponse: { rows: [accepted('a')] } })).toEqual({
      userResponse: '1 of 2 proposals is not decided: H5.',
    });
  });

  test('refuses a row twice, a row of another review, and a candidate that was not proposed', () => {
    expect(fieldOf(row, { userResponse: { rows: [accepted('a'), accepted('a')] } })).toEqual({
      userResponse: 'H4 was decided on twice.',
    });
    expect(fieldOf(row, { userResponse: { rows: [accepted('z')] } })).toHaveProperty('userResponse');
    expect(fieldOf(row, { userResponse: { rows: [accepted('a'), { ...accepted('b'), choice: 'RES-01' }] } })).toEqual({
      userResponse: 'H5: the chosen candidate was not proposed.',
    });
  });

  test('needs a change in an edit, and a name for the hazard', () => {
    const edit = (values: Record<string, string>) => ({
      userResponse: { rows: [{ id: 'a', outcome: 'edited' as const, values }, accepted('b')] },
    });
    expect(fieldOf(row, edit({ name: one.values.name }))).toEqual({
      userResponse: 'H4 is marked as edited and nothing was changed.',
    });
    expect(fieldOf(row, edit({ name: ' ' }))).toEqual({ userResponse: 'H4: a proposal needs a name.' });
    expect(checkAnswer(row, edit({ name: 'Dose is wrong' })).outcome).toBe('modified');
  });
});

describe('the answers of each type of question', () => {
  const choices = [
    { id: 'approve', label: 'Approve', action: 'approve' },
    { id: 'edit', label: 'Edit', action: 'edit' },
  ];
  const options = ['Keep', ...choices];

  test.each<[type: InterruptRow['interruptType'], answer: Parameters<typeof checkAnswer>[1], response: unknown]>([
    ['approval', { approved: false }, { approved: false }],
    ['decision', { selectedOption: 'Keep' }, { selectedOption: 'Keep' }],
    ['decision', { selectedOption: 'edit' }, { selectedOption: 'edit' }],
    ['project_preview', { userResponse: 'edit please' }, null],
    ['project_preview', { userResponse: 'edit' }, null],
    ['project_preview', { userResponse: { choice: 'edit' } }, null],
    ['project_preview', { userResponse: { choice: 'edit', text: ' Bigger ' } }, { choice: 'edit', text: 'Bigger' }],
    ['project_preview', { userResponse: { choice: 'approve', text: ' ' } }, { choice: 'approve' }],
    ['project_preview', { userResponse: { choice: 'approve' } }, { choice: 'approve' }],
    ['project_preview', { userResponse: 'Keep' }, { choice: 'Keep' }],
    ['project_preview', { userResponse: {} }, null],
    ['project_preview', { userResponse: { choice: 'edit', text: 5 } }, null],
    ['project_preview', { userResponse: { choice: 'approve', text: [] } }, null],
    ['project_preview', { userResponse: { choice: ['edit'], text: 'x' } }, null],
    ['project_preview', { userResponse: ['edit'] }, null],
    ['project_preview', { userResponse: 5 }, null],
    ['project_preview', { userResponse: { choice: 'approve', text: null } }, { choice: 'approve' }],
    [
      'project_preview',
      { userResponse: { choice: 'edit', text: 'x'.repeat(8000) } },
      { choice: 'edit', text: 'x'.repeat(8000) },
    ],
    ['project_preview', { userResponse: { choice: 'edit', text: 'x'.repeat(8001) } }, null],
    ['made_up', { userResponse: { choice: 'edit', text: 5 } }, null],
    ['made_up', { userResponse: { choice: 'edit', text: ' so ' } }, { choice: 'edit', text: 'so' }],
    ['project_preview', {}, null],
    ['decision', { selectedOption: 'Edit' }, null],
    ['decision', { selectedOption: '' }, null],
    ['decision', {}, null],
    ['input', {}, null],
    ['input', { userInput: ' x\n' }, { userInput: 'x' }],
  ])('%s: %j', (interruptType, answer, response) => {
    const row = makeInterrupt({ interruptType, options });
    if (response) expect(checkAnswer(row, answer).userResponse).toEqual(response);
    else expect(fieldOf(row, answer)).not.toBe('accepted');
  });

  test('an option without a name is not an option', () => {
    expect(fieldOf(makeInterrupt({ interruptType: 'decision', options: [''] }), { selectedOption: '' })).toEqual({
      selectedOption: 'Choose one of the options.',
    });
    const nameless = [{ id: '', label: 'None', action: 'none' }];
    expect(
      fieldOf(makeInterrupt({ interruptType: 'project_preview', options: nameless }), { userResponse: '' }),
    ).toEqual({ userResponse: 'Choose one of the options.' });
  });

  test.each<[outcomes: RowDecision['outcome'][], outcome: string]>([
    [['accepted', 'accepted'], 'approved'],
    [['rejected', 'rejected'], 'rejected'],
    [['accepted', 'rejected'], 'modified'],
    [['edited', 'accepted'], 'modified'],
    [['edited', 'rejected'], 'modified'],
    [['edited', 'edited'], 'modified'],
  ])('a review of %j is %s', (outcomes, outcome) => {
    const proposals = [makeProposal({ id: 'a' }), makeProposal({ id: 'b' })];
    const rows = outcomes.map((given, index) => ({
      id: 'ab'.charAt(index),
      outcome: given,
      ...(given === 'edited' ? { values: { name: 'Another name' } } : {}),
    }));
    const row = makeInterrupt({ interruptType: 'hazard_review', context: { rows: proposals } });
    expect(checkAnswer(row, { userResponse: { rows } }).outcome).toBe(outcome);
  });

  test('a review without rows, an answer without rows, and a row of another review', () => {
    const row = makeInterrupt({ interruptType: 'hazard_review', context: { rows: [makeProposal({ id: 'a' })] } });
    expect(checkAnswer(makeInterrupt({ interruptType: 'hazard_review' }), { approved: true }).userResponse).toEqual({
      rows: [],
    });
    expect(fieldOf(row, { userResponse: { rows: [] } })).toEqual({
      userResponse: 'Decide on every row: accept, edit or reject.',
    });
    expect(fieldOf(row, { userResponse: { rows: [{ id: 'z', outcome: 'accepted' }] } })).toEqual({
      userResponse: 'One of the rows is not part of this review. Reload and try again.',
    });
  });
});

describe('one row of a review', () => {
  const match = (kbId: string) => ({ kbId, title: kbId, category: 'Medicines', score: 2 });
  const [one, two] = [[match('MED-02')], [match('MED-02'), match('MED-08')]];

  test.each<[sure: boolean, candidates: typeof one, decided: Omit<RowDecision, 'id'>, part: string | undefined]>([
    [false, two, { outcome: 'accepted' }, 'choice'],
    [false, two, { outcome: 'edited', values: { name: 'New' } }, 'choice'],
    [false, two, { outcome: 'rejected' }, undefined],
    [false, two, { outcome: 'rejected', choice: 'RES-01' }, 'choice'],
    [false, two, { outcome: 'accepted', choice: 'RES-01' }, 'choice'],
    [false, two, { outcome: 'accepted', choice: 'MED-08' }, undefined],
    [false, one, { outcome: 'accepted' }, undefined],
    [true, two, { outcome: 'accepted' }, undefined],
    [true, one, { outcome: 'edited' }, 'outcome'],
    [true, one, { outcome: 'edited', values: {} }, 'outcome'],
    [true, one, { outcome: 'edited', choice: 'MED-02' }, 'outcome'],
    [false, two, { outcome: 'edited', choice: 'MED-08' }, undefined],
    [true, one, { outcome: 'edited', values: { name: 'Wrong dose shown', cause: 'Unit conversion' } }, 'outcome'],
    [true, one, { outcome: 'edited', values: { name: 'Wrong dose shown', cause: 'Rounding' } }, undefined],
    [true, one, { outcome: 'edited', values: { name: ' ', cause: 'Rounding' } }, 'values'],
    [true, one, { outcome: 'accepted', values: { name: ' ' } }, undefined],
    [true, one, { outcome: 'edited', values: { cause: '' } }, undefined],
  ])('sure: %j, of %j, decided %j: the fault is in %s', (sure, candidates, decided, part) => {
    expect(findRowFault(rowsUnder([]), makeRow({ sure, candidates }), decided)?.part).toBe(part);
  });

  test.each<[sure: boolean, candidates: typeof one, taken: object]>([
    [false, two, { choice: 'MED-02', bestMatch: true }],
    [false, one, {}],
    [true, two, {}],
  ])('one word for all, sure: %j, of %j: %j', (sure, candidates, taken) => {
    const rows = [makeProposal({ sure, candidates })];
    const row = makeInterrupt({ interruptType: 'hazard_review', context: { rows } });
    expect(checkAnswer(row, { approved: true }).userResponse).toEqual({
      rows: [{ id: 'p1', outcome: 'accepted', ...taken }],
    });
    expect(checkAnswer(row, { approved: false }).userResponse).toEqual({ rows: [{ id: 'p1', outcome: 'rejected' }] });
  });

  test('is not marked as not chosen if there was no choice', () => {
    const rows = [makeProposal({ sure: true, candidates: two })];
    const row = makeInterrupt({ interruptType: 'hazard_review', context: { rows } });
    const decided = { id: 'p1', outcome: 'accepted' as const, choice: 'MED-02' };
    expect(checkAnswer(row, { userResponse: { rows: [{ ...decided, bestMatch: true }] } }).userResponse).toEqual({
      rows: [decided],
    });
  });

  test.each([
    ['pending', 0, 2, null],
    ['pending', 1, 3, '1 of 3 valves is decided'],
    ['pending', 2, 3, '2 of 3 valves are decided'],
    ['resolved', 2, 3, null],
    ['cancelled', 2, 3, null],
  ] as const)('one word for all of a %s review with %i of %i rows decided: %j', (status, decided, of, told) => {
    const draft = { rows: Array.from({ length: decided }, () => ({})) };
    const valves = { noun: { one: 'valve', many: 'valves' }, rows: Array.from({ length: of }, () => makeRow({})) };
    const check = () => requireUndecided({ status, draft }, valves);
    if (told) expect(check).toThrow(told);
    else expect(check).not.toThrow();
    expect(() => requireUndecided({ status, draft: null }, valves)).not.toThrow();
  });

  test('a form starts with the proposal’s values, then those of another chosen match, then the edits', () => {
    const values = makeProposal().values;
    const row = makeRow({
      sure: false,
      candidates: [
        { ...match('MED-02'), values: { name: 'From the same' } },
        { ...match('MED-08'), values: { name: 'From the other', cause: 'Rounding' } },
      ] as never,
    });
    const shown = (decided?: Omit<RowDecision, 'id' | 'outcome'>) =>
      valuesShown(row, decided && { id: 'p1', outcome: 'edited', ...decided });
    expect(shown()).toEqual(values);
    expect(shown({ choice: 'MED-02' })).toEqual(values);
    expect(shown({ choice: 'RES-01' })).toEqual(values);
    expect(shown({ choice: 'MED-08' })).toEqual({ name: 'From the other', cause: 'Rounding' });
    expect(shown({ choice: 'MED-08', values: { cause: 'Edited' } })).toEqual({
      name: 'From the other',
      cause: 'Edited',
    });
  });
});
