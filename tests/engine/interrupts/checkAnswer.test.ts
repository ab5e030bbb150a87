import { describe, expect, test } from '@jest/globals';
import { checkAnswer } from '../../../bot/engine/interrupts/checkAnswer.ts';
import type { AppError } from '../../../models/contracts/errors.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';

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

  test('anything but the explicit word is refused', () => {
    expect(fieldOf(row, { userInput: 'yes' })).toEqual({ approved: 'Choose approve or reject.' });
  });
});

/** @shows S2-3.2 */
describe('a decision', () => {
  const row = makeInterrupt({ interruptType: 'decision', options: ['Keep', 'Drop'] });

  test('takes one of its options', () => {
    expect(checkAnswer(row, { selectedOption: 'Drop' }).userResponse).toEqual({ selectedOption: 'Drop' });
  });

  test('takes an option by its id, where it has one', () => {
    const named = makeInterrupt({
      interruptType: 'decision',
      options: [{ id: 'keep', label: 'Keep it', action: 'approve' }],
    });
    expect(checkAnswer(named, { selectedOption: 'keep' }).userResponse).toEqual({ selectedOption: 'keep' });
    for (const selectedOption of ['Keep it', '', undefined])
      expect(fieldOf(named, { selectedOption })).toEqual({ selectedOption: 'Choose one of the options.' });
  });

  test('refuses what was not offered', () => {
    expect(fieldOf(row, { selectedOption: 'Burn' })).toEqual({ selectedOption: 'Choose one of the options.' });
  });
});

