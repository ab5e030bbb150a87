import { describe, expect, test } from '@jest/globals';
import type { NewHazard } from '../../models/contracts/clinical_safety/hazards.ts';
import {
  accept,
  byId,
  changedFields,
  changedRows,
  combine,
  needsChoice,
  withChoice,
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
const candidate = (kbId: string) => ({ kbId, title: kbId, category: 'Identity', score: 5 });
const proposal: NewHazard = {
  id: 'p1',
  proposedId: 'H12',
  kbId: 'PID-01',
  category: 'Identity',
  candidates: [candidate('PID-01'), candidate('PID-02')],
  sure: false,
  values,
  suggested: { severity: 'Major', likelihood: 'Low', risk: 3 },
  evidence: [{ ticketKey: 'RX-1', summary: 's', quote: 'q' }],
  status: 'Proposed – CSO review',
};

describe('accepting a proposal', () => {
  test('as it stands is accepted, with changes it is edited and holds only the changes', () => {
    expect(accept(proposal, undefined)).toEqual({ id: 'p1', outcome: 'accepted' });
    const edited = { id: 'p1', outcome: 'edited' as const, values: { ...values, name: 'Another name' } };
    expect(accept(proposal, edited)).toEqual({ id: 'p1', outcome: 'edited', values: { name: 'Another name' } });
    expect(changedFields(proposal, edited)).toEqual(['name']);
  });

  test('an edit that was taken back is no edit', () => {
    expect(accept(proposal, { id: 'p1', outcome: 'edited', values })).toEqual({ id: 'p1', outcome: 'accepted' });
  });

  test('a choice among several matches is needed once, and kept', () => {
    expect(needsChoice(proposal, undefined)).toBe(true);
    expect(needsChoice({ ...proposal, sure: true }, undefined)).toBe(false);
    const chosen = { id: 'p1', outcome: 'accepted' as const, kbId: 'PID-02' };
    expect(needsChoice(proposal, chosen)).toBe(false);
    expect(accept(proposal, chosen)).toEqual(chosen);
  });

  test('with another match chosen, the proposal reads as it will be merged', () => {
    const other = { ...values, name: 'Another record' };
    const suggested = { severity: 'Considerable', likelihood: 'High', risk: 3 };
    const told = {
      ...proposal,
      candidates: [candidate('PID-01'), { ...candidate('PID-02'), category: 'Records', values: other, suggested }],
    };
    const shown = withChoice(told, 'PID-02');
    expect(shown).toMatchObject({
      kbId: 'PID-02',
      category: 'Records',
      values: other,
      suggested,
      evidence: proposal.evidence,
    });
    expect(withChoice(told, 'PID-01')).toBe(told);
    expect(withChoice(told, undefined)).toBe(told);
    // What is the chosen match's own is no edit of the person's.
    expect(changedFields(shown, { id: 'p1', outcome: 'accepted', kbId: 'PID-02' })).toEqual([]);
  });
});

describe('two reviewers', () => {
  const row = (id: string, outcome: 'accepted' | 'rejected') => ({ id, outcome });

  test('each keeps what they changed, and sees what the other changed', () => {
    const base = byId([row('a', 'accepted'), row('b', 'accepted')]);
    const mine = byId([row('a', 'rejected'), row('b', 'accepted')]);
    const theirs = byId([row('a', 'accepted'), row('b', 'rejected'), row('c', 'accepted')]);
    expect(combine(mine, base, theirs)).toEqual({
      decisions: byId([row('a', 'rejected'), row('b', 'rejected'), row('c', 'accepted')]),
      clashes: {},
    });
  });

  test('a decision that was taken back here stays taken back', () => {
    const base = byId([row('a', 'accepted')]);
    expect(combine({}, base, base)).toEqual({ decisions: {}, clashes: {} });
    expect(changedRows({}, base)).toEqual(['a']);
    expect(changedRows(base, byId([row('a', 'accepted')]))).toEqual([]);
  });

  test('who decide the same row otherwise lose neither decision: theirs stands, mine is kept beside it', () => {
    const mine = byId([row('a', 'accepted'), row('b', 'rejected')]);
    const theirs = byId([row('a', 'rejected'), row('b', 'rejected')]);
    expect(combine(mine, {}, theirs)).toEqual({ decisions: theirs, clashes: { a: row('a', 'accepted') } });
    // Taken back here and decided anew there is a clash too.
    const base = byId([row('a', 'accepted')]);
    expect(combine({}, base, theirs).clashes).toEqual({ a: null });
  });

  test('equal decisions are no clash, in whatever order their parts came', () => {
    const mine = { a: { id: 'a', outcome: 'edited' as const, kbId: 'X', values: { name: 'n', cause: 'c' } } };
    const theirs = { a: { id: 'a', outcome: 'edited' as const, values: { cause: 'c', name: 'n' }, kbId: 'X' } };
    expect(combine(mine, {}, theirs)).toEqual({ decisions: theirs, clashes: {} });
  });
});
