/** @environment store */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { registerChannel, sweepChannels } from '../../../bot/engine/delivery/channel.ts';
import { closeDeliveries, prepareQuestion } from '../../../bot/engine/delivery/deliverQuestion.ts';
import { acceptTask } from '../../../bot/engine/delivery/deliverTask.ts';
import { deliveries, tryDelivery, writeDelivery } from '../../../bot/engine/delivery/outbox.ts';
import { PermanentError } from '../../../bot/engine/delivery/permanentError.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { startSweepTimers } from '../../../models/store/dueTimers.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import { inEveryAccount, openPlace, readMessages } from '../../factories/turns.ts';
import { makeChannel } from '../../fakes/channel.ts';

connectTestStore();
const SECOND = 1000;
let accountId = 0;
let here: Types.ObjectId;
beforeEach(() => {
  accountId = nextNumber();
  here = new Types.ObjectId();
});
afterEach(() => {
  jest.restoreAllMocks();
});
const write = async (more: Partial<Parameters<typeof writeDelivery>[0]> = {}) =>
  (await inEveryAccount(() =>
    writeDelivery({ accountId, interruptId: nextNumber(), conversationId: here, surface: 'slack', ...more }),
  )) as DeliveryRow;
const read = async ({ _id }: Pick<DeliveryRow, '_id'>) =>
  requireRow(await inEveryAccount(() => Delivery.findById(_id).lean()));
const set = ({ _id }: Pick<DeliveryRow, '_id'>, change: object) =>
  inEveryAccount(() => Delivery.updateOne({ _id }, { $set: change }));
const attempt = (...given: Parameters<typeof tryDelivery>) => inEveryAccount(() => tryDelivery(...given));
const claim = async (row: DeliveryRow, isSweep = false) =>
  (await inEveryAccount(() => deliveries.claim(row, isSweep))) !== null;
const arrive = async () => ({ ts: '1' });
const refuse = (more: object) => () => Promise.reject(Object.assign(new Error('refused'), more));
const refuseForGood = () => Promise.reject(new PermanentError('refused'));
/** Seconds until a delivery is due, in tens. */
const dueIn = async (delivery: DeliveryRow) =>
  Math.ceil(((await read(delivery)).dueAt.getTime() - Date.now()) / (10 * SECOND)) * 10 + 0;

describe('a delivery that is written', () => {
  test('is due when its claim expires, unsent and untried, by its key', async () => {
    const [messageId, interruptId] = [new Types.ObjectId(), nextNumber()];
    const rows = [await write({ messageId, interruptId: null }), await write({ interruptId, conversationId: null })];
    expect(await Promise.all(rows.map(read))).toMatchObject([
      { accountId, messageId, interruptId: null, conversationId: here, key: `message:${messageId}:slack` },
      { accountId, messageId: null, interruptId, conversationId: null, key: `${interruptId}:slack` },
    ]);
    for (const row of rows) {
      expect(await read(row)).toMatchObject({ status: 'due', reference: null, attempts: 0, error: null });
      expect(await dueIn(row)).toBe(30);
    }
    const task = await write({ interruptId: null, key: 'mine', task: { conversationId: here, sealed: {} as never } });
    expect(await read(task)).toMatchObject({ key: 'mine' });
  });

  test('is claimed in the version that was found, and no other with it', async () => {
    const [delivery, other] = [await write(), await write()];
    for (const one of [delivery, other]) {
      deliveries.letGo(one);
      await set(one, { dueAt: new Date(0) });
    }
    const found = await read(delivery);
    expect(await claim({ ...found, status: 'closing' })).toBe(false);
    expect(await claim({ ...found, dueAt: new Date(1) })).toBe(false);
    expect(await claim(found)).toBe(true);
    expect([await dueIn(delivery), (await read(delivery)).begun ?? 0]).toEqual([30, 0]);
    expect((await read(other)).dueAt.getTime()).toBe(0);
    deliveries.letGo(delivery);
    expect(await claim(await read(delivery), true)).toBe(true);
    expect((await read(delivery)).begun).toBe(1);
  });
});

