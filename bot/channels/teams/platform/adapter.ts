// The one file that knows the library: moving to @microsoft/agents-hosting is a change of this file alone.

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

/** The apps under which Arc is registered. */
type Apps = {
  knows(appId: string): Promise<boolean>;
  /** A token with which an installation's app may answer, by its key; a new one where the last was refused. */
  tokenOf(installationKey: string, renew: boolean): Promise<string>;
};

/** A request whose token is not what Microsoft signs for one of our apps. */
export class NotAuthentic extends Error {}

export type TeamsAdapter = ReturnType<typeof makeAdapter>;

const AUDIENCE = 'https://api.botframework.com';
/** A token that was checked is believed this long, and never beyond its end. */
const VERIFIED_MILLISECONDS = 5 * 60_000;
/** Clients of connectors that are kept; there are a handful of service addresses. */
const MOST_CLIENTS = 500;
/** A call to the platform that takes longer has failed: one that never ended would hold up its conversation for ever. */
const CALL_MILLISECONDS = 10_000;
/** Most members that one call gives (docs/platforms.md). */
const ROSTER_PAGE = 500;

// The library drops what it does not know of an entity: how a stream goes on, and that words were made by a machine.
const entityShape = mappers.Entity.type as { additionalProperties?: unknown };
entityShape.additionalProperties = { type: { name: 'Object' } };

/** @throws AppError teams_unavailable where the work takes longer than a call may */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(CALL_MILLISECONDS);
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new AppError('teams_unavailable', {}, { cause: signal.reason })));
  });
  return Promise.race([work, over]);
}

/** The library's authentication, with every way to fail told as one: some of its errors are no refusals to it. */
class Authentication extends botbuilder.ConfigurationBotFrameworkAuthentication {
  override async authenticateRequest(activity: LibraryActivity, header: string) {
    try {
      // The library fetches Microsoft's keys without a limit.
      const result = await inTime(super.authenticateRequest(activity, header));
      if (!result.claimsIdentity.isAuthenticated) throw new Error('not authenticated');
      return result;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new NotAuthentic('The token is not accepted.', { cause: error });
    }
  }
}

type PageOptions = { pageSize: number; continuationToken: string };
/** The part of the library's pipeline of requests that is changed here. */
type Pipeline = {
  removePolicy(it: { name: string }): void;
  addPolicy(it: { name: string; sendRequest(request: object, next: (request: object) => unknown): unknown }): void;
};
type ConnectorClient = InstanceType<typeof connector.ConnectorClient>;

/**
 * The protocol in both directions: checks who calls, and calls in turn. Everything else speaks plain activities.
 * @throws where no app id is set: an empty one would switch the library's authentication off
 */
