import { describe, expect, test } from '@jest/globals';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import {
  asksReason,
  decisionsIn,
  describeReasons,
  type FilledRow,
  findRowFault,
  fromEarlier,
  nextOpenRow,
  type QuestionRow,
  type RowDecision,
  type RowOutcome,
  readRow,
  rowDecision,
} from '../../models/contracts/questionRows.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { migrationsOf } from '../../models/store/entity.ts';

const fields = ['name', 'cause'].map((name) => ({ name, label: name, required: name === 'name', half: false }));
const row: QuestionRow = {
  ...{ id: 'a', name: 'H1', title: 'Wrong dose', group: null, quotes: [], grade: null, options: [], option: 'x' },
  ...{ values: { name: 'Wrong dose', cause: 'Rounding' }, earlier: null },
};

test('a value of a decision has at most as many characters as a cell of a workbook', () => {
  const isValid = (length: number) =>
    rowDecision.safeParse({ id: 'a', outcome: 'edited', values: { name: 'x'.repeat(length) } }).success;
  expect([isValid(32_767), isValid(32_768)]).toEqual([true, false]);
});

describe('a page’s decision on its row', () => {
  const read = (filled: Partial<FilledRow>, decided?: RowDecision) =>
    readRow({ fields, reasons: [] }, row, { outcome: 'accepted', values: {}, ...filled }, decided);

  test.each<[filled: Partial<FilledRow>, row: RowDecision | null]>([
    [{ outcome: undefined }, null],
    [{ outcome: 'approved' }, null],
    [{}, { id: 'a', outcome: 'accepted' }],
    [{ choice: ' y ' }, { id: 'a', outcome: 'accepted', choice: 'y' }],
    [{ choice: ' ' }, { id: 'a', outcome: 'accepted' }],
    [{ values: { cause: 'Units' } }, { id: 'a', outcome: 'accepted' }],
    [{ outcome: 'rejected' }, { id: 'a', outcome: 'rejected' }],
    [
      { outcome: 'rejected', reason: ' No ' },
      { id: 'a', outcome: 'rejected', reason: 'No' },
    ],
    [
      { outcome: 'rejected', reason: ' ', choice: 'y', values: { cause: 'Units' } },
      { id: 'a', outcome: 'rejected' },
    ],
    [
      { outcome: 'accepted', reason: 'No' },
      { id: 'a', outcome: 'accepted' },
    ],
    [{ outcome: 'edited' }, { id: 'a', outcome: 'edited' }],
    [
      { outcome: 'edited', values: { cause: ' Units ' } },
      { id: 'a', outcome: 'edited', values: { cause: 'Units' } },
    ],
    [
      { outcome: 'edited', values: { cause: ' Rounding ' } },
      { id: 'a', outcome: 'edited' },
    ],
    [
      { outcome: 'edited', values: { cause: '' } },
      { id: 'a', outcome: 'edited', values: { cause: '' } },
    ],
    [
      { outcome: 'edited', values: { other: 'x' } },
      { id: 'a', outcome: 'edited' },
    ],
  ])('%j: %j', (filled, expected) => {
    expect(read(filled)).toEqual(expected);
  });

  test('keeps earlier edits that the page leaves as shown', () => {
    const before: RowDecision = { id: 'a', outcome: 'edited', values: { cause: 'Units' } };
    const shown = { name: 'Wrong dose', cause: 'Units' };
    expect(read({ outcome: 'edited', values: shown }, before)).toEqual(before);
    expect(read({ outcome: 'edited', values: { ...shown, name: 'Dose' } }, before)?.values).toEqual({
      cause: 'Units',
      name: 'Dose',
    });
    expect(read({ outcome: 'edited', values: { ...shown, cause: 'Rounding' } }, before)?.values).toEqual({
      cause: 'Rounding',
    });
    expect(read({ outcome: 'accepted', values: shown }, before)).toEqual({ id: 'a', outcome: 'accepted' });
  });
});

