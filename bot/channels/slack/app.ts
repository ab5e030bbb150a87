import { App, ExpressReceiver, type Receiver } from '@slack/bolt';
import { Router } from 'express';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { registerChannel } from '../../engine/delivery/channel.ts';
import { clientOptions } from './client.ts';
import { findInstallationFor } from './installations.ts';
import { registerActions } from './listeners/actions.ts';
import { registerCommands } from './listeners/commands.ts';
import { registerEvents } from './listeners/events.ts';
import { registerFeedback } from './listeners/feedback.ts';
import { NOT_CONNECTED } from './listeners/refusals.ts';
import { registerReview } from './listeners/review.ts';
import { registerViews } from './listeners/views.ts';
import { slackChannel } from './outbound.ts';
import { quietLogger } from './quietLogger.ts';
import { checkSignedBodies } from './signedBody.ts';
import { keepConnected, makeSocketReceiver } from './socketMode.ts';

type SlackApp = {
  /** Must be mounted before any body parser: signatures cover the raw bytes. */
  router: Router;
  stop(): Promise<void>;
};

type AllErrors = { error: Error; body: object };

/** An event came from a workspace without an installation here. */
class NotInstalled extends Error {}

/** Creates the Slack app: HTTP with checked signatures, and also Socket Mode if an app token is set. */
export async function makeSlackApp(): Promise<SlackApp> {
  const receiver = new ExpressReceiver({
    signingSecret: env.SLACK_SIGNING_SECRET,
    endpoints: '/slack/events',
    // An event is acknowledged only once it is stored; otherwise Slack sends it again.
    processBeforeResponse: true,
    logger: quietLogger as never,
  });
  listen(receiver);
  registerChannel(slackChannel);
  const router = Router();
  router.use(checkSignedBodies(), receiver.router as unknown as Router);
  if (!env.SLACK_APP_TOKEN) return { router, async stop() {} };
  const socket = makeSocketReceiver();
  // Not awaited: the product serves its pages even when Slack is down.
  return { router, stop: keepConnected(listen(socket), socket.client) };
}

function listen(receiver: Receiver): App {
  const app = new App({
    receiver,
    clientOptions,
    logger: quietLogger as never,
    processBeforeResponse: true,
    extendedErrorHandler: true,
    authorize: async ({ teamId, enterpriseId, isEnterpriseInstall }) => {
      const installation = await findInstallationFor({ teamId, enterpriseId, isEnterpriseInstall });
      if (!installation) throw new NotInstalled('Arc is not installed there, or is switched off.');
      const { botToken, botId, botUserId } = installation.tokens;
      return { botToken, botId, botUserId, ...(teamId ? { teamId } : {}), ...(enterpriseId ? { enterpriseId } : {}) };
    },
  });
  registerEvents(app);
  registerActions(app);
  registerViews(app);
  registerFeedback(app);
  registerReview(app);
  registerCommands(app);
  app.error(async ({ error, body }: AllErrors) => {
    const unknown = (error as { original?: unknown }).original instanceof NotInstalled;
    // A submitted form is left unacknowledged, so that it stays open with its input.
    if (unknown && (body as { type?: string }).type !== 'view_submission') return replyNotInstalled(body);
    // Any other failure is not acknowledged either, so that Slack sends the event again.
    logger.error({ err: error }, 'slack listener failed');
    throw error;
  });
  return app;
}

/** Replies to a click or command from a workspace where Arc is not connected; an event has nobody to reply to. */
async function replyNotInstalled(body: object): Promise<void> {
  const { response_url: address } = body as { response_url?: string };
  if (!address) return;
  await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, text: NOT_CONNECTED }),
    signal: AbortSignal.timeout(2000),
  }).catch((error: unknown) => logger.warn({ err: error }, 'could not reply that Arc is not connected'));
}
