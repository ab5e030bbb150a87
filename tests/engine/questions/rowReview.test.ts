import { describe, expect, test } from '@jest/globals';
import {
  registerQuestionKind,
  requireAnswerable,
  rowsOf,
  viewQuestion,
  viewRows,
  viewWithoutRows,
} from '../../../bot/engine/questions/kinds/index.ts';
import { defineRowReview, requireUndecided } from '../../../bot/engine/questions/kinds/rowReview.ts';
import type { AppError } from '../../../models/contracts/errors.ts';
import type { AnswerBody } from '../../../models/contracts/interrupts.ts';
import type { QuestionRow, RowDecision, RowOutcome } from '../../../models/contracts/questionRows.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { nextNumber } from '../../factories/who.ts';

const option = (id: string) => ({ id, title: id, note: null, group: null, values: null, grade: null });
const makeRow = (more: Partial<QuestionRow> = {}): QuestionRow => ({
  id: 'a',
  name: 'R1',
  title: 'A leaking tap',
  group: null,
  values: { name: 'Tap', cause: 'Age' },
  quotes: [],
  grade: null,
  options: [],
  option: 'tap',
  earlier: null,
  ...more,
});
/** A row with two candidates; the best one is the tap. */
const openRow = (more: Partial<QuestionRow> = {}) =>
  makeRow({ id: 'b', name: 'R2', options: [option('tap'), option('pipe')], ...more });
const field = (name: string) => ({ name, label: name, required: name === 'name', half: false });

/** Repairs, decided row by row. Under any mode but full, a row shows only its name. */
const REPAIRS: Parameters<typeof defineRowReview<QuestionRow>>[0] = {
  id: 'repairs',
  label: 'Repairs',
  noun: { one: 'repair', many: 'repairs' },
  headings: { row: 'Repair', quotes: 'Said', grade: 'Urgency' },
  fields: [field('name'), field('cause')],
  ask: (count) => `Please look at ${count} repairs`,
  readRow: (row, mode) => (mode === 'full' ? row : { ...row, title: null, values: null, quotes: [] }),
};
const repairs = defineRowReview(REPAIRS);
const repairsThatNeed = (reasons: RowOutcome[]) => defineRowReview({ ...REPAIRS, reasons });
const ask = (rows: QuestionRow[], more: Partial<InterruptRow> = {}) =>
  makeInterrupt({ _id: 7, interruptType: 'repairs', context: { rows }, ...more });
const draft = (rows: RowDecision[], chosen: Record<string, string> = {}) =>
  ({ rows, chosen, version: 1, savedAt: null, savedBy: null }) as unknown as InterruptRow['draft'];
const faultOf = (row: InterruptRow, answer: AnswerBody, kind = repairs) => {
  try {
    kind.check(row, answer);
  } catch (error) {
    const { code, fields } = error as AppError;
    return fields?.userResponse ?? fields?.reason ?? code;
  }
  return 'taken';
};
const checked = (row: InterruptRow, rows: RowDecision[]) => repairs.check(row, { userResponse: { rows } });

