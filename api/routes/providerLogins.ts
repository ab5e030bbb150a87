import type { Response, Router } from 'express';
import { ensureAccount } from '../../bot/engine/accounts/createAccount.ts';
import { beginLogin, finishLogin, LoginRefused } from '../../bot/engine/logins/loginByProvider.ts';
import { AppError } from '../../models/contracts/errors.ts';
import * as contract from '../../models/contracts/oauth.ts';
import { logger } from '../../models/logger.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { rememberDevice } from '../middleware/device.ts';
import { wantsPage } from '../middleware/errors.ts';
import { beginSession } from '../middleware/session.ts';
import { goBack } from './oauth.ts';

/** Leads back to the login page, with the reason. */
function refuse(response: Response, service: string, error: unknown) {
  if (!(error instanceof LoginRefused)) logger.error({ err: error, service }, 'a login failed');
  const reason = error instanceof LoginRefused ? error.reason : 'internal';
  return goBack(response, '/auth', { oauth: 'error', service, error: reason });
}

/** Logging in with another company's account. */
export function providerLoginRoutes(router: Router): void {
  bind(router, contract.providerLogin, async ({ params, request, response }) => {
    const provider = contract.loginProviderOf(params.provider);
    if (!provider) {
      if (wantsPage(request))
        return goBack(response, '/auth', { oauth: 'error', service: params.provider, error: 'no_such_provider' });
      throw new AppError('bad_request', {}, { fields: { provider: 'This is not one of the options.' } });
    }
    try {
      const page = await beginLogin(provider, request.sessionID);
      // What is kept of a session makes its cookie: by it the return is known to be this browser's.
      request.session.loginBegunAt = Date.now();
      response.redirect(page);
      return ANSWERED;
    } catch (error) {
      return refuse(response, provider, error);
    }
  });

  bind(router, contract.finishLogin, async ({ params, query, request, response }) => {
    const provider = contract.loginProviderOf(params.provider);
    if (!provider) throw new AppError('not_found');
    try {
      const user = await finishLogin(provider, request.sessionID, query);
      const accountId = await ensureAccount(user);
      await beginSession(request, user._id, accountId);
      rememberDevice(request, user.email);
      return goBack(response, '/auth', { oauth: 'success', service: provider });
    } catch (error) {
      return refuse(response, provider, error);
    }
  });
}
