import { describe, expect, test } from '@jest/globals';
import {
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  withOption,
} from '../../models/contracts/questionRows.ts';
import {
  accept,
  byId,
  changedIn,
  changedRows,
  combine,
  findFault,
  needsChoice,
} from '../../web/parts/review/decisions.ts';

const values = {
  name: 'Wrong patient',
  description: 'The record of another person is opened.',
  cause: 'Selection',
  clinicalImpact: 'Wrong treatment',
  controlDesign: '',
  controlTest: '',
  controlTraining: '',
  controlBusiness: '',
};
const option = (id: string): QuestionRow['options'][number] => ({
  ...{ id, title: id, note: '5.00', group: 'Identity', values: null, grade: null },
});
const row: QuestionRow = {
  id: 'p1',
  name: 'H12',
  title: 'Wrong patient',
  group: 'Identity',
  values,
  quotes: [{ text: 'q', source: 'RX-1' }],
  grade: { value: 3, texts: ['Major', 'Low'] },
  options: [option('PID-01'), option('PID-02')],
  option: 'PID-01',
  earlier: null,
};

describe('accepting a row', () => {
  test('without changes is accepted, with changes it is edited and contains only the changes', () => {
    expect(accept(row, undefined)).toEqual({ id: 'p1', outcome: 'accepted' });
    const edited = { id: 'p1', outcome: 'edited' as const, values: { ...values, name: 'Another name' } };
    expect(accept(row, edited)).toEqual({ id: 'p1', outcome: 'edited', values: { name: 'Another name' } });
    expect(changedIn(row, edited)).toEqual(['name']);
  });

  test('an edit that was undone does not count', () => {
    expect(accept(row, { id: 'p1', outcome: 'edited', values })).toEqual({ id: 'p1', outcome: 'accepted' });
  });

  test('a choice among several matches is needed once, and kept', () => {
    expect(needsChoice(row, undefined)).toBe(true);
    expect(needsChoice({ ...row, options: [] }, undefined)).toBe(false);
    const chosen = { id: 'p1', outcome: 'accepted' as const, choice: 'PID-02' };
    expect(needsChoice(row, chosen)).toBe(false);
    expect(accept(row, chosen)).toEqual(chosen);
    // The closest match that all undecided rows got is nobody's choice.
    expect(needsChoice(row, { ...chosen, bestMatch: true })).toBe(true);
  });

  test('keeps the reason of an acceptance, and drops that of a rejection', () => {
    const reason = 'Seen in June';
    expect(accept(row, { id: 'p1', outcome: 'accepted', reason })).toEqual({ id: 'p1', outcome: 'accepted', reason });
    const edited = { id: 'p1', outcome: 'edited' as const, values: { cause: 'Another cause' }, reason };
    expect(accept(row, edited)).toEqual(edited);
    expect(accept(row, { id: 'p1', outcome: 'rejected', reason })).toEqual({ id: 'p1', outcome: 'accepted' });
  });

  test('finds the first invalid row, with its position', () => {
    const view: QuestionRows = {
      ...{ noun: { one: 'hazard', many: 'hazards' }, headings: { row: '', quotes: '', grade: '' }, fields: [] },
      ...{ reasons: ['rejected'], rows: [row, { ...row, id: 'p2', name: 'H13' }] },
    };
    const accepted: RowDecision = { id: 'p1', outcome: 'accepted', choice: 'PID-01' };
    const rejected: RowDecision = { id: 'p2', outcome: 'rejected' };
    expect(findFault(view, { p1: accepted })).toBeNull();
    expect(findFault(view, { p1: accepted, p2: rejected })).toEqual({
      ...{ at: 1, part: 'reason', text: 'H13: say why it is rejected.' },
    });
    expect(findFault(view, { p1: accepted, p2: { ...rejected, reason: 'Known' } })).toBeNull();
  });

  test('with another match chosen shows the proposal’s text as it will be merged', () => {
    const other = { ...values, name: 'Another record' };
    const grade = { value: 3, texts: ['Considerable', 'High'] };
    const told = {
      ...row,
      options: [option('PID-01'), { ...option('PID-02'), group: 'Records', values: other, grade }],
    };
    const shown = withOption(told, 'PID-02');
    expect(shown).toMatchObject({ option: 'PID-02', group: 'Records', values: other, grade, quotes: row.quotes });
    expect(withOption(told, 'PID-01')).toBe(told);
    expect(withOption(told, undefined)).toBe(told);
    // An option without words changes none.
    expect(withOption(row, 'PID-02')).toBe(row);
    // The chosen option's own words do not count as the person's edit.
    expect(changedIn(shown, { id: 'p1', outcome: 'accepted', choice: 'PID-02' })).toEqual([]);
  });
});

describe('two reviewers', () => {
  const decide = (id: string, outcome: 'accepted' | 'rejected') => ({ id, outcome });

  test('keep their own changes, and see the other’s', () => {
    const base = byId([decide('a', 'accepted'), decide('b', 'accepted')]);
    const mine = byId([decide('a', 'rejected'), decide('b', 'accepted')]);
    const theirs = byId([decide('a', 'accepted'), decide('b', 'rejected'), decide('c', 'accepted')]);
    expect(combine(mine, base, theirs)).toEqual({
      decisions: byId([decide('a', 'rejected'), decide('b', 'rejected'), decide('c', 'accepted')]),
      clashes: {},
    });
  });

  test('keep a decision undone that was undone here', () => {
    const base = byId([decide('a', 'accepted')]);
    expect(combine({}, base, base)).toEqual({ decisions: {}, clashes: {} });
    expect(changedRows({}, base)).toEqual(['a']);
    expect(changedRows(base, byId([decide('a', 'accepted')]))).toEqual([]);
  });

  test('who decide the same row differently lose nothing: the other decision counts, and mine is kept beside it', () => {
    const mine = byId([decide('a', 'accepted'), decide('b', 'rejected')]);
    const theirs = byId([decide('a', 'rejected'), decide('b', 'rejected')]);
    expect(combine(mine, {}, theirs)).toEqual({ decisions: theirs, clashes: { a: decide('a', 'accepted') } });
    // Undone here and decided there also conflicts.
    const base = byId([decide('a', 'accepted')]);
    expect(combine({}, base, theirs).clashes).toEqual({ a: null });
  });

  test('with equal decisions do not conflict, in whatever order the parts come', () => {
    const mine = { a: { id: 'a', outcome: 'edited' as const, choice: 'X', values: { name: 'n', cause: 'c' } } };
    const theirs = { a: { id: 'a', outcome: 'edited' as const, values: { cause: 'c', name: 'n' }, choice: 'X' } };
    expect(combine(mine, {}, theirs)).toEqual({ decisions: theirs, clashes: {} });
  });
});
