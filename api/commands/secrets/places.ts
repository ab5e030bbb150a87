import type { Types } from 'mongoose';
import { webhookContext } from '../../../bot/engine/access/accessTokens.ts';
import { installationContext } from '../../../bot/engine/accounts/installations.ts';
import { connectionContext } from '../../../bot/engine/connectors/connection.ts';
import { taskContext } from '../../../bot/engine/delivery/deliverTask.ts';
import { toolServerContext } from '../../../bot/engine/toolServers/connect.ts';
import { AccessToken } from '../../../models/accessToken.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { Delivery } from '../../../models/delivery.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { currentKeyId, hasKeyOf, type Sealed, seal, unseal } from '../../../models/store/encrypted.ts';
import type { Entity } from '../../../models/store/entity.ts';
import { ToolServer } from '../../../models/toolServer.ts';

type Row = { _id: Types.ObjectId };
/** Where one kind of secret is stored. */
type Place = {
  name: string;
  rows(after: Types.ObjectId | null, limit: number): Promise<Row[]>;
  secretOf(row: never): Sealed | null;
  contextOf(row: never): string;
  /** Writes a secret where the stored one is still the one that was read. @returns whether it was */
  write(row: Row, read: Sealed, again: Sealed): Promise<boolean>;
};

const BATCH = 200;

/** @param inUse a condition on rows whose secret is still needed */
function place<R extends Row>(
  name: string,
  entity: Entity<R>,
  field: string,
  secretOf: (row: R) => Sealed | null | undefined,
  contextOf: (row: R) => string,
  inUse: Record<string, unknown> = {},
): Place {
  const model = entity as unknown as Entity<Row>;
  return {
    name,
    rows: (after, limit) =>
      model
        .find({ ...inUse, [field]: { $ne: null }, ...(after ? { _id: { $gt: after } } : {}) })
        .sort({ _id: 1 })
        .limit(limit)
        .lean(),
    secretOf: (row: R) => secretOf(row) ?? null,
    contextOf,
    write: async ({ _id }, read, again) => {
      const { modifiedCount } = await model.updateOne(
        { _id, [`${field}.nonce`]: read.nonce },
        { $set: { [field]: again } },
      );
      return modifiedCount === 1;
    },
  } as Place;
}

/** Every place where a secret is stored that this server still needs. */
export const SECRETS: readonly Place[] = [
  place('Channels', ChannelInstallation, 'sealed', (row) => row.sealed, installationContext),
  place('Tools', ConnectorGrant, 'sealed', (row) => row.sealed, connectionContext),
  place('Tool servers', ToolServer, 'secret', (row) => row.secret, toolServerContext),
  place('Access tokens', AccessToken, 'webhookKey', (row) => row.webhookKey, webhookContext, { revokedAt: null }),
  place('Tasks of channels', Delivery, 'task.sealed', (row) => row.task?.sealed, taskContext, { status: 'due' }),
];

type Stored = { row: Row; sealed: Sealed };

/** The secrets of a place, in batches. */
async function* readStored({ rows, secretOf }: Place): AsyncGenerator<Stored[]> {
  for (let after: Types.ObjectId | null = null, size = BATCH; size === BATCH; ) {
    const batch: Row[] = await rows(after, BATCH);
    size = batch.length;
    after = batch.at(-1)?._id ?? null;
    yield batch.flatMap((row) => {
      const sealed = secretOf(row as never);
      return sealed ? [{ row, sealed }] : [];
    });
  }
}

/** How many secrets there are, and the ids of the keys that this server lacks for some of them. */
export function findLostKeys(): Promise<{ secrets: number; lost: string[] }> {
  return dangerouslyRunInEveryAccount(async () => {
    const lost = new Set<string>();
    let secrets = 0;
    for (const place of SECRETS)
      for await (const stored of readStored(place)) {
        secrets += stored.length;
        // Values of an older version have no key id.
        for (const { sealed } of stored) if (sealed.keyId && !hasKeyOf(sealed)) lost.add(sealed.keyId);
      }
    return { secrets, lost: [...lost] };
  });
}

/**
 * Encrypts the secrets of a place with the current key. A secret that changes meanwhile is left as it is: whoever changed
 * it used the current key.
 * @returns how many were encrypted again, had the current key, lack their key, and changed meanwhile
 */
export function reencrypt(place: Place) {
  return dangerouslyRunInEveryAccount(async () => {
    const count = { done: 0, current: 0, lost: 0, changed: 0 };
    for await (const stored of readStored(place))
      for (const { row, sealed } of stored) {
        if (sealed.keyId === currentKeyId()) count.current += 1;
        else if (!hasKeyOf(sealed)) count.lost += 1;
        else {
          const context = place.contextOf(row as never);
          const written = await place.write(row, sealed, seal(unseal(sealed, context), context));
          count[written ? 'done' : 'changed'] += 1;
        }
      }
    return count;
  });
}
