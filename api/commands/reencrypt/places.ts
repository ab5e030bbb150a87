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

function place<R extends Row>(
  name: string,
  entity: Entity<R>,
  field: string,
  secretOf: (row: R) => Sealed | null | undefined,
  contextOf: (row: R) => string,
): Place {
  const model = entity as unknown as Entity<Row>;
  return {
    name,
    rows: (after, limit) =>
      model
        .find({ [field]: { $ne: null }, ...(after ? { _id: { $gt: after } } : {}) })
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

export const CHANNELS = place('Channels', ChannelInstallation, 'sealed', (row) => row.sealed, installationContext);
export const CONNECTORS = place('Tools', ConnectorGrant, 'sealed', (row) => row.sealed, connectionContext);
export const TOOL_SERVERS = place('Tool servers', ToolServer, 'secret', (row) => row.secret, toolServerContext);
export const ACCESS_TOKENS = place('Access tokens', AccessToken, 'webhookKey', (row) => row.webhookKey, webhookContext);
export const TASKS = place('Tasks of channels', Delivery, 'task.sealed', (row) => row.task?.sealed, taskContext);

/**
 * Encrypts the secrets of a place with the current key. A secret that changes meanwhile is left as it is: whoever changed
 * it used the current key.
 * @returns how many were encrypted again, had the current key, lack their key, and changed meanwhile
 */
export function reencrypt({ rows, secretOf, contextOf, write }: Place) {
  return dangerouslyRunInEveryAccount(async () => {
    const count = { done: 0, current: 0, lost: 0, changed: 0 };
    for (let after: Types.ObjectId | null = null, size = BATCH; size === BATCH; ) {
      const batch: Row[] = await rows(after, BATCH);
      size = batch.length;
      after = batch.at(-1)?._id ?? null;
      for (const row of batch) {
        const sealed = secretOf(row as never);
        if (!sealed) continue;
        if (sealed.keyId === currentKeyId()) count.current += 1;
        else if (!hasKeyOf(sealed)) count.lost += 1;
        else {
          const context = contextOf(row as never);
          const written = await write(row, sealed, seal(unseal(sealed, context), context));
          count[written ? 'done' : 'changed'] += 1;
        }
      }
    }
    return count;
  });
}
