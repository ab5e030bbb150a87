import type { Request, RequestHandler, Response } from 'express';
import { readIntegrations } from '../../bot/engine/accounts/integrations.ts';
import { readOnboarding } from '../../bot/engine/accounts/onboarding.ts';
import { readTimeZone } from '../../bot/engine/accounts/timeZone.ts';
import { readTrial } from '../../bot/engine/accounts/trial.ts';
import { readDesk } from '../../bot/engine/desk/readDesk.ts';
import { runInBackground } from '../../models/background.ts';
import type { DashboardState } from '../../models/contracts/dashboardTabs.ts';
import { logger } from '../../models/logger.ts';
import { runInAccount } from '../../models/store/context.ts';
import { pageWithDesk } from '../present/deskPage.ts';
import { sendCompressed } from './compressed.ts';
import { whoIs } from './session.ts';

/** The page is sent without its person's words if they take longer, in milliseconds: it reads them again anyway. */
const MAX_WAIT_MS = 400;

/** What decides about the tabs of an account's dashboard. */
async function readDashboardState(accountId: number): Promise<DashboardState> {
  const [onboarding, trial, integrations] = await Promise.all([
    readOnboarding(accountId),
    readTrial(accountId),
    readIntegrations(accountId),
  ]);
  const locked = trial.subscriptionStatus === 'expired';
  return { ...onboarding, locked, chat: integrations['arc-chat']?.enabled === true };
}

async function withDesk(request: Request, page: string): Promise<string> {
  const who = await whoIs(request);
  if (!who) return page;
  return runInAccount(who.accountId, async () => {
    const [desk, state, timeZone] = await Promise.all([
      readDesk(who),
      readDashboardState(who.accountId),
      readTimeZone(who.accountId),
    ]);
    return pageWithDesk(page, desk, state, timeZone);
  });
}

/**
 * Sends the home page to somebody with a session's cookie, with what waits for them as text. Whatever fails or takes too
 * long, the page is sent.
 * @param session the session middleware
 */
export function sendHomePage(session: RequestHandler, page: string) {
  return (request: Request, response: Response): void => {
    const late = new Promise<string>((resolve) => setTimeout(resolve, MAX_WAIT_MS, page).unref());
    const read = new Promise<void>((resolve, reject) =>
      session(request, response, (error?: unknown) => (error ? reject(error) : resolve())),
    ).then(() => withDesk(request, page));
    const made = read.catch((error: unknown) => {
      logger.warn({ err: error }, 'the home page is sent without its words');
      return page;
    });
    const send = async () => {
      const text = await Promise.race([made, late]);
      await sendCompressed(request, response.set('Cache-Control', 'private, no-cache'), text);
    };
    runInBackground('the home page', send());
  };
}
