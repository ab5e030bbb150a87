import express, { type ErrorRequestHandler, Router } from 'express';
import { AppError, toPublicError } from '../../../models/contracts/errors.ts';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { registerChannel } from '../../engine/delivery/channel.ts';
import {
  findInstallation,
  findRegistration,
  isKnownApp,
  isOn,
  type TeamsInstallation,
} from './install/installations.ts';
import { refreshReference } from './install/references.ts';
import { storeUnconnectedCall } from './install/unconnected.ts';
import { EVENTS, INVOKES } from './listeners/index.ts';
import { sourceOf } from './listeners/source.ts';
import { type InvokeAnswer, isActivity, type Received, tenantOf, withoutNulls } from './platform/activity.ts';
import { makeAdapter, NotAuthentic } from './platform/adapter.ts';
import { installationKeyOf, MESSAGES_PATH } from './platform/address.ts';
import { setConnector } from './platform/connector.ts';
import { accessToken, forgetToken } from './platform/credentials.ts';
import { teamsChannel } from './talk/outbound.ts';

const MAX_BODY = '1mb';

/** Creates the Teams app: one address, which authenticates every request. */
export function makeTeamsApp(): { router: Router } {
  const adapter = makeAdapter(
    {
      isKnown: isKnownApp,
      async tokenOf(installationKey, renew) {
        const registration = await findRegistration(installationKey);
        if (!registration) throw new Error('Arc has no registration for this Teams app.');
        if (renew) forgetToken(registration);
        return accessToken(registration);
      },
    },
    env,
  );
  setConnector(adapter);
  registerChannel(teamsChannel);
  const router = Router();
  router.post(MESSAGES_PATH, express.json({ limit: MAX_BODY }), async (request, response) => {
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

/**
 * Turns errors into the product's: a caller who is not Teams learns nothing, and Teams sees that the request failed.
 */
const answerFault: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof NotAuthentic) {
    logger.info({ reason: (error.cause as Error | undefined)?.message }, 'refused a request that is not from Teams');
    return next(new AppError('not_signed_in'));
  }
  return next(error);
};

/** Handles an authenticated activity for one of our apps. */
async function handle(activity: Received, appId: string): Promise<InvokeAnswer | null> {
  const isInvoke = activity.type === 'invoke';
  const installation = await findInstallation(installationKeyOf(appId, tenantOf(activity)));
  if (!installation) {
    await storeUnconnectedCall(activity, appId);
    return isInvoke ? { status: 200, body: {} } : null;
  }
  return runInAccount(installation.row.accountId, () => handleInAccount(installation, activity));
}

async function handleInAccount(installation: TeamsInstallation, activity: Received): Promise<InvokeAnswer | null> {
  // A removal is no sign of life, and a search can come from a chat that the app is not in.
  const isSearch = activity.name?.startsWith('composeExtension/');
  if (!isSearch && activity.type !== 'installationUpdate' && activity.type !== 'conversationUpdate')
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
    logger.error({ err: error, name: activity.name }, 'a Teams invoke failed');
    const { status, body } = toPublicError(error, activity.id);
    return { status, body };
  });
}
