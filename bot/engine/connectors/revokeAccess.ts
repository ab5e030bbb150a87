import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { revokeInstallation } from '../accounts/installations.ts';
import { cardOf, connectionTo } from './registry.ts';

/**
 * Revokes every access that an account has given at a provider: grants of connectors and installations of channels. The
 * rows stay. Each provider has the same limited time; all are called at once.
 * @returns the places where the access was not confirmed as revoked, for people, with the name of a workspace in brackets
 */
export const revokeAccess = (accountId: number): Promise<string[]> =>
  runInAccount(accountId, async () => {
    const [grants, installations] = await Promise.all([
      ConnectorGrant.find({ accountId, revokedAt: null }).lean(),
      ChannelInstallation.find({ accountId, revokedAt: null }).lean(),
    ]);
    const left = await Promise.all([
      ...grants.map(async (row) => {
        const isRevoked = await connectionTo(row.connector)?.revoke(row);
        return isRevoked ? null : (cardOf(row.connector)?.name ?? row.connector);
      }),
      ...installations.map(async (row) => {
        const name = CHANNELS.find(({ id }) => id === row.channel)?.name ?? row.channel;
        return (await revokeInstallation(row)) ? null : `${name} (${row.name})`;
      }),
    ]);
    return left.filter((place) => place !== null);
  });