describe('a delivery that is sent', () => {
  test.each([
    ['due', 'sent'],
    ['closing', 'closed'],
  ] as const)('and was %s is %s, with its reference, and no other is', async (status, after) => {
    const [other, delivery] = [await write(), await write({ conversationId: null })];
    const change = { status, reference: { ts: '0' }, error: 'refused', begun: 2 };
    await set(delivery, change);
    expect(await attempt({ ...delivery, ...change }, async () => null)).toBe(true);
    expect(await read(delivery)).toMatchObject({ status: after, reference: { ts: '0' }, error: null, begun: 0 });
    expect(await read(other)).toMatchObject({ status: 'due', reference: null });
    deliveries.letGo(other);
  });

  test('and was answered meanwhile is redrawn at once, and no other is', async () => {
    const [other, delivery] = [await write(), await write({ conversationId: null })];
    await set(delivery, { error: 'refused', begun: 2 });
    const settled = await attempt(delivery, async () => {
      await set(delivery, { status: 'closing' });
      return { ts: '2' };
    });
    expect(settled).toBe(false);
    expect(await read(delivery)).toMatchObject({ status: 'closing', reference: { ts: '2' }, error: null, begun: 0 });
    expect(await dueIn(delivery)).toBe(0);
    expect(await read(other)).toMatchObject({ status: 'due' });
    expect(await dueIn(other)).toBe(30);
  });

  test('in parts stores each part, and only its own words’ completion', async () => {
    const [other, delivery] = [await write(), await write({ conversationId: null })];
    const seen: unknown[] = [];
    await attempt(delivery, async ({ keep }) => {
      await keep({ part: 1 });
      seen.push((await read(delivery)).said, (await read(delivery)).reference);
      await keep({ part: 2 }, true);
      seen.push((await read(delivery)).said);
      return { part: 3 };
    });
    expect(seen).toEqual([false, { part: 1 }, true]);
    expect((await read(other)).reference).toBeNull();
  });
});

describe('an earlier delivery', () => {
  const put = async (more: Partial<DeliveryRow> & { accountId?: number } = {}) => {
    const first = await write({
      ...(more.accountId ? { accountId: more.accountId } : {}),
      ...(more.surface ? { surface: more.surface } : {}),
      ...(more.conversationId !== undefined ? { conversationId: more.conversationId } : {}),
    });
    await set(first, { dueAt: new Date(Date.now() + 90 * SECOND), ...more });
    return first;
  };

  test.each<[string, Partial<DeliveryRow>, boolean]>([
    ['blocks it', {}, true],
    ['blocks it after four failures', { attempts: 4 }, true],
    ['blocks nothing after five', { attempts: 5 }, false],
    ['blocks nothing once its words are sent', { said: true }, false],
    ['blocks nothing once it was sent', { status: 'sent' }, false],
    ['blocks nothing once it was given up', { status: 'failed' }, false],
    ['blocks nothing on another surface', { surface: 'slack-home' }, false],
    ['blocks nothing in another conversation', { conversationId: new Types.ObjectId() }, false],
    ['blocks nothing of another account', { accountId: 1 }, false],
  ])('%s', async (_what, more, holds) => {
    await put(more);
    const second = await write();
    await set(second, { begun: 1 });
    expect(await attempt(second, arrive)).toBe(true);
    expect(await read(second)).toMatchObject({ status: holds ? 'due' : 'sent', begun: 0, attempts: 0 });
    if (holds) expect(await dueIn(second)).toBe(90);
  });

  test('does not block redraws, deliveries without a conversation, or anything before it', async () => {
    const earlier = await write();
    const first = await put();
    for (const it of [
      { ...(await write()), status: 'closing' as const },
      { ...(await write()), conversationId: null },
      earlier,
    ]) {
      await set(it, { status: it.status });
      await attempt(it, arrive);
      expect((await read(it)).status).toBe(it.status === 'closing' ? 'closed' : 'sent');
    }
    deliveries.letGo(first);
  });

  test('leaves alone what was answered meanwhile, and sets a timer for its own due time', async () => {
    const stop = startSweepTimers({
      consequences: async () => undefined,
      runs: async () => undefined,
      turns: async () => undefined,
      deliveries: async () => undefined,
    });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await put();
    const second = await write();
    await set(second, { status: 'closing', dueAt: new Date(0) });
    await attempt(second, arrive);
    stop();
    expect(await read(second)).toMatchObject({ status: 'closing', dueAt: new Date(0) });
    expect(timers.mock.calls.filter(([, wait]) => Number(wait) > 80_000 && Number(wait) < 91_000)).toHaveLength(1);
  });
});

