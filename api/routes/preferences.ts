import type { Router } from 'express';
import { noteCompany, readCompanies } from '../../bot/engine/accounts/companies.ts';
import { acceptInvitation, readInvitation } from '../../bot/engine/accounts/invitations.ts';
import { leaveCompany } from '../../bot/engine/accounts/leaveCompany.ts';
import { inviteMember, readMembers, removeMember } from '../../bot/engine/accounts/members.ts';
import { changePreferences, readPreferences } from '../../bot/engine/preferences/preferences.ts';
import * as contract from '../../models/contracts/members.ts';
import * as preferences from '../../models/contracts/preferences.ts';
import { bind } from '../middleware/bind.ts';
import { rememberDevice } from '../middleware/device.ts';
import { beginSession, requireOwnSession } from '../middleware/session.ts';
import { presentInvitation, presentMember } from '../present/member.ts';

/** Preferences, members and invitations. */
export function preferenceRoutes(router: Router): void {
  bind(router, preferences.getPreferences, ({ who }) => readPreferences(who));

  bind(router, preferences.putPreferences, ({ who, body: { confirm = false, ...change } }) =>
    changePreferences(who, change, confirm),
  );

  bind(router, contract.listMembers, async ({ who }) => {
    const { members, invitations } = await readMembers(who.accountId);
    const seesInvitations = who.roles.includes('owner');
    return {
      members: members.map(presentMember),
      invitations: seesInvitations ? invitations.map((row) => presentInvitation(row)) : [],
    };
  });

  bind(router, contract.inviteMember, async ({ who, body }) => {
    const done = await inviteMember(who, body.email, body.roles, body.confirm);
    return 'member' in done
      ? { member: presentMember(done.member), invitation: null }
      : { member: null, invitation: presentInvitation(done.invitation, done.link) };
  });

  bind(router, contract.removeMember, async ({ who, body }) => {
    await removeMember(who, body);
    return { success: true as const };
  });

  bind(router, contract.invitationDetails, async ({ params }) => {
    const { invitation, companyName } = await readInvitation(params.token);
    return { email: invitation.email, companyName, roles: [...invitation.roles] };
  });

  bind(router, contract.acceptInvitation, async ({ who, body, request }) => {
    const { user, accountId } = await acceptInvitation(body, who);
    await noteCompany(user._id, accountId);
    await beginSession(request, user._id, accountId);
    rememberDevice(request, user.email);
    return { success: true as const };
  });

  bind(router, contract.listCompanies, async ({ who }) => ({ accounts: await readCompanies(who) }));

  bind(router, contract.switchCompany, async ({ who, body, request }) => {
    requireOwnSession(request);
    await noteCompany(who.userId, body.accountId);
    await beginSession(request, who.userId, body.accountId);
    return { success: true as const };
  });

  bind(router, contract.leaveCompany, async ({ who, body, request }) => {
    requireOwnSession(request);
    const { left, next } = await leaveCompany(who, body.confirm);
    await beginSession(request, who.userId, next);
    return { success: true as const, companyName: left };
  });
}