describe('one word for all rows', () => {
  test.each<[string, AnswerBody | null]>([
    ['Accept all', { approved: true }],
    ['approve everything!', { approved: true }],
    ['accept all rows.', { approved: true }],
    ['reject all', { approved: false }],
    ['Reject everything', { approved: false }],
    ['accept', null],
    ['yes', null],
    ['no', null],
    ['reject all but one', null],
    ['please accept all', null],
  ])('“%s” is %j', (text, answer) => {
    expect(repairs.readWords?.({ options: [] }, text)).toEqual(answer);
  });

  test('accepts each row with the option chosen in the draft, or else with the best one, marked as not chosen', () => {
    const answer = (chosen?: Record<string, string>) =>
      repairs.check(ask([makeRow(), openRow()], chosen ? { draft: draft([], chosen) } : {}), {
        approved: true,
        reason: 'Not kept',
      });
    const nobody = { id: 'b', outcome: 'accepted', choice: 'tap', bestMatch: true };
    const first = { id: 'a', outcome: 'accepted' };
    expect(answer()).toEqual({ userResponse: { rows: [first, nobody] }, outcome: 'approved' });
    expect(answer({ b: 'pipe', a: 'pipe' }).userResponse).toEqual({
      rows: [first, { id: 'b', outcome: 'accepted', choice: 'pipe' }],
    });
    expect(answer({ b: 'sink' }).userResponse).toEqual({ rows: [first, nobody] });
  });

  test('rejects each row with the reason, without an option', () => {
    const row = ask([makeRow(), openRow()]);
    const rejected = (reason?: string) =>
      repairs.check(row, { approved: false, ...(reason === undefined ? {} : { reason }) });
    expect(rejected('Late')).toEqual({
      userResponse: { rows: ['a', 'b'].map((id) => ({ id, outcome: 'rejected', reason: 'Late' })) },
      outcome: 'rejected',
    });
    for (const none of [undefined, ''])
      expect(rejected(none).userResponse).toStrictEqual({
        rows: ['a', 'b'].map((id) => ({ id, outcome: 'rejected' })),
      });
  });

  test.each<[reasons: RowOutcome[], answer: AnswerBody, said: string]>([
    [['rejected'], { approved: false }, 'Say why all are rejected, or decide row by row.'],
    [['rejected'], { approved: false, reason: ' ' }, 'Say why all are rejected, or decide row by row.'],
    [['rejected'], { approved: false, reason: 'Late' }, 'taken'],
    [['rejected'], { approved: true }, 'taken'],
    [['accepted'], { approved: true }, 'Say why all are accepted, or decide row by row.'],
    [['accepted'], { approved: true, reason: 'Seen' }, 'taken'],
    [['accepted'], { approved: false }, 'taken'],
  ])('needs a reason if the kind says so: %j, %j: %s', (reasons, answer, said) => {
    expect(faultOf(ask([makeRow()]), answer, repairsThatNeed(reasons))).toBe(said);
  });

  test('keeps the reason for accepting all only if the kind asks for it', () => {
    const answer = { approved: true, reason: 'Seen' };
    expect(repairsThatNeed(['accepted']).check(ask([makeRow()]), answer).userResponse).toEqual({
      rows: [{ id: 'a', outcome: 'accepted', reason: 'Seen' }],
    });
  });

  test.each<[reasons: RowOutcome[], asked: Record<string, string[]>]>([
    [[], { approve: [], reject: ['reason'] }],
    [['rejected'], { approve: [], reject: ['reason *'] }],
    [['accepted'], { approve: ['acceptance *'], reject: ['reason'] }],
  ])('asks for the reason with the button that needs it: %j, %j', (reasons, asked) => {
    const { fields, actions } = repairsThatNeed(reasons).view(ask([makeRow()]) as never, 'full');
    const named = (name: string) => `${name}${fields.find((it) => it.name === name)?.required ? ' *' : ''}`;
    for (const [name, expected] of Object.entries(asked))
      expect(actions.find((action) => action.name === name)?.fields.map(named)).toEqual(expected);
    for (const { answers } of fields) expect(answers).toBe('reason');
  });

  const decided: RowDecision[] = [{ id: 'a', outcome: 'accepted' }];
  test.each([true, false])('approved %j, is refused once a row is decided', (approved) => {
    const begun = ask([makeRow(), openRow()], { draft: draft(decided) });
    expect(faultOf(begun, { approved })).toBe('review_begun');
    registerQuestionKind(repairs);
    const look = (answer: AnswerBody) => () => requireAnswerable(begun as never, answer);
    expect(look({ approved })).toThrow(/1 of 2 repairs is decided/);
    expect(look({})).not.toThrow();
  });

  test.each<[InterruptRow['status'], number | null, string | null]>([
    ['pending', 1, '1 of 3 repairs is decided'],
    ['pending', 2, '2 of 3 repairs are decided'],
    ['pending', 0, null],
    ['pending', null, null],
    ['resolved', 1, null],
  ])('in a %s review with %j rows decided: %j', (status, count, text) => {
    const rows = Array.from({ length: count ?? 0 }, () => ({}));
    const three = { noun: { one: 'repair', many: 'repairs' }, rows: [makeRow(), openRow(), makeRow()] };
    const look = () => requireUndecided({ status, draft: count === null ? null : { rows } }, three);
    if (text) expect(look).toThrow(text);
    else expect(look).not.toThrow();
  });
});

