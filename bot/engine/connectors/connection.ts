import { ConnectorGrant, type ConnectorGrantRow } from '../../../models/connectorGrant.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { seal } from '../../../models/store/encrypted.ts';
import { isEnabled, noteConnection } from '../accounts/integrations.ts';
import { notRenewedText, withdrawnText } from '../grants/brokenTexts.ts';
import { type Grant, makeGrants } from '../grants/makeGrants.ts';
import { tryRevoke } from '../grants/tryRevoke.ts';
import type { Access, Connector, ConnectorPlugIn, Place } from './connector.ts';
import { eraseWhatWasRead } from './eraseWhatWasRead.ts';
import { isRefused, ProviderFailure } from './failure.ts';
import { type ConnectorTokens, isGrantOver, makeProvider, type Secrets } from './provider.ts';

type PlacedTokens = ConnectorTokens & { place: Place };
type Own = Grant<PlacedTokens, ConnectorGrantRow>;

/** The context of a connector's sealed tokens: they can't be decrypted for another account or connector. */
export const connectionContext = ({ accountId, connector }: Pick<ConnectorGrantRow, 'accountId' | 'connector'>) =>
  `connector:${connector}:${accountId}`;

/** A connector's runtime in this process: consent, grants and access. */
export function makeConnection(plugIn: ConnectorPlugIn) {
  const { id, name } = plugIn.card;
  const provider = makeProvider(plugIn);
  const grants = makeGrants<PlacedTokens, ConnectorGrantRow>({
    entity: ConnectorGrant,
    contextOf: connectionContext,
    renew: provider.renew,
    isRefusal: isGrantOver,
    refusedText: notRenewedText(name),
    async onEnded({ accountId, error }) {
      logger.info({ account: accountId, connector: id }, 'grant ended');
      await runInAccount(accountId, () => noteConnection(accountId, id, false, error));
    },
  });
  const readGrant = (accountId: number) => ConnectorGrant.findOne({ accountId, connector: id, revokedAt: null }).lean();

  /** Translates a provider's failure for people; rethrows anything else. */
  const explain = (error: unknown): never => {
    if (!(error instanceof ProviderFailure)) throw error;
    logger.warn({ connector: id, kind: error.kind, what: error.message }, 'a call to the provider failed');
    if (error.kind === 'unavailable') throw new AppError('provider_unavailable', { name });
    throw new AppError('not_available', { text: `${name} did not accept the connection. Please try again.` });
  };

  const declared = new Set(Object.values(plugIn.scopes).flat());
  const connector: Connector = {
    async begin({ accountId }, { service, state }) {
      const held = await readGrant(accountId);
      // One grant covers every tool of the connector, so scopes granted before are requested again; those that a provider
      // adds by itself are not.
      const before = (held?.scopes ?? []).filter((scope) => declared.has(scope));
      const scopes = [...new Set([...before, ...(plugIn.scopes[service] ?? [])])];
      const secrets = provider.newSecrets(scopes);
      return { address: await provider.authorizeUrl(state, secrets), kept: secrets };
    },

    async connect({ accountId, userId }, { code, state, kept }) {
      const { tokens, scopes } = await provider.exchange(code, state, kept as Secrets).catch(explain);
      const place = await plugIn.identify(provider.sendWith(tokens.accessToken), tokens.kept ?? {}).catch(explain);
      const sealed = seal({ ...tokens, place }, connectionContext({ accountId, connector: id }));
      const granted = { sealed, scopes, grantedBy: userId, grantedAt: new Date() };
      const write = () =>
        ConnectorGrant.updateOne(
          { accountId, connector: id },
          { $set: { ...granted, revokedAt: null, error: null, renewal: null } },
          { upsert: true },
        );
      // Of two concurrent first consents one inserts and the other replaces it.
      if (!(await onceByKey(write))) await write();
      await noteConnection(accountId, id, true);
    },
  };

  /**
   * Where the provider no longer accepts a grant's token: renews it if it can be, ends the grant if not.
   * @returns the grant with a renewed token; null where it is as before, or has ended
   */
  async function checkGrant(grant: Own): Promise<Own | null> {
    const { row, tokens } = grant;
    try {
      await plugIn.identify(provider.sendWith(tokens.accessToken), tokens.kept ?? {});
      return null;
    } catch (error) {
      if (!isRefused(error)) {
        logger.warn({ connector: id, what: (error as Error).message }, 'a grant could not be checked');
        return null;
      }
      // The caller may have left the account's context.
      return await runInAccount(row.accountId, async () => {
        const renewed = await grants.renewRefused(grant).catch(explain);
        if (!renewed) await grants.end(row, withdrawnText(name), { sealed: row.sealed });
        return renewed;
      });
    }
  }

  /**
   * Revokes a grant at the provider, best effort: also one that can't be decrypted is deleted afterwards.
   * @returns whether the provider confirmed it; otherwise the person can revoke it there
   */
  const revoke = (row: ConnectorGrantRow): Promise<boolean> =>
    tryRevoke(async () => provider.revoke(grants.open(row).tokens), { account: row.accountId, service: id });

  /** Translates a failed call of somebody who is connected. */
  const explainUse = (error: unknown): never => {
    if (!isRefused(error)) return explain(error);
    logger.warn({ connector: id, what: error.message }, 'a call was refused by the provider');
    throw new AppError('not_available', {
      text: `${name} refused that. If it should be possible, check what Arc may read there, or connect it again.`,
    });
  };

  /**
   * Access to the provider with an account's grant; the token is valid now.
   * @throws AppError not_configured where it is not connected or is switched off, provider_unavailable
   */
  async function openAccess(accountId: number): Promise<Access> {
    const row = (await isEnabled(accountId, id)) ? await readGrant(accountId) : null;
    const grant = row && (await grants.freshen(grants.open(row)).catch(explain));
    if (!grant) {
      const text = `${name} is not connected, or is switched off. Connect it under Integrations.`;
      throw new AppError('not_configured', { text });
    }
    let { accessToken } = grant.tokens;
    return {
      place: grant.tokens.place,
      scopes: grant.row.scopes,
      send: (address, init) =>
        provider
          .sendWith(accessToken)(address, init)
          .catch(async (error: unknown) => {
            const renewed = isRefused(error) ? await checkGrant(grant) : null;
            if (!renewed) throw error;
            // Nothing was done with the refused token, so a call that writes may be made again too.
            accessToken = renewed.tokens.accessToken;
            return provider.sendWith(accessToken)(address, init);
          }),
    };
  }

  return {
    connector,
    revoke,

    openAccess,

    /**
     * Does something with an account's grant.
     * @throws AppError not_configured, provider_unavailable; not_available where the provider refuses; what `use` throws
     */
    use: <T>(accountId: number, work: (access: Access) => Promise<T>): Promise<T> =>
      openAccess(accountId).then((access) => work(access).catch(explainUse)),

    /**
     * Ends the account's grant, revoking it at the provider first, and deletes what was read with it. Of a grant that
     * broke, only what was read is left to delete.
     * @returns whether the provider confirmed the revocation
     * @throws AppError not_allowed, not_found where nothing is connected
     */
    async disconnect(who: Who): Promise<boolean> {
      if (!may(who, 'integration.connect')) throw new AppError('not_allowed');
      const { accountId } = who;
      const row = await ConnectorGrant.findOne({ accountId, connector: id }).lean();
      if (!row || (row.revokedAt && !row.error)) throw new AppError('not_found');
      const isRevoked = row.revokedAt ? true : await revoke(row);
      if (row.revokedAt) {
        await ConnectorGrant.updateOne({ _id: row._id, accountId }, { $set: { error: null } });
        await noteConnection(accountId, id, false);
      } else await grants.end(row, null);
      await eraseWhatWasRead(accountId, id);
      return isRevoked;
    },
  };
}
