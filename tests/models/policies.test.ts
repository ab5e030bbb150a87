import { describe, expect, test } from '@jest/globals';
import type { InterruptRow } from '../../models/interrupt.ts';
import { ROLES, type Role } from '../../models/member.ts';
import { ACTIONS, type Action, answeringOf, may, requirementOf, rolesThatMay } from '../../models/policies/actions.ts';
import { mayAnswer, requireMayAnswer, waitsForText } from '../../models/policies/interrupt.ts';
import { ROUTE_POLICIES } from '../../models/policies/route.ts';
import type { Who } from '../../models/policies/who.ts';

/** In the order of the decision's columns. */
const ROLES_IN_ORDER = ['owner', 'clinical-safety-officer', 'deputy', 'approver', 'member'] as const satisfies Role[];

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
const KINDS = [
  'approval',
  'decision',
  'input',
  'hazard_review',
  'project_preview',
  'REPLIT_PROJECT_CREATED',
  'made_up',
];
const questions = KINDS.flatMap((interruptType) =>
  ([null, 'clinical-safety-officer'] as const).map((requires) => ({ accountId: 1, interruptType, requires })),
);

/** The table of docs/decisions/014, cell by cell, so that a change of either side is deliberate. */
const DECIDED = `
                            owner      officer    deputy     approver   member
  question.answer           yes        yes        yes        yes        no
  question.answer-clinical  while-none yes        yes        no         no
  run.cancel                yes        yes        yes        own        own
  schedule.create           yes        yes        yes        yes        yes
  schedule.change           yes        own        own        own        own
  schedule.run              yes        own        own        own        own
  schedule.delete           yes        own        own        own        own
  document.delete           yes        own        own        own        own
  agent.hire                yes        yes        yes        yes        yes
  agent.let-go              yes        own        own        own        own
  agent.change-tools        yes        no         no         no         no
  integration.toggle        yes        no         no         no         no
  integration.connect       yes        no         no         no         no
  preferences.own           yes        yes        yes        yes        yes
  preferences.company       yes        no         no         no         no
  members.change            yes        no         no         no         no
  tokens.change             yes        no         no         no         no
  links.change              yes        no         no         no         no
  billing.change            yes        no         no         no         no
  audit.read                yes        no         no         no         no
`;

test('the table of actions is the decided one', () => {
  const [, ...rows] = DECIDED.trim().split('\n');
  const decided = rows.map((row) => row.trim().split(/\s+/));
  expect(
    Object.entries(ACTIONS).map(([action, cells]) => [action, ...ROLES_IN_ORDER.map((role) => cells[role])]),
  ).toEqual(decided);
});

test.each([
  [undefined, 'clinical-safety-officer', 'question.answer-clinical'],
  ['clinical-safety-officer', 'clinical-safety-officer', 'question.answer-clinical'],
  [null, null, 'question.answer'],
] as const)('a question that requires %s needs %s and has the action %s', (requires, needs, action) => {
  const asked = { requires } as Parameters<typeof requirementOf>[0];
  expect(requirementOf(asked)).toBe(needs);
  expect(answeringOf(asked)).toBe(action);
});

test('permissions on others’ questions: the owner may answer a clinical one while there is no officer', () => {
  expect(rolesThatMay('question.answer-clinical', false)).toEqual(['owner', 'clinical-safety-officer', 'deputy']);
  expect(rolesThatMay('question.answer-clinical', true)).toEqual(['clinical-safety-officer', 'deputy']);
  expect(rolesThatMay('question.answer', true)).toEqual(['owner', 'clinical-safety-officer', 'deputy', 'approver']);
  expect(rolesThatMay('run.cancel', true)).toEqual(['owner', 'clinical-safety-officer', 'deputy']);
  expect(rolesThatMay('schedule.delete', false)).toEqual(['owner']);
});

test('the people a question waits for, in words', () => {
  const text = (requires: InterruptRow['requires'], hasOfficer: boolean) => waitsForText({ hasOfficer }, { requires });
  expect(text(null, true)).toBe('This question waits for the account owner or an approver.');
  expect(text(null, false)).toBe('This question waits for the account owner or an approver.');
  expect(text('clinical-safety-officer', true)).toBe(
    'This question waits for the Clinical Safety Officer or a deputy.',
  );
  expect(text('clinical-safety-officer', false)).toBe(
    'This question waits for the account owner, who can also appoint a Clinical Safety Officer.',
  );
});

test('a refusal mentions the officer only if one is appointed and the question is for the officer', () => {
  const refusalOf = (requires: InterruptRow['requires'], hasOfficer: boolean) => {
    try {
      requireMayAnswer(who(['member'], { hasOfficer }), { accountId: 1, requires });
      return 'none';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(refusalOf('clinical-safety-officer', true)).toBe('needs_officer');
  expect(refusalOf('clinical-safety-officer', false)).toBe('not_allowed');
  expect(refusalOf(null, true)).toBe('not_allowed');
});

describe('a question', () => {
  test('of another company can’t be answered by anybody, and does not say whom it waits for', () => {
    for (const question of questions) {
      for (const hasOfficer of [false, true]) {
        const stranger = who([...ROLES], { accountId: 2, isAdmin: true, hasOfficer });
        expect(mayAnswer(stranger, question)).toBe(false);
        expect(() => requireMayAnswer(stranger, question)).toThrow(expect.objectContaining({ code: 'not_allowed' }));
      }
    }
  });

  test('is answered by no program, whoever made its token', () => {
    for (const question of questions) expect(mayAnswer(who([...ROLES], { isProgram: true }), question)).toBe(false);
  });

  test('of the own company is answered by the roles in the table', () => {
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

describe('one’s own data', () => {
  const own = Object.entries(ACTIONS).flatMap(([action, cells]) =>
    ROLES.filter((role) => cells[role] === 'own').map((role) => [action as Action, role] as const),
  );

  test.each(own)('%s, as %s: does not include nobody’s or another’s', (action, role) => {
    const one = who([role]);
    const things = [null, { userId: null }, { userId: 8 }, { userId: 7 }];
    expect(things.map((of) => may(one, action, of))).toEqual([false, false, false, true]);
  });

  test('a person without roles has no permissions', () => {
    for (const action of Object.keys(ACTIONS) as Action[]) expect(may(who([]), action, { userId: 7 })).toBe(false);
  });
});

test('a route asks the caller for the permission in its policy', () => {
  const callers = [null, who(['member']), who(['owner']), who(['member'], { isAdmin: true })];
  const verdicts = Object.entries(ROUTE_POLICIES).map(([policy, rule]) => [policy, ...callers.map(rule)]);
  expect(verdicts).toEqual([
    ['public', 'yes', 'yes', 'yes', 'yes'],
    ['signed-in', 'sign-in', 'yes', 'yes', 'yes'],
    ['owner', 'sign-in', 'no', 'yes', 'no'],
    ['token', 'no', 'no', 'no', 'no'],
    ['admin', 'sign-in', 'no', 'no', 'yes'],
  ]);
});