describe('an answer row by row', () => {
  const both = ask([makeRow(), openRow()]);
  const accepted: RowDecision[] = [
    { id: 'a', outcome: 'accepted' },
    { id: 'b', outcome: 'accepted', choice: 'pipe' },
  ];

  test('is returned in the order of the rows', () => {
    expect(checked(both, accepted.toReversed())).toStrictEqual({
      userResponse: { rows: accepted },
      outcome: 'approved',
    });
  });

  test.each<[unknown, string]>([
    [undefined, 'Decide on every row: accept, edit or reject.'],
    [{ rows: [] }, 'Decide on every row: accept, edit or reject.'],
    [{ rows: [{ id: 'a', outcome: 'kept' }] }, 'Decide on every row: accept, edit or reject.'],
    [
      { rows: [...accepted, { id: 'c', outcome: 'accepted' }] },
      'One of the rows is not part of this review. Reload and try again.',
    ],
    [{ rows: [...accepted, { id: 'a', outcome: 'rejected' }] }, 'R1 was decided on twice.'],
    [{ rows: accepted.slice(0, 1) }, '1 of 2 repairs is not decided: R2.'],
    [{ rows: [{ id: 'a', outcome: 'edited' }, accepted[1]] }, 'R1 is marked as edited and nothing was changed.'],
    [{ rows: accepted }, 'taken'],
  ])('of %j: %s', (userResponse, fault) => {
    expect(faultOf(both, { userResponse })).toBe(fault);
  });

  test('names every row that is left', () => {
    const three = ask([makeRow(), openRow(), makeRow({ id: 'c', name: 'R3' })]);
    expect(faultOf(three, { userResponse: { rows: accepted.slice(0, 1) } })).toBe(
      '2 of 3 repairs are not decided: R2, R3.',
    );
  });

  test.each<[RowDecision['outcome'][], string]>([
    [['accepted', 'accepted'], 'approved'],
    [['rejected', 'rejected'], 'rejected'],
    [['accepted', 'rejected'], 'modified'],
    [['rejected', 'accepted'], 'modified'],
    [['edited', 'edited'], 'modified'],
    [['edited', 'accepted'], 'modified'],
    [['edited', 'rejected'], 'modified'],
  ])('that is %j is %s', (outcomes, outcome) => {
    const rows = outcomes.map(
      (one, at): RowDecision => ({
        id: 'ab'.charAt(at),
        outcome: one,
        choice: 'tap',
        ...(one === 'edited' ? { values: { cause: 'Frost' } } : {}),
      }),
    );
    expect(checked(ask([openRow({ id: 'a' }), openRow()]), rows).outcome).toBe(outcome);
  });

  test('keeps only values that the kind has fields for', () => {
    const values = { cause: 'Frost', colour: 'red' };
    const [row] = (
      checked(ask([makeRow()]), [{ id: 'a', outcome: 'edited', values }]).userResponse as {
        rows: RowDecision[];
      }
    ).rows;
    expect(row).toStrictEqual({ id: 'a', outcome: 'edited', values: { cause: 'Frost' } });
  });

  test.each<[string, QuestionRow, Partial<RowDecision>, boolean]>([
    ['the best of several was picked', openRow(), { choice: 'tap' }, true],
    ['another was chosen', openRow(), { choice: 'pipe' }, false],
    ['the row was rejected', openRow(), { outcome: 'rejected', choice: 'tap' }, false],
    ['there was no choice', makeRow({ id: 'b' }), {}, false],
    ['there was one option alone', openRow({ options: [option('tap')] }), { choice: 'tap' }, false],
  ])('marks rows whose option nobody chose: %s', (_what, row, decided, isKept) => {
    const given: RowDecision = { id: 'b', outcome: 'accepted', ...decided };
    expect(checked(ask([row]), [{ ...given, bestMatch: true }]).userResponse).toStrictEqual({
      rows: [isKept ? { ...given, bestMatch: true } : given],
    });
    expect(checked(ask([row]), [given]).userResponse).toStrictEqual({ rows: [given] });
  });
});

