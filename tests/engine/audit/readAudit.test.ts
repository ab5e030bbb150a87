/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readAudit } from '../../../bot/engine/audit/readAudit.ts';
import { registerSubjects } from '../../../bot/engine/audit/subjectNames.ts';
import { auditTrail } from '../../../models/auditEvent.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { User } from '../../../models/user.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';

connectTestStore();

let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

type Fact = { event: string; userId?: number | null; subject?: string; outcome?: string; at?: Date };
const append = (fact: Fact, account = accountId) =>
  runInAccount(account, () =>
    auditTrail.append(account, {
      key: `k:${nextNumber()}`,
      userId: null,
      surface: 'api',
      subject: 'account:1',
      shownDigest: null,
      outcome: 'done',
      ...fact,
    }),
  );
const read = async (wanted: Partial<Parameters<typeof readAudit>[1]> = {}, zone = 'Europe/London') => {
  const { rows, next } = await runInAccount(accountId, () => readAudit(accountId, { limit: 50, ...wanted }, zone));
  return { rows, next, events: rows.map(({ event }) => event) };
};

test('what a row was done to is named by whoever brings its kind, in this account alone', async () => {
  const asked: unknown[] = [];
  registerSubjects('widget', async (account, ids) => {
    asked.push([account, ids]);
    return new Map([['2:b', { text: 'Second widget', path: '/widgets/2' }]]);
  });
  await append({ event: 'account.created' });
  for (const subject of ['widget:1', 'widget:2:b', 'widget:2:b', 'widgets:2:b'])
    await append({ event: 'file.exported', subject });
  const { rows } = await read();
  expect(rows.map(({ subjectName }) => subjectName?.text ?? null)).toEqual([
    null,
    'Second widget',
    'Second widget',
    null,
    null,
  ]);
  expect(rows[1]?.subjectName?.path).toBe('/widgets/2');
  expect(asked).toEqual([[accountId, ['2:b', '1']]]);
});

test('a search finds people by their name: what they did, and what was done to them', async () => {
  const person = async (firstName: string, lastName: string) => {
    const _id = nextNumber();
    await User.create({ _id, email: `${_id}@example.org`, emailVerified: true, firstName, lastName });
    await Member.create({ accountId, userId: _id, roles: ['member'] });
    return _id;
  };
  const [ada, ben] = [await person('Ada', 'Okafor'), await person('Ben', 'Roe')];
  await append({ event: 'session.begun', userId: ada });
  await append({ event: 'member.removed', userId: ada, subject: `user:${ben}` });
  await append({ event: 'interrupt.escalated', outcome: `to user:${ada} user:${ben}` });
  await append({ event: 'session.ended', userId: ben });
  const found = async (search: string) => (await read({ search })).events;
  expect(await found('ada OKAFOR')).toEqual(['interrupt.escalated', 'member.removed', 'session.begun']);
  expect(await found('ben')).toEqual(['session.ended', 'interrupt.escalated', 'member.removed']);
  expect(await found('nobody here')).toEqual([]);
});

describe('the audit chain is read', () => {
  test('newest first, in pages, until its first row', async () => {
    for (const event of ['account.created', 'session.begun', 'session.ended']) await append({ event });
    const first = await read({ limit: 2 });
    expect([first.events, first.next]).toEqual([['session.ended', 'session.begun'], 2]);
    const second = await read({ limit: 2, before: 2 });
    expect([second.events, second.next]).toEqual([['account.created'], null]);
    // Exactly as many as the limit, and the first row among them: nothing follows.
    expect((await read({ limit: 3 })).next).toBeNull();
  });

  test('of one account alone', async () => {
    const other = nextNumber();
    await append({ event: 'account.created' });
    await append({ event: 'plan.set' }, other);
    expect((await read()).events).toEqual(['account.created']);
  });

  test.each([
    ['answers', ['interrupt.answered']],
    ['people', ['member.left', 'account.created']],
    ['sign-ins', ['password.changed', 'session.begun']],
    ['agents', ['server-tool.switched', 'agent.let-go']],
    ['settings', ['plan.set']],
    ['work', ['file.exported']],
  ] as const)('by kind: %s', async (kind, wanted) => {
    const all = ['account.created', 'session.begun', 'interrupt.answered', 'agent.let-go', 'server-tool.switched'];
    for (const event of [...all, 'plan.set', 'file.exported', 'password.changed', 'member.left'])
      await append({ event });
    expect((await read({ kind })).events).toEqual(wanted);
  });

  test('by person, with their names; one who is gone has none', async () => {
    const [ada, gone] = [nextNumber(), nextNumber()];
    await User.create({ _id: ada, email: `${ada}@example.org`, firstName: 'Ada', lastName: 'Okafor' });
    await append({ event: 'account.created', userId: ada });
    await append({ event: 'session.begun', userId: gone });
    expect((await read({ userId: ada })).rows.map(({ userName }) => userName)).toEqual(['Ada Okafor']);
    expect((await read({ userId: gone })).rows.map(({ userName }) => userName)).toEqual([null]);
  });

  test('by day in the company’s zone, both days included', async () => {
    // 23:30 in UTC is the next day in London's summer.
    for (const at of ['2026-06-01T22:59:00Z', '2026-06-01T23:30:00Z', '2026-06-02T22:59:59Z', '2026-06-02T23:00:00Z'])
      await append({ event: 'session.begun', outcome: at, at: new Date(at) });
    const outcomes = async (wanted: object, zone?: string) =>
      (await read(wanted, zone)).rows.map(({ outcome }) => outcome.slice(8, 16));
    expect(await outcomes({ from: '2026-06-02', to: '2026-06-02' })).toEqual(['02T22:59', '01T23:30']);
    expect(await outcomes({ from: '2026-06-02' }, 'UTC')).toEqual(['02T23:00', '02T22:59']);
    expect(await outcomes({ to: '2026-06-01' }, 'Pacific/Kiritimati')).toEqual([]);
    expect(await outcomes({ to: '2026-06-01' }, 'Pacific/Pago_Pago')).toEqual(['01T23:30', '01T22:59']);
  });

  test('by words of event, subject or outcome, in any case, as text and not as a pattern', async () => {
    await append({ event: 'account.created' });
    await append({ event: 'interrupt.answered', subject: 'interrupt:12', outcome: 'Approved:ab' });
    await append({ event: 'interrupt.answered', subject: 'interrupt:13', outcome: 'rejected:ab' });
    expect((await read({ search: 'INTERRUPT:12' })).events).toHaveLength(1);
    expect((await read({ search: 'approved' })).events).toHaveLength(1);
    expect((await read({ search: 'answered' })).events).toHaveLength(2);
    expect((await read({ search: '.*' })).events).toEqual([]);
  });
});
