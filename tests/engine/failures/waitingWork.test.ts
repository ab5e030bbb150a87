/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { tryDelivery, writeDelivery } from '../../../bot/engine/delivery/outbox.ts';
import { PermanentError } from '../../../bot/engine/delivery/permanentError.ts';
import { readWaitingWork } from '../../../bot/engine/failures/waitingWork.ts';
import { saveRun } from '../../../bot/engine/workflows/saveRun.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { type Counted, readCounts } from '../../../models/metrics.ts';
import { Run } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { makeRun } from '../../factories/runs.ts';

connectTestStore();

const NOW = new Date('2026-11-26T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const idAt = (at: Date) => Types.ObjectId.createFromTime(at.getTime() / 1000);

test('the work of every company that is not done is counted by kind, with the age of the oldest', async () => {
  for (const entity of [Turn, Run, Delivery, Interrupt]) await entity.collection.deleteMany({});
  const [one, other] = [nextNumber(), nextNumber()];
  const turn = (accountId: number, status: string, seconds: number) => ({
    ...{ accountId, status, createdAt: ago(seconds), channel: 'arc', eventId: String(nextNumber()) },
  });
  await Turn.collection.insertMany([
    turn(one, 'stored', 60),
    turn(other, 'stored', 90),
    turn(one, 'done', 900),
    turn(one, 'failed', 900),
  ] as never[]);
  const run = (accountId: number, status: 'ready' | 'waiting', seconds: number) =>
    makeRun({ _id: idAt(ago(seconds)), accountId, status, startKey: String(nextNumber()) });
  await Run.collection.insertMany([run(one, 'ready', 5), run(other, 'ready', 7), run(one, 'waiting', 99)] as never[]);
  const delivery = (status: string, seconds: number) => ({
    ...{ _id: idAt(ago(seconds)), accountId: one, status, key: String(nextNumber()) },
  });
  await Delivery.collection.insertMany([
    delivery('due', 3),
    delivery('closing', 4),
    delivery('sent', 98),
    delivery('failed', 99),
    delivery('failed', 9),
  ] as never[]);
  const answer = (status: string, more: object) => ({
    ...makeInterrupt({ _id: nextNumber(), accountId: one, askKey: String(nextNumber()) }),
    ...{ status, resolvedAt: ago(30) },
    ...more,
  });
  await Interrupt.collection.insertMany([
    answer('resolved', { outbox: ['audit'] }),
    answer('resolved', { outbox: [], setAside: ['resume'] }),
    answer('pending', {}),
  ] as never[]);
  expect(await readWaitingWork(NOW)).toEqual([
    { kind: 'turns', waiting: 2, oldestSeconds: 90, givenUp: 1 },
    { kind: 'runs', waiting: 2, oldestSeconds: 7, givenUp: 0 },
    { kind: 'deliveries', waiting: 2, oldestSeconds: 4, givenUp: 2 },
    { kind: 'consequences', waiting: 1, oldestSeconds: 30, givenUp: 1 },
    { kind: 'syncs', waiting: 0, oldestSeconds: 0, givenUp: 0 },
    { kind: 'exports', waiting: 0, oldestSeconds: 0, givenUp: 0 },
  ]);
});

test('deliveries are counted by surface and outcome, and a run that another process took as a lost lease', async () => {
  const accountId = nextNumber();
  const send = (key: string, how: () => Promise<null>) =>
    runInAccount(accountId, async () => {
      const row = (await writeDelivery({ accountId, surface: 'teams', key })) as DeliveryRow;
      await tryDelivery(row, how);
    });
  // Other tests of this process count too.
  const since = (event: Counted) => {
    const before = new Map(readCounts(event).map(({ values, count }) => [values.join(), count]));
    return () =>
      readCounts(event)
        .map(({ values, count }) => [values.join(), count - (before.get(values.join()) ?? 0)] as const)
        .filter(([, count]) => count > 0);
  };
  const [sent, lost] = [since('deliveries'), since('leases_lost')];
  await send('a', async () => null);
  await send('b', () => Promise.reject(new Error('later')));
  await send('c', () => Promise.reject(new PermanentError('never')));
  expect(Object.fromEntries(sent())).toEqual({ 'teams,sent': 1, 'teams,failed': 1, 'teams,given_up': 1 });
  const run = makeRun({ accountId, status: 'ready', version: 3 });
  await runInAccount(accountId, () => Run.create(run));
  const save = (version: number) => runInAccount(accountId, () => saveRun({ ...run, version }, { step: 'two' }));
  expect([await save(3), lost()]).toEqual([expect.objectContaining({ version: 4 }), []]);
  expect([await save(3), lost()]).toEqual([null, [['', 1]]]);
});
