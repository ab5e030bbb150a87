import type { MemberRole } from '../../data/preferences.ts';

/** The roles of members, as people read them. */
export const ROLE_NAMES: Record<MemberRole, string> = {
  owner: 'Owner',
  member: 'Member',
  approver: 'Approver',
  'clinical-safety-officer': 'Clinical Safety Officer',
  deputy: 'Deputy',
};
