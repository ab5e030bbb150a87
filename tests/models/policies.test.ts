import { describe, expect, test } from '@jest/globals';
import { INTERRUPT_TYPES } from '../../models/contracts/interrupts.ts';
import { ROLES, type Role } from '../../models/member.ts';
import { ACTIONS, type Action, answeringOf, may } from '../../models/policies/actions.ts';
import { mayAnswer, requireMayAnswer } from '../../models/policies/interrupt.ts';
import { ROUTE_POLICIES } from '../../models/policies/route.ts';
import type { Who } from '../../models/policies/who.ts';

const who = (roles: Role[], change: Partial<Who> = {}): Who => ({
  userId: 7,
  accountId: 1,
  name: 'Ada',
  email: 'ada@example.org',
  emailVerified: true,
  roles,
  isAdmin: false,
  hasOfficer: false,
  ...change,
});
const questions = INTERRUPT_TYPES.flatMap((interruptType) =>
  ([null, 'clinical-safety-officer'] as const).map((requires) => ({ accountId: 1, interruptType, requires })),
);

describe('a question', () => {
  test('of another company is nobody’s to answer, whatever they are, and it is not said for whom it waits', () => {
    for (const question of questions) {
      for (const hasOfficer of [false, true]) {
        const stranger = who([...ROLES], { accountId: 2, isAdmin: true, hasOfficer });
        expect(mayAnswer(stranger, question)).toBe(false);
        expect(() => requireMayAnswer(stranger, question)).toThrow(expect.objectContaining({ code: 'not_allowed' }));
      }
    }
  });

  test('of one’s own company is answered by whom the table names', () => {
    for (const question of questions) {
      for (const role of ROLES) {
        for (const hasOfficer of [false, true]) {
          const one = who([role], { hasOfficer });
          expect(mayAnswer(one, question)).toBe(may(one, answeringOf(question)));
        }
      }
    }
  });
});

describe('what is one’s own', () => {
  const own = Object.entries(ACTIONS).flatMap(([action, cells]) =>
    ROLES.filter((role) => cells[role] === 'own').map((role) => [action as Action, role] as const),
  );

  test.each(own)('%s, as %s: nobody’s thing and another’s are not', (action, role) => {
    const one = who([role]);
    const things = [null, { userId: null }, { userId: 8 }, { userId: 7 }];
    expect(things.map((of) => may(one, action, of))).toEqual([false, false, false, true]);
  });

  test('who has no role may nothing', () => {
    for (const action of Object.keys(ACTIONS) as Action[]) expect(may(who([]), action, { userId: 7 })).toBe(false);
  });
});

test('a route asks of the caller what its policy says', () => {
  const callers = [null, who(['member']), who(['owner']), who(['member'], { isAdmin: true })];
  const verdicts = Object.entries(ROUTE_POLICIES).map(([policy, rule]) => [policy, ...callers.map(rule)]);
  expect(verdicts).toEqual([
    ['public', 'yes', 'yes', 'yes', 'yes'],
    ['signed-in', 'sign-in', 'yes', 'yes', 'yes'],
    ['owner', 'sign-in', 'no', 'yes', 'no'],
    ['admin', 'sign-in', 'no', 'no', 'yes'],
  ]);
});