export function makeAdapter(apps: Apps, env: Environment) {
  if (!env.MICROSOFT_APP_ID) {
    throw new Error('Microsoft Teams is refused: MICROSOFT_APP_ID is empty, and without it nobody would be checked.');
  }
  const credentials = (installationKey: string) => ({
    async signRequest(request: { headers: { set(name: string, value: string): void } }) {
      request.headers.set('authorization', `Bearer ${await apps.tokenOf(installationKey, false)}`);
      return request;
    },
  });
  const authentication = new Authentication(
    {
      // All or none of these: the library fills none of the others once one is set.
      ToBotFromChannelOpenIdMetadataUrl: env.BOT_OPENID_METADATA,
      ToBotFromEmulatorOpenIdMetadataUrl: env.BOT_OPENID_METADATA,
      ToBotFromChannelTokenIssuer: env.BOT_TOKEN_ISSUER,
      ToChannelFromBotOAuthScope: AUDIENCE,
      ToChannelFromBotLoginUrl: env.BOT_LOGIN_URL,
      OAuthUrl: AUDIENCE,
    } as never,
    {
      isValidAppId: (appId: string) => apps.knows(appId),
      isAuthenticationDisabled: async () => false,
      createCredentials: async (installationKey: string) => credentials(installationKey),
    } as never,
  );

  /** Tokens that were found to be right: Microsoft signs one for many activities, and to check one takes a millisecond. */
  const verified = makeCache<string, { appId: string; serviceUrl: string; ends: number }>(VERIFIED_MILLISECONDS);
  const clients = makeCache<string, Promise<ConnectorClient>>(null, MOST_CLIENTS);

  /** A client for one connector, made once: making one costs more than a call. */
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
    // The library hands the audience on to the credentials as it is: one app may be registered by two tenants.
    const identity = new connector.ClaimsIdentity([{ type: 'aud', value: installationKey }], true);
    const client = await authentication.createConnectorFactory(identity as never).create(serviceUrl, AUDIENCE);
    const { pipeline } = (client as unknown as { client: { pipeline: Pipeline } }).client;
    // Trying again is the outbox's business: the library's own way would hold a claim too long.
    pipeline.removePolicy({ name: 'defaultRetryPolicy' });
    pipeline.addPolicy({
      name: 'timeLimit',
      sendRequest: (request, next) =>
        next(Object.assign(request, { abortSignal: AbortSignal.timeout(CALL_MILLISECONDS) })),
    });
    return client as unknown as ConnectorClient;
  }

  /** Calls a connector; once more with a new token where the old one is refused. @throws TeamsRefusal */
  async function call<T>(caller: Caller, run: (client: ConnectorClient) => Promise<T>): Promise<T> {
    const once = async () => {
      try {
        return await run(await clientFor(caller));
      } catch (error) {
        throw translate(error);
      }
    };
    try {
      return await once();
    } catch (error) {
      if (refusalOf(error)?.answered !== 401) throw error;
      await apps.tokenOf(installationKeyOf(caller.appId, caller.tenantId), true).catch((failure: unknown) => {
        throw translate(failure);
      });
      return once();
    }
  }

  return {
    /**
     * Checks who sent an activity.
     * @returns the app it was meant for, by the token's audience
     * @throws NotAuthentic
     */
    async authenticate(header: string, activity: Received): Promise<string> {
      // Only its digest is kept: a token opens our door until it ends.
      const digest = createHash('sha256').update(header).digest('base64');
      const known = verified.get(digest);
      const stands = known && known.ends > Date.now() && known.serviceUrl === activity.serviceUrl;
      if (stands && (await apps.knows(known.appId))) return known.appId;
      const { claimsIdentity } = await authentication.authenticateRequest(activity as never, header);
      // The library would also take tokens of the directory, as emulators have, which name no service address: whoever
      // could choose the address would be sent our own token.
      const ofConnector =
        claimsIdentity.getClaimValue('iss') === env.BOT_TOKEN_ISSUER &&
        claimsIdentity.getClaimValue('serviceurl') === activity.serviceUrl;
      const ends = Number(claimsIdentity.getClaimValue('exp')) * 1000;
      if (!ofConnector || !(ends > 0)) throw new NotAuthentic('The token is not of the connector, or has no end.');
      const appId = claimsIdentity.getClaimValue('aud') ?? '';
      verified.set(digest, { appId, serviceUrl: activity.serviceUrl, ends });
      return appId;
    },

    /** Sends an activity. @returns its id. @throws TeamsRefusal */
    async send(target: Target, activity: Activity): Promise<string> {
      const sent = await call(target, (client) =>
        client.conversations.sendToConversation(target.conversationId, activity as never),
      );
      return sent.id ?? '';
    },

    /** Replaces what an activity shows. @throws TeamsRefusal */
    async update(target: Target, id: string, activity: Activity): Promise<void> {
      await call(target, (client) =>
        client.conversations.updateActivity(target.conversationId, id, { ...activity, id } as never),
      );
    },

    /** Takes an activity away. @throws TeamsRefusal */
    async remove(target: Target, id: string): Promise<void> {
      await call(target, (client) => client.conversations.deleteActivity(target.conversationId, id));
    },

    /** Someone of the roster, by the platform's or the directory's id. @throws TeamsRefusal */
    async member(target: Target, userId: string): Promise<RosterMember> {
      const found = await call(target, (client) =>
        client.conversations.getConversationMember(target.conversationId, userId),
      );
      return found as unknown as RosterMember;
    },

    /** The first members of the roster, as many as Teams gives at once. @throws TeamsRefusal */
    async members(target: Target): Promise<RosterMember[]> {
      const page = await call(target, (client) =>
        // The library's types ask for the token of a later page with the first one too.
        client.conversations.getConversationPagedMembers(target.conversationId, {
          pageSize: ROSTER_PAGE,
        } as PageOptions),
      );
      return page.members as unknown as RosterMember[];
    },

    /** Opens the personal chat with someone. @returns its id. @throws TeamsRefusal */
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

function translate(error: unknown): unknown {
  const { statusCode, response, code, message } = error as {
    statusCode?: number;
    code?: string;
    message?: string;
    response?: { headers?: { get(name: string): string | undefined } };
  };
  if (refusalOf(error)) return error;
  if (!statusCode) {
    logger.debug({ err: error }, 'the connector could not be reached');
    return refusalFor(503, null, { cause: error });
  }
  return refusalFor(statusCode, readRetryAfter(response?.headers?.get('retry-after')), {
    cause: error,
    code: code ?? null,
    words: message ?? '',
  });
}
