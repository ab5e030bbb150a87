import type { InterruptRow } from '../interrupt.ts';
import type { Role } from '../member.ts';
import type { Who } from './who.ts';

/** `own`: only what they created. `while-none`: only while no Clinical Safety Officer is appointed. */
export type Cell = 'yes' | 'no' | 'own' | 'while-none';

const row = (owner: Cell, officer: Cell, deputy: Cell, approver: Cell, member: Cell): Record<Role, Cell> => ({
  owner,
  'clinical-safety-officer': officer,
  deputy,
  approver,
  member,
});

/**
 * What a member may do, by role. With several roles the most permissive cell counts; anything not listed is refused.
 * Reasons: docs/decisions/014-who-may-do-what.md. tests/api/policyTable.test.ts tries every cell.
 */
export const ACTIONS = {
  //                             owner        officer deputy approver member
  'question.answer': row('yes', 'yes', 'yes', 'yes', 'no'),
  'question.answer-clinical': row('while-none', 'yes', 'yes', 'no', 'no'),
  'run.cancel': row('yes', 'yes', 'yes', 'own', 'own'),
  'schedule.create': row('yes', 'yes', 'yes', 'yes', 'yes'),
  'schedule.change': row('yes', 'own', 'own', 'own', 'own'),
  'schedule.run': row('yes', 'own', 'own', 'own', 'own'),
  'schedule.delete': row('yes', 'own', 'own', 'own', 'own'),
  'document.delete': row('yes', 'own', 'own', 'own', 'own'),
  'agent.hire': row('yes', 'yes', 'yes', 'yes', 'yes'),
  'agent.let-go': row('yes', 'own', 'own', 'own', 'own'),
  'agent.change-tools': row('yes', 'no', 'no', 'no', 'no'),
  'integration.toggle': row('yes', 'no', 'no', 'no', 'no'),
  'integration.connect': row('yes', 'no', 'no', 'no', 'no'),
  'preferences.own': row('yes', 'yes', 'yes', 'yes', 'yes'),
  'preferences.company': row('yes', 'no', 'no', 'no', 'no'),
  'members.change': row('yes', 'no', 'no', 'no', 'no'),
  'tokens.change': row('yes', 'no', 'no', 'no', 'no'),
  'links.change': row('yes', 'no', 'no', 'no', 'no'),
  'billing.change': row('yes', 'no', 'no', 'no', 'no'),
  'audit.read': row('yes', 'no', 'no', 'no', 'no'),
} as const satisfies Record<string, Record<Role, Cell>>;
export type Action = keyof typeof ACTIONS;

/**
 * Whether a member may perform an action.
 * @param of the creator of the object, where the table says `own`; null where there is none
 */
export function may(
  who: Pick<Who, 'userId' | 'roles' | 'hasOfficer'>,
  action: Action,
  of: { userId: number | null } | null = null,
): boolean {
  return who.roles.some((role) => {
    const cell: Cell | undefined = (ACTIONS[action] as Record<string, Cell>)[role];
    if (cell === 'own') return of !== null && of.userId === who.userId;
    return cell === 'yes' || (cell === 'while-none' && !who.hasOfficer);
  });
}

/** The roles that may perform an action on objects that others created. */
export const rolesThatMay = (action: Action, hasOfficer: boolean): Role[] =>
  (Object.entries(ACTIONS[action]) as [Role, Cell][])
    .filter(([, cell]) => cell === 'yes' || (cell === 'while-none' && !hasOfficer))
    .map(([role]) => role);

export type Requirement = 'clinical-safety-officer';

/**
 * The role that a question needs; null where any approver may answer. A row without the field gets the strictest role.
 */
export const requirementOf = ({ requires }: Pick<InterruptRow, 'requires'>): Requirement | null =>
  requires === undefined ? 'clinical-safety-officer' : requires;

/** The action under which a question is answered. */
export const answeringOf = (it: Pick<InterruptRow, 'requires'>): Action =>
  requirementOf(it) ? 'question.answer-clinical' : 'question.answer';
