// The only file that imports the library, so that a move to @microsoft/agents-hosting changes this file alone.

import { createHash } from 'node:crypto';
import botbuilder, { type Activity as LibraryActivity } from 'botbuilder';
import connector from 'botframework-connector';
import mappers from 'botframework-connector/lib/connectorApi/models/mappers.js';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { Environment } from '../../../../models/env.ts';
import { logger } from '../../../../models/logger.ts';
import { makeCache } from '../../../../models/store/cache.ts';
import type { Activity, Caller, Received, RosterMember, Target } from './activity.ts';
import { installationKeyOf } from './address.ts';
import { readRetryAfter, refusalFor, refusalOf } from './refusal.ts';

/** Access to the apps that Arc is registered as. */
type Apps = {
  isKnown(appId: string): Promise<boolean>;
  /** A token for sending as an installation's app, by its key; `renew` asks for a new one after a refusal. */
  tokenOf(installationKey: string, renew: boolean): Promise<string>;
};

/** The request's token was not signed by Microsoft for one of our apps. */
export class NotAuthentic extends Error {}

export type TeamsAdapter = ReturnType<typeof makeAdapter>;

const AUDIENCE = 'https://api.botframework.com';
/** A verified token is accepted without a check for this long, but never beyond its expiry. */
const VERIFIED_MS = 5 * 60_000;
/** Cached connector clients, one per app, tenant and service address. */
const MAX_CLIENTS = 500;
/** A call that never ended would block its conversation for ever. */
const CALL_TIMEOUT_MS = 10_000;
/** The limit of Teams for one call (docs/platforms.md). */
const MAX_ROSTER_PAGE = 500;

// The library drops fields of an entity that it does not know, e.g. the state of a stream or the label of generated
// text.
const entityShape = mappers.Entity.type as { additionalProperties?: unknown };
entityShape.additionalProperties = { type: { name: 'Object' } };

/** @throws AppError teams_unavailable where the work takes longer than CALL_TIMEOUT_MS */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const timeout = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new AppError('teams_unavailable', {}, { cause: signal.reason })));
  });
  return Promise.race([work, timeout]);
}

/** The library's authentication, with each of its errors turned into {@link NotAuthentic}. */
class Authentication extends botbuilder.ConfigurationBotFrameworkAuthentication {
  override async authenticateRequest(activity: LibraryActivity, header: string) {
    try {
      // The library fetches Microsoft's keys without a timeout.
      const result = await withTimeout(super.authenticateRequest(activity, header));
      if (!result.claimsIdentity.isAuthenticated) throw new Error('not authenticated');
      return result;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new NotAuthentic('The token is not accepted.', { cause: error });
    }
  }
}

type PageOptions = { pageSize: number; continuationToken: string };
/** The methods of the library's request pipeline that are used here. */
type Pipeline = {
  removePolicy(it: { name: string }): void;
  addPolicy(it: { name: string; sendRequest(request: object, next: (request: object) => unknown): unknown }): void;
};
type ConnectorClient = InstanceType<typeof connector.ConnectorClient>;

/**
 * Authenticates requests from Teams and calls its connectors. The rest of the code works with plain activities.
 * @throws Error where no app id is set, because an empty one switches the library's authentication off
 */
