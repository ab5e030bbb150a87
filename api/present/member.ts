import { type MemberWithUser, memberName } from '../../bot/engine/accounts/members.ts';
import type { InvitationView, MemberView } from '../../models/contracts/members.ts';
import type { InvitationRow } from '../../models/invitation.ts';

/** A member as the other members see them. */
export const presentMember = (member: MemberWithUser): MemberView => ({
  userId: member.userId,
  name: memberName(member),
  email: member.user.email,
  emailVerified: member.user.emailVerified,
  roles: [...member.roles],
  joinedAt: member.createdAt.toISOString(),
});

/** @param link the link to accept it, only for the owner who created it; null otherwise */
export const presentInvitation = (row: InvitationRow, link: string | null = null): InvitationView => ({
  id: String(row._id),
  email: row.email,
  roles: [...row.roles],
  expiresAt: row.expiresAt.toISOString(),
  link,
});