describe('a delivery that is refused', () => {
  const waits = async (send: () => Promise<never>, more: Partial<DeliveryRow> = {}) => {
    const stop = startSweepTimers({
      consequences: async () => undefined,
      runs: async () => undefined,
      turns: async () => undefined,
      deliveries: async () => undefined,
    });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const delivery = await write({ conversationId: null });
    await set(delivery, { begun: 1, ...more });
    const told: unknown[] = [];
    await attempt({ ...delivery, ...more }, send, async (error) => void told.push((error as Error).message));
    stop();
    const woken = timers.mock.calls.map(([, wait]) => Number(wait)).filter((wait) => wait >= 1000 && wait !== 10_000);
    return { delivery: await read(delivery), woken, told };
  };

  test('is due at the platform’s time, with a timer for it', async () => {
    const { delivery, woken, told } = await waits(refuse({ retryAfter: 60 }));
    expect(delivery).toMatchObject({ status: 'due', attempts: 1, begun: 0, error: 'refused' });
    expect(await dueIn(delivery)).toBe(60);
    expect(woken.map((wait) => Math.round(wait / (10 * SECOND)) * 10)).toEqual([60]);
    expect(told).toEqual([]);
  });

  test.each([
    ['refused permanently', refuseForGood, 0],
    ['refused too often', refuse({}), 11],
  ])('because it was %s is reported first and not retried', async (_what, send, attempts) => {
    const { delivery, woken, told } = await waits(send, { attempts });
    expect(delivery).toMatchObject({ status: 'failed', attempts: attempts + 1 });
    expect([told, woken]).toEqual([['refused'], []]);
  });

  test('and can’t be reported is retried', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const delivery = await write();
    await attempt(delivery, refuseForGood, () => Promise.reject(new Error('the store is lost')));
    expect(await read(delivery)).toMatchObject({ status: 'due', attempts: 1 });
    expect(error).toHaveBeenCalledTimes(1);
  });

  test('stores five hundred characters of the reason, and changes no other', async () => {
    const [other, delivery] = [await write(), await write({ conversationId: null })];
    await attempt(delivery, () => Promise.reject(new Error('x'.repeat(600))));
    expect((await read(delivery)).error).toBe('x'.repeat(500));
    expect(await read(other)).toMatchObject({ attempts: 0, error: null });
  });

  test('whose failure can’t be stored keeps its claim until that expires, and never throws', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const delivery = await write();
    jest.spyOn(Delivery, 'updateOne').mockRejectedValueOnce(new Error('the store is lost') as never);
    expect(await attempt(delivery, refuse({}))).toBe(true);
    expect(error).toHaveBeenCalledTimes(1);
    expect(await dueIn(delivery)).toBe(30);
    // It is no longer being sent, so it may be claimed when it is due.
    expect(await claim(await read(delivery))).toBe(true);
  });
});

test('a question answered before it was sent is redrawn from the start, in its place', async () => {
  registerChannel(makeChannel().channel);
  const conversation = await openPlace(accountId);
  const ask = async () => {
    const _id = nextNumber();
    const row = makeInterrupt({ _id, accountId, askKey: String(_id), conversationId: conversation._id });
    await inEveryAccount(() => Interrupt.create(row));
    await inEveryAccount(() => prepareQuestion(row, conversation));
    await inEveryAccount(() =>
      Delivery.updateMany(
        { interruptId: _id },
        { $set: { attempts: 5, begun: 2, dueAt: new Date(Date.now() + 90_000) } },
      ),
    );
    return row;
  };
  const [other, row] = [await ask(), await ask()];
  await inEveryAccount(() => closeDeliveries(row));
  const rows = await inEveryAccount(() => Delivery.find({ interruptId: row._id, surface: 'slack' }).lean());
  expect(rows).toMatchObject([{ status: 'closing', attempts: 0, begun: 0 }]);
  expect(await dueIn(rows[0] as DeliveryRow)).toBe(0);
  const others = await inEveryAccount(() => Delivery.find({ interruptId: other._id }).lean());
  for (const it of others) expect(it).toMatchObject({ status: 'due', attempts: 5, begun: 2 });
});

describe('a channel’s task', () => {
  const own = async () => requireRow(await inEveryAccount(() => Delivery.findOne({ accountId }).lean()));

  test('that is interrupted knows how far it came', async () => {
    const { channel } = makeChannel({
      async perform(_at, _given, { keep }) {
        await keep({ begun: true });
        throw Object.assign(new Error('broke off'), { retryAfter: 60 });
      },
    });
    registerChannel(channel);
    const conversation = await openPlace(accountId);
    await inEveryAccount(() => acceptTask(conversation, 'file', {}));
    await eventually(async () => (await own()).attempts === 1, 'the first try');
    expect(await own()).toMatchObject({ status: 'due', reference: { begun: true } });
  });

  test('that has nothing to lose is given up without a notice', async () => {
    registerChannel(makeChannel({ perform: refuseForGood, givenUpText: () => null }).channel);
    const conversation = await openPlace(accountId);
    await inEveryAccount(() => acceptTask(conversation, 'file', {}));
    await eventually(async () => (await own()).status === 'failed', 'the task to be given up');
    expect(await readMessages(accountId)).toEqual([]);
  });
});

test('each channel claims the tasks that it stored', async () => {
  let swept = 0;
  registerChannel(
    makeChannel({
      sweep: async () => {
        swept += 1;
      },
    }).channel,
  );
  await sweepChannels();
  expect(swept).toBe(1);
  registerChannel(makeChannel().channel);
  await sweepChannels();
  expect(swept).toBe(1);
});
