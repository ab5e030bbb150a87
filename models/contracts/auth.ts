import { z } from 'zod';
import { REMOTE_CHANNELS } from './channels.ts';
import { endpoint, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { toOneLine } from './oneLine.ts';

/** Password rule of the specification: eight characters, one of them a digit or a special character. */
export function isStrongPassword(password: string): boolean {
  return password.length >= LIMITS.passwordMin && /[\d\W_]/.test(password);
}

/** Normalises an e-mail (trimmed, lower case); all comparisons use this form. */
export const email = z.string().trim().toLowerCase().pipe(z.email('Please enter a valid email address.'));
/** The rule of {@link isStrongPassword}, as people read it. The server also refuses common passwords. */
export const PASSWORD_RULE = 'Use at least 8 characters with at least one digit or special character.';
const newPassword = z.string().max(200).refine(isStrongPassword, PASSWORD_RULE);
/** A first or last name. */
export const personName = z.string().transform(toOneLine).pipe(z.string().max(100)).optional();

const sessionUser = z.object({
  id: z.number().int(),
  accountId: z.number().int(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string(),
  isAdmin: z.boolean(),
  /** False for accounts created without mail, and for invitations passed on by hand. */
  emailVerified: z.boolean(),
  roles: z.array(z.string()),
  timeZone: z.string(),
});
export type SessionUser = z.infer<typeof sessionUser>;

export const recipient = z.object({
  kind: z.enum(['hosting', 'model', ...REMOTE_CHANNELS, 'mail', 'connector', 'tool-servers', 'tool-servers-uk']),
  /** Display name: a product or a host. */
  name: z.string(),
});
export type Recipient = z.infer<typeof recipient>;

export const authStatus = endpoint({
  method: 'get',
  path: '/api/auth/status',
  summary: 'Who is signed in',
  policy: 'public',
  answer: z.object({
    authenticated: z.boolean(),
    user: sessionUser.nullable(),
    /** Which provider logins the server has configured. */
    providers: z.object({ google: z.boolean(), microsoft: z.boolean() }),
    /** Where language models run: none, in the UK, or outside it with the administrator's acceptance. */
    modelRegion: z.enum(['none', 'uk', 'outside-uk-accepted']),
    /** Who receives data from this deployment, for the footer and the legal pages. */
    recipients: z.array(recipient),
    /** E-mail or page of whoever runs the server; null where none is named. */
    contact: z.string().nullable(),
  }),
});

export const login = endpoint({
  method: 'post',
  path: '/api/login',
  summary: 'Sign in with e-mail and password',
  policy: 'public',
  rate: ['signInAddress', 'signInEmail', 'signIn'],
  body: z.object({ email: z.string().trim().min(1), password: z.string().min(1) }),
  answer: z.object({ success: z.literal(true), user: sessionUser }),
});

export const logout = endpoint({
  method: 'post',
  path: '/api/logout',
  summary: 'Sign out',
  policy: 'public',
  answer: z.object({ success: z.literal(true) }),
});

export const sendSignupConfirmation = endpoint({
  method: 'post',
  path: '/api/auth/send-signup-confirmation',
  summary: 'Begin a sign-up; without mail the account is made at once (fallback)',
  policy: 'public',
  rate: ['signUp', 'mailTarget', 'mailAddress'],
  body: z.object({ email, password: newPassword, firstName: personName, lastName: personName }),
  answer: z.object({
    success: z.literal(true),
    /** True: no mail is configured, the account exists and is signed in. */
    fallback: z.boolean(),
    message: z.string(),
  }),
});

export const verifySignupConfirmation = endpoint({
  method: 'post',
  path: '/api/auth/verify-signup-confirmation',
  summary: 'Finish a sign-up with the mailed code',
  policy: 'public',
  rate: ['code', 'codeTarget'],
  body: z.object({
    email,
    code: z.string().trim().length(LIMITS.code.length, 'Please enter the 6-digit confirmation code'),
  }),
  answer: z.object({ success: z.literal(true), user: sessionUser }),
});

/** The answer to a reset request where no mail is configured. */
export const RESET_BY_ADMINISTRATOR =
  'This server sends no mail. Ask its administrator for a new password: they run npm run account -- reset EMAIL.';

export const sendReset = endpoint({
  method: 'post',
  path: '/api/auth/send-reset',
  summary: 'Ask for a reset code; the answer says the same whether the e-mail is known or not',
  policy: 'public',
  rate: ['mailTarget', 'mailAddress'],
  body: z.object({ email }),
  /** `sent` is false where no mail is configured, so nobody gets a code. */
  answer: z.object({ success: z.literal(true), sent: z.boolean(), message: z.string() }),
});

export const resetPassword = endpoint({
  method: 'post',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with a reset code',
  policy: 'public',
  rate: ['code', 'codeTarget'],
  body: z.object({ email, code: z.string().trim().length(LIMITS.code.length), password: newPassword }),
  answer: z.object({ success: z.literal(true) }),
});

export const changePassword = endpoint({
  method: 'post',
  path: '/api/auth/change-password',
  summary: 'Change the own password; every other session of the person ends',
  policy: 'signed-in',
  rate: 'password',
  body: z.object({ password: z.string().min(1, 'Please enter your current password.').max(200), newPassword }),
  answer: z.object({ success: z.literal(true) }),
});

const ownSession = z.object({
  id: z.string(),
  /** "Firefox on Windows"; null where the browser did not say. */
  device: z.string().nullable(),
  companyName: z.string(),
  since: isoDate,
  /** Exact to ten minutes. */
  lastUsed: isoDate,
  current: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSession>;

export const listSessions = endpoint({
  method: 'get',
  path: '/api/auth/sessions',
  summary: 'Where the person is signed in, in whichever company, the latest used first',
  policy: 'signed-in',
  answer: z.object({ sessions: z.array(ownSession) }),
});

export const endSession = endpoint({
  method: 'delete',
  path: '/api/auth/sessions/:id',
  summary: 'Sign out one of the own sessions',
  policy: 'signed-in',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
  answer: z.object({ success: z.literal(true) }),
});

export const endOtherSessions = endpoint({
  method: 'post',
  path: '/api/auth/sessions/end-others',
  summary: 'Sign out everywhere but here',
  policy: 'signed-in',
  answer: z.object({ success: z.literal(true) }),
});

/**
 * Header in which a page names the person it shows ({@link personKey}); the server refuses a mismatch with the session.
 */
export const PERSON_HEADER = 'Arc-Person';

/** Identifies a person within an account. */
export const personKey = ({ userId, accountId }: { userId: number; accountId: number }): string =>
  `${userId}.${accountId}`;
