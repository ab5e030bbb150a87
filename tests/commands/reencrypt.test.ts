/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { findLostKeys, reencrypt, SECRETS } from '../../api/commands/secrets/places.ts';
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
type Case = [name: string, entity: typeof Delivery, field: string, contextOf: (row: Row) => string];
const CASES = [
  ['Channels', ChannelInstallation, 'sealed', ({ key }: Row) => `slack:${key}`],
  ['Tools', ConnectorGrant, 'sealed', ({ accountId }: Row) => `connector:jira:${accountId}`],
  ['Tool servers', ToolServer, 'secret', ({ accountId, _id }: Row) => `tool-server:${accountId}:${_id}`],
  ['Access tokens', AccessToken, 'webhookKey', ({ accountId, _id }: Row) => `webhook:${accountId}:${_id}`],
  ['Tasks of channels', Delivery, 'task.sealed', ({ accountId, key }: Row) => `task:${accountId}:${key}`],
] as unknown as Case[];
const makeRow = () => {
  const unique = nextNumber();
  const names = { name: `${unique}`, key: `${unique}`, secretHash: `${unique}` };
  return { _id: new Types.ObjectId(), accountId: unique, channel: 'slack', connector: 'jira', status: 'due', ...names };
};

const nested = (field: string, value: unknown): object =>
  field.split('.').reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as object;
const at = (row: object | null, field: string): Sealed =>
  field.split('.').reduce((value: unknown, name) => (value as Record<string, unknown>)?.[name], row) as Sealed;

test.each(CASES)('%s are encrypted again, and say the same', async (name, entity, field, context) => {
  const place = SECRETS.find((one) => one.name === name)!;
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
});

test('every place of a secret is among them', () =>
  expect(SECRETS.map(({ name }) => name)).toEqual(CASES.map(([name]) => name)));

test('what is needed no longer keeps no retired key, and the keys of the rest are named where they are missing', async () => {
  for (const [, entity] of CASES) await entity.collection.deleteMany({});
  const of = (key: string) => makeSealer(key.repeat(32)).seal('kept', '');
  const [lost, over] = [of('cd'), of('ef')];
  await ConnectorGrant.collection.insertOne({ ...makeRow(), sealed: lost } as never);
  await ConnectorGrant.collection.insertOne({ ...makeRow(), sealed: seal('kept', '') } as never);
  await AccessToken.collection.insertOne({ ...makeRow(), webhookKey: over, revokedAt: new Date() } as never);
  await Delivery.collection.insertOne({ ...makeRow(), task: { sealed: over }, status: 'sent' } as never);
  expect(await findLostKeys()).toEqual({ secrets: 2, lost: [lost.keyId] });
});
