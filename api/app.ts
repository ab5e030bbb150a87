import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { registeredAgents } from '../bot/engine/agents/registry.ts';
import type { ChannelPlugIn, OpenChannel } from '../bot/engine/delivery/plugIn.ts';
import { paymentWebhook } from '../models/contracts/billing.ts';
import { LIMITS } from '../models/contracts/limits.ts';
import { reportBounces } from '../models/contracts/mail.ts';
import { openSharedLink, sharedPath } from '../models/contracts/sharedLinks.ts';
import { baseUrl, env } from '../models/env.ts';
import { logger } from '../models/logger.ts';
import { serveMcp } from './mcp/serveMcp.ts';
import { refuseOtherSites } from './middleware/bearerToken.ts';
import { sendCompressed } from './middleware/compressed.ts';
import { answerErrors, answerUnknown } from './middleware/errors.ts';
import { allowFrames } from './middleware/frame.ts';
import { sendHomePage } from './middleware/homePage.ts';
import { refuseCrossSite } from './middleware/origin.ts';
import { leaveOutDocumentHeaders, sendPrecompressed } from './middleware/precompressed.ts';
import { limitRate } from './middleware/rate.ts';
import { jsonWithBytes } from './middleware/rawBody.ts';
import { logRequests } from './middleware/requestLog.ts';
import { answerUnchanged } from './middleware/unchanged.ts';
import { type BuildManifest, pageForVisitors, pagesForMembers } from './present/firstPage.ts';
import { PAGE_LOADS } from './present/pageLoads.ts';
import { accessTokenRoutes } from './routes/accessTokens.ts';
import { accountRoutes } from './routes/account.ts';
import { adminRoutes } from './routes/admin.ts';
import { agentWorkRoutes } from './routes/agentWork.ts';
import { auditRoutes } from './routes/audit.ts';
import { authRoutes } from './routes/auth.ts';
import { automationRoutes } from './routes/automation.ts';
import { billingRoutes, paymentWebhookRoute } from './routes/billing.ts';
import { bounceRoute } from './routes/bounces.ts';
import { chatRoutes } from './routes/chat.ts';
import { collaborateRoutes } from './routes/collaborate.ts';
import { companyDataRoutes } from './routes/companyData.ts';
import { connectorRoutes } from './routes/connectors.ts';
import { deskRoutes } from './routes/desk.ts';
import { docsRoutes } from './routes/docs.ts';
import { documentRoutes } from './routes/documents.ts';
import { downloadRoutes } from './routes/downloads.ts';
import { healthRoutes } from './routes/health.ts';
import { installationRoutes } from './routes/installations.ts';
import { integrationRoutes } from './routes/integrations.ts';
import { interruptRoutes } from './routes/interrupts.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { outsideQuestionRoutes } from './routes/outsideQuestions.ts';
import { plugInCallRoutes } from './routes/plugInCalls.ts';
import { preferenceRoutes } from './routes/preferences.ts';
import { providerLoginRoutes } from './routes/providerLogins.ts';
import { openSharedLinkRoute, sharedLinkRoutes } from './routes/sharedLinks.ts';
import { threadRoutes } from './routes/threads.ts';
import { toolServerRoutes } from './routes/toolServers.ts';
import { unsubscribeRoute } from './routes/unsubscribe.ts';
import { userAgentRoutes } from './routes/userAgents.ts';

export type AppParts = {
  session: RequestHandler;
  /** Every channel: its calls and its frame are bound in every deployment. */
  channels?: readonly ChannelPlugIn[];
  /** The channels that are open in this process. */
  openChannels?: readonly OpenChannel[];
  /** Directory of the built pages; absent in tests of the calls. */
  webDirectory?: string;
};

