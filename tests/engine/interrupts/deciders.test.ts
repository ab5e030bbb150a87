import { describe, expect, test } from '@jest/globals';
import { decidersOf } from '../../../bot/engine/interrupts/deciders.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';

const [EARLIER, NOW] = [new Date(1_000), new Date(2_000)];
const BO = { userId: 8, name: 'Bo Lind', via: 'inbox' as const, at: NOW };
const byAda = { id: 'p1', userId: 7, name: 'Ada Okafor', via: 'slack' as const, at: EARLIER };
const accepted = (id: string): RowDecision => ({ id, outcome: 'accepted' });
const rejected = (id: string): RowDecision => ({ id, outcome: 'rejected' });
const draft = { ...{ version: 1, savedAt: EARLIER, savedBy: 'Ada Okafor' }, rows: [accepted('p1'), rejected('p2')] };
/** Ada decided on p1; p2 was preselected, so nobody did. */
const standing = { draft, decidedBy: [byAda] } as unknown as Parameters<typeof decidersOf>[0];

describe('who decided a row', () => {
  test('stays who decided it, as long as the decision is the same', () => {
    expect(decidersOf(standing, [accepted('p1')], BO)).toEqual([byAda]);
    expect(decidersOf(standing, [rejected('p1')], BO)).toEqual([{ id: 'p1', ...BO }]);
  });

  test('is nobody where it was preselected, until somebody changes it or sends the answer', () => {
    expect(decidersOf(standing, [accepted('p1'), rejected('p2')], BO)).toEqual([byAda]);
    expect(decidersOf(standing, [accepted('p2')], BO)).toEqual([{ id: 'p2', ...BO }]);
    expect(decidersOf(standing, [accepted('p1'), rejected('p2')], BO, true)).toEqual([byAda, { id: 'p2', ...BO }]);
  });
});
