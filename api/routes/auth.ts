import type { Request, Router } from 'express';
import { ensureAccount } from '../../bot/engine/accounts/createAccount.ts';
import { identify } from '../../bot/engine/accounts/identify.ts';
import {
  changeOwnPassword,
  endAllSessions,
  endOwnSession,
  readOwnSessions,
} from '../../bot/engine/accounts/ownSessions.ts';
import { readProfile } from '../../bot/engine/accounts/readProfile.ts';
import { readRecipients } from '../../bot/engine/accounts/recipients.ts';
import { signIn } from '../../bot/engine/accounts/signIn.ts';
import { beginReset, beginSignUp, finishSignUp, resetPassword } from '../../bot/engine/accounts/signUp.ts';
import { isLoginConfigured } from '../../bot/engine/logins/loginByProvider.ts';
import { mailConfigured } from '../../bot/engine/mail/sendMail.ts';
import { runInBackground } from '../../models/background.ts';
import * as contract from '../../models/contracts/auth.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { env } from '../../models/env.ts';
import type { Who } from '../../models/policies/who.ts';
import type { UserRow } from '../../models/user.ts';
import { bind } from '../middleware/bind.ts';
import { rememberDevice } from '../middleware/device.ts';
import { announceAfter, beginSession, endSession, requireOwnSession } from '../middleware/session.ts';
import { presentUser } from '../present/user.ts';

const describe = async (who: Who) => presentUser(who, await readProfile(who));

async function startSession(request: Request, user: UserRow, known?: number) {
  const accountId = known ?? (await ensureAccount(user));
  await beginSession(request, user._id, accountId);
  rememberDevice(request, user.email);
  const who = await identify(user._id, accountId, Date.now());
  if (!who) throw new AppError('not_signed_in');
  return describe(who);
}

const RESET_SENT = 'If an account exists with this email, a reset code has been sent.';

/** Signing up, in and out. */
export function authRoutes(router: Router): void {
  bind(router, contract.authStatus, async ({ who }) => ({
    authenticated: who !== null,
    user: who ? await describe(who) : null,
    providers: { google: isLoginConfigured('google'), microsoft: isLoginConfigured('microsoft') },
    modelRegion: env.MODEL_PROVIDER === '' || env.MODEL_REGION === '' ? ('none' as const) : env.MODEL_REGION,
    recipients: readRecipients(),
    contact: env.LEGAL_CONTACT || null,
  }));

  bind(router, contract.login, async ({ body, request }) => {
    const { user, accountId } = await signIn(body.email, body.password);
    return { success: true as const, user: await startSession(request, user, accountId) };
  });

  bind(router, contract.logout, async ({ request, response }) => {
    await endSession(request);
    response.clearCookie('arc.sid');
    return { success: true as const };
  });

  bind(router, contract.sendSignupConfirmation, async ({ body, request }) => {
    const made = await beginSignUp(body);
    if (made) await startSession(request, made);
    return {
      success: true as const,
      fallback: made !== null,
      message: made ? 'Account created.' : `A confirmation code has been sent to ${body.email}.`,
    };
  });

  bind(router, contract.verifySignupConfirmation, async ({ body, request }) => {
    const user = await finishSignUp(body.email, body.code);
    return { success: true as const, user: await startSession(request, user) };
  });

  bind(router, contract.sendReset, async ({ body }) => {
    // Not awaited: the response time must not reveal whether the e-mail is known.
    runInBackground('a reset mail', beginReset(body.email));
    const sent = mailConfigured();
    return { success: true as const, sent, message: sent ? RESET_SENT : contract.RESET_BY_ADMINISTRATOR };
  });

  bind(router, contract.resetPassword, async ({ body }) => {
    await resetPassword(body.email, body.code, body.password);
    return { success: true as const };
  });

  bind(router, contract.changePassword, async ({ who, body, request }) => {
    requireOwnSession(request);
    const changed = await changeOwnPassword(who, body.password, body.newPassword);
    await beginSession(request, who.userId, who.accountId);
    announceAfter(request, changed);
    return { success: true as const };
  });

  bind(router, contract.listSessions, async ({ who, request }) => ({
    sessions: await readOwnSessions(who, request.headers.authorization ? null : request.sessionID),
  }));

  bind(router, contract.endSession, async ({ who, params }) => {
    await endOwnSession(who, params.id);
    return { success: true as const };
  });

  bind(router, contract.endOtherSessions, async ({ who, request }) => {
    requireOwnSession(request);
    const changed = await endAllSessions(who);
    await beginSession(request, who.userId, who.accountId);
    announceAfter(request, changed);
    return { success: true as const };
  });
}