describe('a review’s content', () => {
  const quote = { text: 'It drips.', source: 'T-1' };
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      makeRow({ id: `${at}`, name: `R${at}`, quotes: [quote, { ...quote, text: 'x' }] }),
    );
  const view = (count: number, mode: 'full' | 'redacted' = 'full') =>
    repairs.view(ask(many(count), { prompt: 'Which?', context: { rows: many(count) as never } }) as never, mode);

  test.each<[number, number, number]>([
    [1, 1, 0],
    [5, 5, 0],
    [6, 5, 1],
  ])('of %i rows has the first %i, and how many more: %i', (count, shown, more) => {
    const [section, ...others] = view(count).sections;
    expect(others).toEqual([]);
    expect([section?.items.length, section?.more]).toEqual([shown, more]);
    expect(section?.items[0]).toEqual({ title: 'R0', text: 'A leaking tap', quote, colours: [] });
  });

  test('has only a row’s name if no words may be sent, with a request in our own words', () => {
    const question = { ...ask(many(2)), id: 7 } as never;
    expect(repairs.view(question, 'redacted')).toMatchObject({
      prompt: 'Please look at 2 repairs (question 7).',
      sections: [{ items: [{ title: 'R0', text: null, quote: null }, { title: 'R1' }] }],
    });
    expect(view(2).prompt).toBe('Which?');
    expect(view(0).sections).toEqual([]);
  });

  test('is drawn from the listed rows alone, however many wait', () => {
    let read = 0;
    const counting = defineRowReview<QuestionRow>({
      ...REPAIRS,
      id: 'counted_repairs',
      readRow(row, mode) {
        read += 1;
        return REPAIRS.readRow(row, mode);
      },
    });
    registerQuestionKind(counting);
    const question = { ...ask(many(1200), { interruptType: counting.id }), id: 7 } as never;
    expect(viewWithoutRows(question, 'full').sections[0]?.more).toBe(1195);
    expect(read).toBe(5);
    expect(viewQuestion(question, 'full').rows).toEqual(viewRows(question, 'full'));
    expect(viewRows(question, 'full')?.rows).toHaveLength(1200);
  });

  test('is drawn without the answers to all rows once one is decided; a button drawn before is still known', () => {
    registerQuestionKind(repairs);
    const idsOf = (decided: RowDecision[], view: typeof viewWithoutRows) =>
      view({ ...ask(many(2), { draft: draft(decided) }), id: 7 } as never, 'full').actions.map(({ id }) => id);
    const begun: RowDecision[] = [{ id: 'r0', outcome: 'accepted' }];
    expect(idsOf([], viewWithoutRows)).toEqual(['review', 'approve', 'reject']);
    expect(idsOf(begun, viewWithoutRows)).not.toContain('approve');
    expect(idsOf(begun, viewWithoutRows)).not.toContain('reject');
    expect(idsOf(begun, viewQuestion)).toEqual(expect.arrayContaining(['approve', 'reject']));
  });

  test('has its rows with their names, and all of each row where they are stored', () => {
    registerQuestionKind(repairs);
    expect(repairs.hasDraft).toBe(true);
    expect(repairs.rows?.({ context: { rows: many(1) } } as never, 'redacted')).toEqual({
      noun: { one: 'repair', many: 'repairs' },
      headings: { row: 'Repair', quotes: 'Said', grade: 'Urgency' },
      fields: [field('name'), field('cause')],
      reasons: [],
      rows: [{ ...many(1)[0], title: null, values: null, quotes: [] }],
    });
    expect(rowsOf(ask(many(2)))).toEqual(many(2));
    expect(rowsOf({ interruptType: 'approval', context: { rows: many(2) as never } })).toEqual([]);
    expect(rowsOf({ interruptType: `unknown-${nextNumber()}`, context: {} })).toEqual([]);
  });
});