/** Creates the Express application. It never listens itself. */
export function createApp({ session, webDirectory, channels = [], openChannels = [] }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  if (env.TRUST_PROXY)
    app.set('trust proxy', env.TRUST_PROXY === 'true' ? true : Number(env.TRUST_PROXY) || env.TRUST_PROXY);
  app.use(answerUnchanged(session));
  if (env.NODE_ENV !== 'test') app.use(logRequests(logger));
  healthRoutes(app);
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          connectSrc: ["'self'", 'ws:', 'wss:'],
          objectSrc: ["'none'"],
          frameAncestors: ["'none'"],
          upgradeInsecureRequests: baseUrl().startsWith('https://') ? [] : null,
        },
      },
      strictTransportSecurity: baseUrl().startsWith('https://'),
    }),
  );
  app.use(allowFrames(channels.flatMap(({ frame = [] }) => frame)));
  for (const { serve } of openChannels) if (serve) app.use(serve);
  const outside = express.Router();
  outside.use(refuseOtherSites, limitRate('everything'), express.json({ limit: LIMITS.outside.bodyBytes }));
  outsideQuestionRoutes(outside);
  for (const method of ['post', 'get', 'delete'] as const) outside[method]('/mcp', serveMcp);
  app.use((request, response, next) => (isForPrograms(request.path) ? outside(request, response, next) : next()));
  const withoutSession = express.Router();
  withoutSession.use(refuseCrossSite, limitRate('everything'), express.json({ limit: '4kb' }));
  openSharedLinkRoute(withoutSession);
  unsubscribeRoute(withoutSession);
  const needsNoSession = ({ method, path }: express.Request) =>
    path === openSharedLink.path || (method === 'POST' && path.startsWith('/unsubscribe/'));
  app.use((request, response, next) => (needsNoSession(request) ? withoutSession(request, response, next) : next()));
  const signed = express.Router();
  signed.use(refuseCrossSite, limitRate('everything'), jsonWithBytes('512kb'));
  paymentWebhookRoute(signed);
  app.use((request, response, next) =>
    request.path === paymentWebhook.path ? signed(request, response, next) : next(),
  );
  const bounces = express.Router();
  const { bytes } = LIMITS.bounces;
  bounces.use(refuseCrossSite, limitRate('everything'), express.json({ limit: bytes }));
  bounces.use(express.text({ limit: bytes, type: ['text/*', 'message/*'] }));
  bounceRoute(bounces);
  app.use((request, response, next) =>
    request.path === reportBounces.path ? bounces(request, response, next) : next(),
  );
  const calls = express.Router();
  calls.use(session, refuseCrossSite, limitRate('everything'), express.json({ limit: '2mb' }));
  for (const { calls: own = [] } of [...registeredAgents(), ...channels]) plugInCallRoutes(calls, own);
  for (const routes of [
    accessTokenRoutes,
    toolServerRoutes,
    accountRoutes,
    adminRoutes,
    agentWorkRoutes,
    auditRoutes,
    authRoutes,
    automationRoutes,
    billingRoutes,
    chatRoutes,
    threadRoutes,
    collaborateRoutes,
    companyDataRoutes,
    deskRoutes,
    docsRoutes,
    documentRoutes,
    downloadRoutes,
    installationRoutes,
    integrationRoutes,
    connectorRoutes,
    interruptRoutes,
    oauthRoutes,
    providerLoginRoutes,
    preferenceRoutes,
    sharedLinkRoutes,
    userAgentRoutes,
  ]) {
    routes(calls);
  }
  app.use((request, response, next) => (request.path.startsWith('/api/') ? calls(request, response, next) : next()));
  app.use('/api', answerUnknown);
  if (webDirectory && existsSync(join(webDirectory, 'index.html'))) servePages(app, webDirectory, session);
  app.use(answerUnknown);
  app.use(answerErrors);
  return app;
}

/** Whether a browser sends a session's cookie, whoever's it is. */
const hasSessionCookie = (cookies = '') => /(?:^|;\s*)arc\.sid=/.test(cookies);

/** Whether a path is for programs with an access token: no session is read there. */
const isForPrograms = (path: string) => /^\/(?:api\/questions|mcp)(?:\/|$)/i.test(path);

/**
 * Serves the built pages: assets are cached for a year (their names contain a hash), the page itself is always
 * revalidated.
 */
function servePages(app: Express, directory: string, session: RequestHandler): void {
  const page = readFileSync(join(directory, 'index.html'), 'utf8');
  const manifest = join(directory, '.vite/manifest.json');
  const built = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as BuildManifest) : {};
  const loads = [...PAGE_LOADS, ...registeredAgents().flatMap(({ pageLoads = [] }) => pageLoads)];
  const pageForMembers = pagesForMembers(page, built, loads);
  const forVisitors = pageForVisitors(page, built);
  const sendHome = sendHomePage(session, pageForMembers('/'));
  const assets = join(directory, 'assets');
  app.use(
    '/assets',
    leaveOutDocumentHeaders,
    sendPrecompressed(assets),
    express.static(assets, { immutable: true, maxAge: '1y', index: false }),
    // A page of an older build may ask for deleted assets: it must get a 404, not the HTML page.
    answerUnknown,
  );
  app.use(express.static(directory, { index: false, maxAge: '1h' }));
  app.get('/{*splat}', (request, response, next) => {
    if (!request.accepts('html')) return next();
    response.set({ 'Cache-Control': 'no-cache', Vary: 'Cookie' }).type('html');
    if (request.path.startsWith(sharedPath('')))
      response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    const isMember = hasSessionCookie(request.headers.cookie);
    if (request.path === '/' && isMember) return sendHome(request, response);
    const text = request.path === '/' ? forVisitors : isMember ? pageForMembers(request.path) : page;
    return sendCompressed(request, response, text);
  });
}
