import { z } from 'zod';
import { email, personName } from './auth.ts';
import { endpoint, isoDate } from './endpoint.ts';

const memberRole = z.enum(['owner', 'member', 'approver', 'clinical-safety-officer', 'deputy']);

/** Goes on after the warning `few_signers`. */
const confirm = z.boolean().optional();

const memberView = z.object({
  userId: z.number().int(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  roles: z.array(memberRole),
  joinedAt: isoDate,
});
export type MemberView = z.infer<typeof memberView>;

const invitationView = z.object({
  id: z.string(),
  email: z.string(),
  roles: z.array(memberRole),
  expiresAt: isoDate,
  /** Without mail: shown once to the owner who created it, to pass on. Null where the link was mailed. */
  link: z.string().nullable(),
});
export type InvitationView = z.infer<typeof invitationView>;

export const listMembers = endpoint({
  method: 'get',
  path: '/api/account/members',
  summary: 'Members and open invitations',
  policy: 'signed-in',
  answer: z.object({ members: z.array(memberView), invitations: z.array(invitationView) }),
});

export const inviteMember = endpoint({
  method: 'post',
  path: '/api/account/members',
  summary: 'Invite by e-mail; for a member, set the roles',
  policy: 'owner',
  rate: ['invite', 'inviteTarget'],
  body: z.object({ email, roles: z.array(memberRole).min(1, 'Choose at least one role.'), confirm }),
  answer: z.object({ member: memberView.nullable(), invitation: invitationView.nullable() }),
});

export const removeMember = endpoint({
  method: 'delete',
  path: '/api/account/members',
  summary: 'Remove a member, or withdraw an invitation; the last owner stays',
  policy: 'owner',
  body: z.object({ userId: z.number().int().optional(), invitationId: z.string().optional(), confirm }),
  answer: z.object({ success: z.literal(true) }),
});

export const invitationDetails = endpoint({
  method: 'get',
  path: '/api/account/invitations/:token',
  summary: 'What an invitation is for',
  policy: 'public',
  rate: 'code',
  params: z.object({ token: z.string().max(200) }),
  answer: z.object({ email: z.string(), companyName: z.string(), roles: z.array(memberRole) }),
});

export const acceptInvitation = endpoint({
  method: 'post',
  path: '/api/account/invitations/accept',
  summary: 'Join the account; a new user sets a password',
  policy: 'public',
  rate: ['signInAddress', 'signInEmail', 'signIn'],
  body: z.object({
    token: z.string().max(200),
    password: z.string().max(200).optional(),
    firstName: personName,
    lastName: personName,
  }),
  answer: z.object({ success: z.literal(true) }),
});

export const listCompanies = endpoint({
  method: 'get',
  path: '/api/account/mine',
  summary: 'The companies that the person belongs to',
  policy: 'signed-in',
  answer: z.object({
    accounts: z.array(
      z.object({ accountId: z.number().int(), name: z.string(), roles: z.array(memberRole), current: z.boolean() }),
    ),
  }),
});

export const switchCompany = endpoint({
  method: 'post',
  path: '/api/account/switch',
  summary: 'Switch to another company that the person belongs to; starts a new session and ends the current one',
  policy: 'signed-in',
  body: z.object({ accountId: z.number().int().positive() }),
  answer: z.object({ success: z.literal(true) }),
});

export const leaveCompany = endpoint({
  method: 'post',
  path: '/api/account/leave',
  summary: 'Leave the company; refused to its last owner. The session goes on in another company of the person',
  policy: 'signed-in',
  body: z.object({ confirm }),
  answer: z.object({ success: z.literal(true), companyName: z.string() }),
});

export const stopQuestionMail = endpoint({
  method: 'post',
  path: '/unsubscribe/:token',
  summary: 'Stop the mails on questions, by the link in one; mail programs send it with one click (RFC 8058)',
  policy: 'public',
  rate: 'unsubscribe',
  params: z.object({ token: z.string().max(200) }),
  answer: z.object({ success: z.literal(true), companyName: z.string() }),
});
