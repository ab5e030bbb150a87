import { ConnectorGrant, type ConnectorGrantRow } from '../../../models/connectorGrant.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { seal } from '../../../models/store/encrypted.ts';
import { isEnabled, noteConnection } from '../accounts/integrations.ts';
import { type Grant, makeGrants } from '../grants/makeGrants.ts';
import type { Connector, ConnectorPlugIn, Place, Send } from './connector.ts';
import {
  type ConnectorTokens,
  isGrantOver,
  isRefused,
  makeProvider,
  ProviderFailure,
  type Secrets,
} from './provider.ts';

type PlacedTokens = ConnectorTokens & { place: Place };
type Own = Grant<PlacedTokens, ConnectorGrantRow>;

/** What tokens are sealed for: they open for no other account and no other connector. */
const contextOf = ({ accountId, connector }: Pick<ConnectorGrantRow, 'accountId' | 'connector'>) =>
  `connector:${connector}:${accountId}`;

/** A connector at work in this process: its consent, its grants and what they open. */
export function makeConnection(plugIn: ConnectorPlugIn) {
  const { id, name } = plugIn.card;
  const provider = makeProvider(plugIn);
  const grants = makeGrants<PlacedTokens, ConnectorGrantRow>({
    entity: ConnectorGrant,
    contextOf,
    renew: provider.renew,
    isRefusal: isGrantOver,
    refusedText: `${name} renews the access no more. Connect it again to go on.`,
    async onEnded({ accountId, error }) {
      logger.info({ account: accountId, connector: id }, 'grant ended');
      await runInAccount(accountId, () => noteConnection(accountId, id, false, error));
    },
  });
  const readGrant = (accountId: number) => ConnectorGrant.findOne({ accountId, connector: id, revokedAt: null }).lean();

  /** What went wrong with the provider, for people; anything else is thrown as it is. */
  const explain = (error: unknown): never => {
    if (!(error instanceof ProviderFailure)) throw error;
    logger.warn({ connector: id, kind: error.kind, what: error.message }, 'the provider of a connector failed');
    if (error.kind === 'unavailable') throw new AppError('provider_unavailable', { name });
    throw new AppError('not_available', { text: `${name} did not accept the connection. Please try again.` });
  };

  const connector: Connector = {
    async begin({ accountId }, { service, state }) {
      const held = await readGrant(accountId);
      // One grant opens every tool of the connector: what was consented to before is asked for again.
      const scopes = [...new Set([...(held?.scopes ?? []), ...(plugIn.scopes[service] ?? [])])];
      const secrets = provider.newSecrets(scopes);
      return { address: await provider.authorizeUrl(state, secrets), kept: secrets };
    },

    async connect({ accountId, userId }, { code, state, kept }) {
      const { tokens, scopes } = await provider.exchange(code, state, kept as Secrets).catch(explain);
      const place = await plugIn.identify(provider.sendWith(tokens.accessToken)).catch(explain);
      const sealed = seal({ ...tokens, place }, contextOf({ accountId, connector: id }));
      const granted = { sealed, scopes, grantedBy: userId, grantedAt: new Date() };
      const write = () =>
        ConnectorGrant.updateOne(
          { accountId, connector: id },
          { $set: { ...granted, revokedAt: null, error: null, renewal: null } },
          { upsert: true },
        );
      // Of two first consents at once one inserts; the other replaces what that one has written.
      if (!(await onceByKey(write))) await write();
      await noteConnection(accountId, id, true);
    },
  };

  /** Ends the grant where the provider does not know its token any more. */
  async function checkGrant({ row, tokens }: Own): Promise<void> {
    await plugIn.identify(provider.sendWith(tokens.accessToken)).catch(async (error: unknown) => {
      if (!isRefused(error)) {
        logger.warn({ connector: id, what: (error as Error).message }, 'a grant could not be checked');
        return;
      }
      const why = `${name} took back the access. Connect it again to go on.`;
      // Whoever calls may have left the account's context long ago.
      await runInAccount(row.accountId, () => grants.end(row, why, { sealed: row.sealed }));
    });
  }

  return {
    connector,

    /**
     * What an account's grant opens, with a token that is good now.
     * @throws AppError not_configured where it is not connected or switched off, provider_unavailable
     */
    async openAccess(accountId: number): Promise<{ send: Send; place: Place; scopes: string[] }> {
      const row = (await isEnabled(accountId, id)) ? await readGrant(accountId) : null;
      const grant = row && (await grants.freshen(grants.open(row)).catch(explain));
      if (!grant) {
        const text = `${name} is not connected, or is switched off. Connect it under Integrations.`;
        throw new AppError('not_configured', { text });
      }
      const send = provider.sendWith(grant.tokens.accessToken);
      return {
        place: grant.tokens.place,
        scopes: grant.row.scopes,
        send: (address, init) =>
          send(address, init).catch(async (error: unknown) => {
            if (isRefused(error)) await checkGrant(grant);
            throw error;
          }),
      };
    },

    /**
     * Ends the account's grant, at the provider first.
     * @returns whether the provider has taken the access back; where not, the person can do so there
     * @throws AppError not_allowed, not_found where nothing is connected
     */
    async disconnect(who: Who): Promise<boolean> {
      if (!may(who, 'integration.connect')) throw new AppError('not_allowed');
      const row = await readGrant(who.accountId);
      if (!row) throw new AppError('not_found');
      // What can't be opened or revoked is forgotten all the same.
      const revoke = async () => provider.revoke(grants.open(row).tokens);
      const isRevoked = await revoke().then(
        () => true,
        (error: Error) => {
          logger.warn({ connector: id, what: error.message }, 'a provider did not take the access back');
          return false;
        },
      );
      await grants.end(row, null);
      return isRevoked;
    },
  };
}
