import express, { type ErrorRequestHandler, Router } from 'express';
import { AppError, toPublicError } from '../../../models/contracts/errors.ts';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { registerChannel } from '../../engine/delivery/channel.ts';
import { findInstallation, isKnownApp, isOn, registrationOf, type TeamsInstallation } from './install/installations.ts';
import { refreshReference } from './install/references.ts';
import { takeUnconnected } from './install/unconnected.ts';
import { EVENTS, INVOKES } from './listeners/index.ts';
import { sourceOf } from './listeners/source.ts';
import { type InvokeAnswer, isActivity, type Received, tenantOf, withoutNulls } from './platform/activity.ts';
import { makeAdapter, NotAuthentic } from './platform/adapter.ts';
import { installationKeyOf, MESSAGES_PATH } from './platform/address.ts';
import { setConnector } from './platform/connector.ts';
import { accessToken, forgetToken } from './platform/credentials.ts';
import { teamsChannel } from './talk/outbound.ts';

const BODY_LIMIT = '1mb';

/** Teams mounted in the product: one address, every call of it checked. */
export function makeTeamsApp(): { router: Router } {
  const adapter = makeAdapter(
    {
      knows: isKnownApp,
      async tokenOf(installationKey, renew) {
        const registration = await registrationOf(installationKey);
        if (!registration) throw new Error('An app that is none of ours.');
        if (renew) forgetToken(registration);
        return accessToken(registration);
      },
    },
    env,
  );
  setConnector(adapter);
  registerChannel(teamsChannel);
  const router = Router();
  router.post(MESSAGES_PATH, express.json({ limit: BODY_LIMIT }), async (request, response) => {
    const activity = withoutNulls(request.body);
    const header = request.headers.authorization ?? '';
    if (!header) throw new NotAuthentic('No token.');
    if (!isActivity(activity)) throw new AppError('bad_request');
    const answer = await handle(activity, await adapter.authenticate(header, activity));
    response.status(answer?.status ?? 200);
    if (answer?.body === undefined) response.end();
    else response.json(answer.body);
  });
  router.use(MESSAGES_PATH, answerFault);
  return { router };
}

/** Any fault as the registry's: a caller who is not Teams learns nothing, and Teams hears that it was not taken. */
const answerFault: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof NotAuthentic) {
    logger.info(
      { reason: (error.cause as Error | undefined)?.message },
      'a call that does not come from Teams was refused',
    );
    return next(new AppError('not_signed_in'));
  }
  return next(error);
};

/** One activity, known to come from Teams and for one of our apps. */
async function handle(activity: Received, appId: string): Promise<InvokeAnswer | null> {
  const invoke = activity.type === 'invoke';
  const installation = await findInstallation(installationKeyOf(appId, tenantOf(activity)));
  if (!installation) {
    await takeUnconnected(activity, appId);
    return invoke ? { status: 200, body: {} } : null;
  }
  return runInAccount(installation.row.accountId, () => handleInAccount(installation, activity));
}

async function handleInAccount(installation: TeamsInstallation, activity: Received): Promise<InvokeAnswer | null> {
  // Leaving must not be taken for a sign of life; a search in any chat says nothing of where the app is.
  const elsewhere = activity.name?.startsWith('composeExtension/');
  if (!elsewhere && activity.type !== 'installationUpdate' && activity.type !== 'conversationUpdate')
    await refreshReference(installation, activity);
  const source = sourceOf(installation, activity);
  if (activity.type !== 'invoke') {
    await ownEntry(EVENTS, activity.type)?.(source);
    return null;
  }
  const run = ownEntry(INVOKES, activity.name);
  if (!run) return { status: 501 };
  if (!(await isOn(installation))) return { status: 200, body: {} };
  return run(source).catch((error: unknown) => {
    logger.error({ err: error, name: activity.name }, 'an invoke of Teams failed');
    const { status, body } = toPublicError(error, activity.id);
    return { status, body };
  });
}
