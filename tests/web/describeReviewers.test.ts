import { expect, test } from '@jest/globals';
import type { RowDecision } from '../../models/contracts/questionRows.ts';
import type { RowDecider } from '../../models/contracts/rowDeciders.ts';
import { describeReviewers, nameOfDecider } from '../../web/parts/review/describeReviewers.ts';

const [ADA, BO] = [7, 8];
const by = (id: string, userId: number, name: string): RowDecider => ({
  ...{ id, userId, name },
  ...{ at: '2026-05-03T10:00:00.000Z', via: 'inbox' },
});
const decided = (...ids: string[]): Record<string, RowDecision> =>
  Object.fromEntries(ids.map((id) => [id, { id, outcome: 'accepted' }]));
const decidedBy = [by('p1', BO, 'Bo Lind'), by('p2', BO, 'Bo Lind')];

test('a row of a colleague that this person decided again counts once, as this person’s, before it is sent', () => {
  const pending = { status: 'pending' as const, decidedBy };
  expect(describeReviewers(pending, decided('p1', 'p2'), [], ADA)).toBe('2 by Bo Lind');
  expect(describeReviewers(pending, decided('p1', 'p2'), ['p2'], ADA)).toBe('1 by Bo Lind, 1 by you');
});

test('a row that is undecided again counts for nobody, until the review is closed', () => {
  expect(describeReviewers({ status: 'pending', decidedBy }, decided('p1'), ['p2'], ADA)).toBe('1 by Bo Lind');
  expect(describeReviewers({ status: 'resolved', decidedBy }, {}, [], ADA)).toBe('2 by Bo Lind');
});

test('rows that were decided differently have a name where one person decided all of them', () => {
  const question = { decidedBy: [...decidedBy, by('p3', 9, 'Cy Ruiz')] };
  expect(nameOfDecider(question, ['p1', 'p2'])).toBe('Bo Lind');
  expect(nameOfDecider(question, ['p1', 'p3'])).toBeNull();
  expect(nameOfDecider(question, ['p1', 'p4'])).toBeNull();
  expect(nameOfDecider(question, [])).toBeNull();
});