/** @shows S2-3.2 */
describe('an input', () => {
  const row = makeInterrupt({ interruptType: 'input' });

  test('takes words and trims them', () => {
    expect(checkAnswer(row, { userInput: '  Version 2.1 ' }).userResponse).toEqual({ userInput: 'Version 2.1' });
  });

  test('refuses a blank', () => {
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
    const words = makeInterrupt({ interruptType: 'project_preview', options: ['approve'] });
    expect(fieldOf(words, { userResponse: 'approve' })).toEqual({ userResponse: 'Choose one of the options.' });
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
  const accepted = (id: string) => ({ id, outcome: 'accepted' as const, ...(id === 'b' ? { kbId: 'MED-02' } : {}) });

  test('decides on every row, in the order of the proposals', () => {
    const { userResponse, outcome } = checkAnswer(row, {
      userResponse: { rows: [{ id: 'b', outcome: 'rejected', reason: 'Out of scope' }, accepted('a')] },
    });
    expect(outcome).toBe('modified');
    expect(userResponse).toEqual({ rows: [accepted('a'), { id: 'b', outcome: 'rejected', reason: 'Out of scope' }] });
  });

  test('all at once by one word', () => {
    expect(checkAnswer(row, { approved: true })).toEqual({
      userResponse: { rows: [accepted('a'), { ...accepted('b'), bestMatch: true }] },
      outcome: 'approved',
    });
    expect(checkAnswer(row, { approved: false }).outcome).toBe('rejected');
  });

  test('one word for all is refused where a row is decided in the draft, and takes the matches chosen there', () => {
    const draft = { rows: [], chosen: { b: 'MED-08' }, version: 1, savedAt: null, savedBy: null };
    const begun = makeInterrupt({
      ...row,
      draft: { ...draft, rows: [{ id: 'a', outcome: 'rejected', reason: 'No' }] },
    });
    for (const approved of [true, false])
      expect(() => checkAnswer(begun, { approved })).toThrow(
        '1 of 2 rows is decided in the review already, so nothing was sent and every decision is kept.',
      );
    expect(checkAnswer({ ...row, draft }, { approved: true }).userResponse).toEqual({
      rows: [accepted('a'), { id: 'b', outcome: 'accepted', kbId: 'MED-08' }],
    });
    // A match that was not proposed is nobody's choice.
    const foreign = { ...draft, chosen: { b: 'RES-01' } };
    expect(checkAnswer({ ...row, draft: foreign }, { approved: true }).userResponse).toEqual({
      rows: [accepted('a'), { ...accepted('b'), bestMatch: true }],
    });
  });

  test('that nobody chose is kept where the best of several matches was taken, and nowhere else', () => {
    const rowsOf = (a: object, b: object) => checkAnswer(row, { userResponse: { rows: [a, b] } }).userResponse;
    const unchosen = { ...accepted('b'), bestMatch: true };
    expect(rowsOf(accepted('a'), unchosen)).toEqual({ rows: [accepted('a'), unchosen] });
    expect(rowsOf({ ...accepted('a'), bestMatch: true }, accepted('b'))).toEqual({
      rows: [accepted('a'), accepted('b')],
    });
    expect(rowsOf(accepted('a'), { ...unchosen, kbId: 'MED-08' })).toEqual({
      rows: [accepted('a'), { id: 'b', outcome: 'accepted', kbId: 'MED-08' }],
    });
    expect(rowsOf(accepted('a'), { id: 'b', outcome: 'rejected', bestMatch: true })).toEqual({
      rows: [accepted('a'), { id: 'b', outcome: 'rejected' }],
    });
  });

  test('a row with several matches needs a choice', () => {
    const unsaid = { id: 'b', outcome: 'accepted' as const };
    expect(fieldOf(row, { userResponse: { rows: [accepted('a'), unsaid] } })).toEqual({
      userResponse: 'H5 has more than one match. Choose one of them.',
    });
  });

  test('a row that is sure, or has one match alone, needs none', () => {
    const sure = makeProposal({ ...two, sure: true });
    const single = makeProposal({ id: 'c', proposedId: 'H6', sure: false });
    const none = makeProposal({ id: 'd', proposedId: 'H7', sure: false, candidates: [] });
    const rows = [sure, single, none].map(({ id }) => ({ id, outcome: 'accepted' as const }));
    const asked = makeInterrupt({ ...row, context: { rows: [sure, single, none] } });
    expect(checkAnswer(asked, { userResponse: { rows } })).toEqual({ userResponse: { rows }, outcome: 'approved' });
    expect(checkAnswer(asked, { approved: true }).userResponse).toEqual({ rows });
  });

  test('rejected whole by rows is rejected, and a reason for all is each row’s', () => {
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

  test('another match is a change by itself', () => {
    const edited = { id: 'b', outcome: 'edited' as const };
    const given = (decided: object) => fieldOf(row, { userResponse: { rows: [accepted('a'), decided] } });
    expect(given({ ...edited, kbId: 'MED-08' })).toBe('accepted');
    expect(given({ ...edited, kbId: 'MED-02' })).toEqual({
      userResponse: 'H5 is marked as edited and nothing was changed.',
    });
    expect(given({ ...edited, kbId: 'MED-02', values: { cause: 'Other' } })).toBe('accepted');
  });

  test('says which rows are left', () => {
    expect(fieldOf(row, { userResponse: { rows: [accepted('a')] } })).toEqual({
      userResponse: '1 of 2 rows are not decided: H5.',
    });
  });

  test('refuses a row twice, a row of another review, and a candidate that was not proposed', () => {
    expect(fieldOf(row, { userResponse: { rows: [accepted('a'), accepted('a')] } })).toEqual({
      userResponse: 'H4 was decided on twice.',
    });
    expect(fieldOf(row, { userResponse: { rows: [accepted('z')] } })).toHaveProperty('userResponse');
    expect(fieldOf(row, { userResponse: { rows: [accepted('a'), { ...accepted('b'), kbId: 'RES-01' }] } })).toEqual({
      userResponse: 'H5: the chosen candidate was not proposed.',
    });
  });

  test('an edit changes something, and leaves the hazard a name', () => {
    const edit = (values: Record<string, string>) => ({
      userResponse: { rows: [{ id: 'a', outcome: 'edited' as const, values }, accepted('b')] },
    });
    expect(fieldOf(row, edit({ name: one.values.name }))).toEqual({
      userResponse: 'H4 is marked as edited and nothing was changed.',
    });
    expect(fieldOf(row, edit({ name: ' ' }))).toEqual({ userResponse: 'H4: a hazard needs a name.' });
    expect(checkAnswer(row, edit({ name: 'Dose is wrong' })).outcome).toBe('modified');
  });
});
