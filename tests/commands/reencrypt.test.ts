/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import {
  ACCESS_TOKENS,
  CHANNELS,
  CONNECTORS,
  reencrypt,
  TASKS,
  TOOL_SERVERS,
} from '../../api/commands/reencrypt/places.ts';
import { AccessToken } from '../../models/accessToken.ts';
import { ChannelInstallation } from '../../models/channelInstallation.ts';
import { ConnectorGrant } from '../../models/connectorGrant.ts';
import { Delivery } from '../../models/delivery.ts';
import { dangerouslyRunInEveryAccount } from '../../models/store/context.ts';
import { currentKeyId, makeSealer, type Sealed, seal, unseal } from '../../models/store/encrypted.ts';
import { ToolServer } from '../../models/toolServer.ts';
import { connectTestStore, nextNumber } from '../factories/account.ts';
import { sealWithRetiredKey } from '../factories/retiredKey.ts';

connectTestStore();

type Row = { _id: Types.ObjectId; accountId: number; key: string };
type Case = [place: typeof CHANNELS, entity: typeof Delivery, field: string, contextOf: (row: Row) => string];
const PLACES = {
  Channels: [CHANNELS, ChannelInstallation, 'sealed', ({ key }: Row) => `slack:${key}`],
  Tools: [CONNECTORS, ConnectorGrant, 'sealed', ({ accountId }: Row) => `connector:jira:${accountId}`],
  'Tool servers': [TOOL_SERVERS, ToolServer, 'secret', ({ accountId, _id }: Row) => `tool-server:${accountId}:${_id}`],
  'Access tokens': [
    ACCESS_TOKENS,
    AccessToken,
    'webhookKey',
    ({ accountId, _id }: Row) => `webhook:${accountId}:${_id}`,
  ],
  Tasks: [TASKS, Delivery, 'task.sealed', ({ accountId, key }: Row) => `task:${accountId}:${key}`],
} as unknown as Record<string, Case>;
const makeRow = () => {
  const unique = nextNumber();
  const names = { name: `${unique}`, key: `${unique}`, secretHash: `${unique}` };
  return { _id: new Types.ObjectId(), accountId: unique, channel: 'slack', connector: 'jira', ...names };
};

const nested = (field: string, value: unknown): object =>
  field.split('.').reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as object;
const at = (row: object | null, field: string): Sealed =>
  field.split('.').reduce((value: unknown, name) => (value as Record<string, unknown>)?.[name], row) as Sealed;

test.each(Object.entries(PLACES))(
  '%s are encrypted again, and say the same',
  async (_name, [place, entity, field, context]) => {
    await entity.collection.deleteMany({});
    const add = async (sealer: typeof seal) => {
      const row = makeRow();
      const stored = { ...row, ...nested(field, sealer({ secret: 'kept' }, context(row))) };
      await entity.collection.insertOne(stored as never);
      return row;
    };
    const unknown = makeSealer('cd'.repeat(32)).seal;
    const [old, current, lost] = [await add(sealWithRetiredKey), await add(seal), await add(unknown)];
    await entity.collection.insertOne(makeRow() as never);
    expect(await reencrypt(place)).toEqual({ done: 1, current: 1, lost: 1, changed: 0 });
    const read = async ({ _id }: Row) => at(await entity.collection.findOne({ _id } as never), field);
    const again = await read(old);
    expect([again.keyId, unseal(again, context(old))]).toEqual([currentKeyId(), { secret: 'kept' }]);
    // Somebody stored another secret since it was read.
    expect(await dangerouslyRunInEveryAccount(() => place.write(old, seal('', ''), seal('', '')))).toBe(false);
    expect(unseal(await read(current), context(current))).toEqual({ secret: 'kept' });
    expect((await read(lost)).keyId).toBe(unknown('', '').keyId);
    expect(await reencrypt(place)).toEqual({ done: 0, current: 2, lost: 1, changed: 0 });
  },
);
