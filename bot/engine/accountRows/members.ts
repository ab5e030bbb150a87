import type { Role } from '../../../models/member.ts';
import { displayName } from '../../../models/user.ts';
import { type MemberWithUser, readMembers } from '../accounts/members.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { stateField } from '../queries/flagField.ts';

export const MEMBERS: Nouns = {
  one: 'member',
  many: 'members',
  names: [
    'colleague',
    'colleagues',
    'people',
    'users',
    'user',
    'team members',
    'team member',
    'team',
    'person',
    'persons',
    'staff',
    'seats',
    'seat',
    'logins',
    'teammates',
    'account holders',
    'who on account',
    'who in account',
    'anyone on account',
    'anybody on account',
    'everyone on account',
    'everybody on account',
    'who in company',
    'who',
    "who's",
  ],
};

const ROLES: readonly [role: Role, name: string, words: string][] = [
  ['owner', 'owner', 'owners, owner, account owners, account owner'],
  ['approver', 'approver', 'approvers, approver, can approve, may approve, allowed to approve, able to approve'],
  [
    'clinical-safety-officer',
    'Clinical Safety Officer',
    'clinical safety officers, clinical safety officer, safety officers, safety officer, cso, csos',
  ],
  [
    'deputy',
    'deputy',
    'deputies, deputy, deputy cso, deputy csos, deputy clinical safety officer, deputy clinical safety officers, deputy safety officer, stand-in, stand-ins',
  ],
];

const roleField = ([role, name, words]: (typeof ROLES)[number]) =>
  stateField<MemberWithUser>(role, words, ({ roles }) => roles.includes(role), {
    says: { yes: { verb: 'have', rest: `the role ${name}` }, no: { verb: 'have', rest: `not the role ${name}` } },
  });

/** The people of an account. */
export async function members(accountId: number): Promise<Entity<MemberWithUser>> {
  return {
    id: 'members',
    ...MEMBERS,
    rows: (await readMembers(accountId)).members,
    fields: ROLES.map(roleField),
    outside: ({ user }) => [displayName(user)],
    line: ({ user, roles }) => `${displayName(user)} (${roles.join(', ').replaceAll('-', ' ')})`,
  };
}