export function makeAdapter(apps: Apps, env: Environment) {
  if (!env.MICROSOFT_APP_ID) {
    throw new Error('Microsoft Teams can’t start: MICROSOFT_APP_ID is empty, which would switch authentication off.');
  }
  const credentials = (installationKey: string) => ({
    async signRequest(request: { headers: { set(name: string, value: string): void } }) {
      request.headers.set('authorization', `Bearer ${await apps.tokenOf(installationKey, false)}`);
      return request;
    },
  });
  const authentication = new Authentication(
    {
      // Set together: once one is set, the library uses no defaults for the others.
      ToBotFromChannelOpenIdMetadataUrl: env.BOT_OPENID_METADATA,
      ToBotFromEmulatorOpenIdMetadataUrl: env.BOT_OPENID_METADATA,
      ToBotFromChannelTokenIssuer: env.BOT_TOKEN_ISSUER,
      ToChannelFromBotOAuthScope: AUDIENCE,
      ToChannelFromBotLoginUrl: env.BOT_LOGIN_URL,
      OAuthUrl: AUDIENCE,
    } as never,
    {
      isValidAppId: (appId: string) => apps.isKnown(appId),
      isAuthenticationDisabled: async () => false,
      createCredentials: async (installationKey: string) => credentials(installationKey),
    } as never,
  );

  /** Verified tokens by digest. Microsoft reuses a token for many activities, and a check takes a millisecond. */
  const verified = makeCache<string, { appId: string; serviceUrl: string; endsAt: number }>(VERIFIED_MS);
  const clients = makeCache<string, Promise<ConnectorClient>>(null, MAX_CLIENTS);

  /** The cached client for a connector; creating one costs more than a call. */
  function clientFor({ appId, tenantId, serviceUrl }: Caller): Promise<ConnectorClient> {
    const installationKey = installationKeyOf(appId, tenantId);
    const key = `${installationKey} ${serviceUrl}`;
    const known = clients.get(key);
    if (known) return known;
    const made = makeClient(installationKey, serviceUrl);
    clients.set(key, made);
    made.catch(() => clients.delete(key));
    return made;
  }

  async function makeClient(installationKey: string, serviceUrl: string): Promise<ConnectorClient> {
    // The library passes the audience unchanged to the credentials. It is the installation's key rather than the app's
    // id, because two tenants may register the same app.
    const identity = new connector.ClaimsIdentity([{ type: 'aud', value: installationKey }], true);
    const client = await authentication.createConnectorFactory(identity as never).create(serviceUrl, AUDIENCE);
    const { pipeline } = (client as unknown as { client: { pipeline: Pipeline } }).client;
    // The outbox retries; the library's own retries would outlast a claim.
    pipeline.removePolicy({ name: 'defaultRetryPolicy' });
    pipeline.addPolicy({
      name: 'timeLimit',
      sendRequest: (request, next) =>
        next(Object.assign(request, { abortSignal: AbortSignal.timeout(CALL_TIMEOUT_MS) })),
    });
    return client as unknown as ConnectorClient;
  }

  /** Calls a connector, and again with a new token if the old one is refused. @throws TeamsRefusal */
  async function call<T>(caller: Caller, run: (client: ConnectorClient) => Promise<T>): Promise<T> {
    const attempt = async () => {
      try {
        return await run(await clientFor(caller));
      } catch (error) {
        throw toRefusal(error);
      }
    };
    try {
      return await attempt();
    } catch (error) {
      if (refusalOf(error)?.answered !== 401) throw error;
      await apps.tokenOf(installationKeyOf(caller.appId, caller.tenantId), true).catch((failure: unknown) => {
        throw toRefusal(failure);
      });
      return attempt();
    }
  }

  return {
    /**
     * Authenticates the sender of an activity.
     * @returns the app that the activity is for: the token's audience
     * @throws NotAuthentic
     */
    async authenticate(header: string, activity: Received): Promise<string> {
      // Only a digest is cached, because the token itself grants access until it expires.
      const digest = createHash('sha256').update(header).digest('base64');
      const known = verified.get(digest);
      const isValid = known && known.endsAt > Date.now() && known.serviceUrl === activity.serviceUrl;
      if (isValid && (await apps.isKnown(known.appId))) return known.appId;
      const { claimsIdentity } = await authentication.authenticateRequest(activity as never, header);
      // The library also accepts directory tokens, as emulators use, which name no service address. A sender who could
      // choose the address would be sent our own token.
      const isFromConnector =
        claimsIdentity.getClaimValue('iss') === env.BOT_TOKEN_ISSUER &&
        claimsIdentity.getClaimValue('serviceurl') === activity.serviceUrl;
      const endsAt = Number(claimsIdentity.getClaimValue('exp')) * 1000;
      if (!isFromConnector || !(endsAt > 0))
        throw new NotAuthentic('The token is not from the connector, or has no expiry.');
      const appId = claimsIdentity.getClaimValue('aud') ?? '';
      verified.set(digest, { appId, serviceUrl: activity.serviceUrl, endsAt });
      return appId;
    },

    /** Sends an activity. @returns its id. @throws TeamsRefusal */
    async send(target: Target, activity: Activity): Promise<string> {
      const sent = await call(target, (client) =>
        client.conversations.sendToConversation(target.conversationId, activity as never),
      );
      return sent.id ?? '';
    },

    /** Replaces the content of an activity. @throws TeamsRefusal */
    async update(target: Target, id: string, activity: Activity): Promise<void> {
      await call(target, (client) =>
        client.conversations.updateActivity(target.conversationId, id, { ...activity, id } as never),
      );
    },

    /** Deletes an activity. @throws TeamsRefusal */
    async remove(target: Target, id: string): Promise<void> {
      await call(target, (client) => client.conversations.deleteActivity(target.conversationId, id));
    },

    /** A member of the roster, by Teams id or directory id. @throws TeamsRefusal */
    async member(target: Target, userId: string): Promise<RosterMember> {
      const found = await call(target, (client) =>
        client.conversations.getConversationMember(target.conversationId, userId),
      );
      return found as unknown as RosterMember;
    },

    /** The first page of the roster's members. @throws TeamsRefusal */
    async members(target: Target): Promise<RosterMember[]> {
      const page = await call(target, (client) =>
        // The library's types require a continuation token even for the first page.
        client.conversations.getConversationPagedMembers(target.conversationId, {
          pageSize: MAX_ROSTER_PAGE,
        } as PageOptions),
      );
      return page.members as unknown as RosterMember[];
    },

    /** Opens the personal chat with a person. @returns its id. @throws TeamsRefusal */
    async openPersonal(caller: Caller, it: { botId: string; userId: string }): Promise<string> {
      const { tenantId } = caller;
      const made = await call(caller, (client) =>
        client.conversations.createConversation({
          isGroup: false,
          bot: { id: it.botId },
          members: [{ id: it.userId }],
          tenantId,
          channelData: { tenant: { id: tenantId } },
        } as never),
      );
      return made.id;
    },
  };
}

function toRefusal(error: unknown): unknown {
  const { statusCode, response, code, message } = error as {
    statusCode?: number;
    code?: string;
    message?: string;
    response?: { headers?: { get(name: string): string | undefined } };
  };
  if (refusalOf(error)) return error;
  if (!statusCode) {
    logger.debug({ err: error }, 'could not reach the connector');
    return refusalFor(503, null, { cause: error });
  }
  return refusalFor(statusCode, readRetryAfter(response?.headers?.get('retry-after')), {
    cause: error,
    code: code ?? null,
    words: message ?? '',
  });
}