describe('a reason', () => {
  const edit = { values: { cause: 'Units' } };

  test.each<[reasons: RowOutcome[], filled: Partial<FilledRow> & { outcome: RowOutcome }, kept: string | undefined]>([
    [[], { outcome: 'accepted', reason: 'Seen' }, undefined],
    [[], { outcome: 'edited', reason: 'Seen', ...edit }, undefined],
    [[], { outcome: 'rejected', reason: 'Seen' }, 'Seen'],
    [['edited'], { outcome: 'accepted', reason: 'Seen' }, undefined],
    [['edited'], { outcome: 'edited', reason: ' Seen ', ...edit }, 'Seen'],
    [['accepted'], { outcome: 'accepted', reason: 'Seen' }, 'Seen'],
    [['accepted'], { outcome: 'accepted', reason: ' ' }, undefined],
    [['accepted'], { outcome: 'rejected', reason: 'Seen' }, 'Seen'],
  ])('needed for %j, with %j: %j is kept', (reasons, filled, kept) => {
    expect(readRow({ fields, reasons }, row, { values: {}, ...filled }, undefined)?.reason).toBe(kept);
  });

  test.each<[reasons: RowOutcome[], decision: Omit<RowDecision, 'id'>, fault: object | null]>([
    [[], { outcome: 'rejected' }, null],
    [['rejected'], { outcome: 'rejected' }, { part: 'reason', text: 'H1: say why it is rejected.' }],
    [['rejected'], { outcome: 'rejected', reason: '  ' }, { part: 'reason', text: 'H1: say why it is rejected.' }],
    [['rejected'], { outcome: 'rejected', reason: 'Known' }, null],
    [['rejected'], { outcome: 'accepted' }, null],
    [['accepted'], { outcome: 'accepted' }, { part: 'reason', text: 'H1: say why it is accepted.' }],
    [['accepted'], { outcome: 'accepted', reason: 'Seen' }, null],
    [['edited'], { outcome: 'edited', ...edit }, { part: 'reason', text: 'H1: say why it is edited.' }],
    [['edited'], { outcome: 'edited', reason: 'Seen', ...edit }, null],
    // The edit comes first, then the reason.
    [['edited'], { outcome: 'edited' }, { part: 'outcome', text: 'H1 is marked as edited and nothing was changed.' }],
  ])('needed for %j, %j: %j', (reasons, decision, fault) => {
    expect(findRowFault({ fields, noun: { one: 'hazard', many: 'hazards' }, reasons }, row, decision)).toEqual(fault);
  });

  test.each<[RowOutcome[], outcome: unknown, asked: boolean]>([
    [[], 'rejected', true],
    [[], 'accepted', false],
    [['accepted'], 'accepted', true],
    [['accepted'], 'edited', false],
    [['accepted'], undefined, false],
  ])('needed for %j is asked with %j: %j', (reasons, outcome, asked) => {
    expect(asksReason({ reasons }, outcome)).toBe(asked);
  });

  test.each<[RowOutcome[], string | null]>([
    [[], null],
    [['rejected'], 'reject'],
    [['rejected', 'edited'], 'edit or reject'],
    [['accepted', 'edited', 'rejected'], 'accept, edit or reject'],
  ])('needed for %j is described as %j', (reasons, words) => {
    expect(describeReasons({ reasons })).toBe(words);
  });
});

test.each([
  [[], 0, 0],
  [['a'], 0, 1],
  [['a'], 1, 1],
  [['b'], 2, 2],
  [['b', 'c'], 1, 0],
  [['b', 'c'], 3, 0],
  [['a', 'b', 'c'], 1, -1],
])('with %j decided, the next open row from %i on is %i', (decided, from, next) => {
  const rows = ['a', 'b', 'c'].map((id) => ({ ...row, id }));
  const decisions = decided.map((id) => ({ id }));
  expect(nextOpenRow({ rows }, decisions, from)).toBe(next);
});

describe('a decision of an earlier version', () => {
  const earlier = { id: 'a', outcome: 'accepted', kbId: 'MED-02', bestMatch: true };
  const today = { id: 'a', outcome: 'accepted', choice: 'MED-02', bestMatch: true };

  test('reads like a current one, which is unchanged', () => {
    expect(fromEarlier(earlier)).toEqual(today);
    expect(fromEarlier(today)).toEqual(today);
  });

  test('in an answer is read by its meaning, and the signed answer stays unchanged', () => {
    const answer = { rows: [earlier, { id: 'b', outcome: 'rejected', reason: 'No' }] };
    expect(decisionsIn(answer)).toEqual([today, { id: 'b', outcome: 'rejected', reason: 'No' }]);
    expect(decisionsIn({ approved: true })).toEqual([]);
    expect(decisionsIn(null)).toEqual([]);
    const [migration] = migrationsOf(Interrupt.collection.name);
    const asked = { _id: 1, interruptType: 'hazard_review', userResponse: answer };
    expect(migration?.change(asked)).toMatchObject({ userResponse: answer });
  });

  test('in a draft and in the record is rewritten', () => {
    const [ofQuestion] = migrationsOf(Interrupt.collection.name);
    const draft = { rows: [earlier], version: 3, chosen: { b: 'MED-08' } };
    expect(ofQuestion?.change({ _id: 1, interruptType: 'hazard_review', draft })).toEqual({
      ...{ _id: 1, interruptType: 'hazard_review', requires: 'clinical-safety-officer' },
      draft: { ...draft, rows: [today] },
    });
    const [ofAnalysis] = migrationsOf(HazardAnalysis.collection.name);
    expect(ofAnalysis?.change({ _id: 1, decisions: [earlier] })).toEqual({ _id: 1, decisions: [today] });
    expect(ofAnalysis?.change({ _id: 1 })).toEqual({ _id: 1, decisions: null });
  });

  test.each([
    ['hazard_review', undefined, 'clinical-safety-officer'],
    ['hazard_review', null, 'clinical-safety-officer'],
    ['approval', undefined, null],
    ['approval', 'clinical-safety-officer', 'clinical-safety-officer'],
  ])('a question of kind %s that required %s requires %s', (interruptType, requires, needs) => {
    const [migration] = migrationsOf(Interrupt.collection.name);
    expect(migration?.change({ _id: 1, interruptType, requires, draft: null })).toEqual({
      ...{ _id: 1, interruptType, requires: needs, draft: null },
    });
  });
});
