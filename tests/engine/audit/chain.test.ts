/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ensureAccount } from '../../../bot/engine/accounts/createAccount.ts';
import { recordEvent, recordForPerson } from '../../../bot/engine/audit/recordEvent.ts';
import { sealChain, signOldChain, verifyAudit } from '../../../bot/engine/audit/verifyAudit.ts';
import { AuditEvent, type AuditEventRow, auditTrail, GENESIS, hashAuditRow } from '../../../models/auditEvent.ts';
import { AuditHead, sealUntilHead, signRow } from '../../../models/auditHead.ts';
import { auditOfAnswer, Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { announce } from '../../../models/store/revisions.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { addUser, auditOf, join } from '../../factories/members.ts';
import { signAuditWith } from '../../factories/retiredKey.ts';

connectTestStore();

type Person = { user: { id: number; accountId: number } };
/** The owner of a new account, who has signed in. */
async function begin(): Promise<Person> {
  const user = await addUser();
  const accountId = await ensureAccount(user);
  await recordEvent(accountId, 'session.begun', { userId: user._id, subject: `user:${user._id}`, outcome: 'begun' });
  return { user: { id: user._id, accountId } };
}
const verify = ({ user }: Person) => runInAccount(user.accountId, () => verifyAudit(user.accountId));
/** Raw access to the rows, as an attacker with the store but without the keys would have. */
const rowsOf = ({ user }: Person) => AuditEvent.collection.find({ accountId: user.accountId }).sort({ seq: 1 });

describe('an audit chain', () => {
  let person: Person;
  beforeEach(async () => {
    person = await begin();
    const { accountId, id: userId } = person.user;
    const fact = { event: 'test', userId, surface: 'api', subject: 's', shownDigest: null, outcome: 'done' };
    for (const key of ['a', 'b', 'c'])
      await runInAccount(accountId, () => auditTrail.append(accountId, { ...fact, key }));
    expect(await verify(person)).toMatchObject({ whole: true, rows: 5, brokenAt: null, reason: null });
  });

  test.each([1, 2, 4])('that lost its last %d rows names where it ends', async (count) => {
    const { accountId } = person.user;
    await AuditEvent.collection.deleteMany({ accountId, seq: { $gt: 5 - count } });
    expect(await verify(person)).toMatchObject({
      whole: false,
      brokenAt: 6 - count,
      reason: `The chain ends at row ${5 - count} but had 5 rows.`,
    });
  });

  test('that lost all rows is broken, with its head or without', async () => {
    const { accountId } = person.user;
    await AuditEvent.collection.deleteMany({ accountId });
    expect(await verify(person)).toMatchObject({ whole: false, reason: 'The chain ends at row 0 but had 5 rows.' });
    await AuditHead.collection.deleteMany({ accountId });
    expect(await verify(person)).toMatchObject({ whole: false, reason: expect.stringContaining('no rows') });
  });

  test('that lost its head is broken, and no later row repairs it', async () => {
    const { accountId, id: userId } = person.user;
    await AuditHead.collection.deleteMany({ accountId });
    expect(await verify(person)).toMatchObject({ whole: false, reason: 'The signed head of the chain is missing.' });
    const fact = { event: 'test', userId, surface: 'api', subject: 's', shownDigest: null, outcome: 'done' };
    await runInAccount(accountId, () => auditTrail.append(accountId, { ...fact, key: 'later' }));
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(false);
    expect(await verify(person)).toMatchObject({ whole: false, reason: 'The signed head of the chain is missing.' });
  });

  test('that lost its head and its first signature is not signed again on the operator’s command', async () => {
    const { accountId } = person.user;
    await AuditHead.collection.deleteMany({ accountId });
    await AuditEvent.collection.updateOne({ accountId, seq: 1 }, { $unset: { signature: '' } });
    expect((await verify(person)).reason).toBe('The signed head of the chain is missing.');
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(false);
  });

  test('rewritten without the key is broken at its first row', async () => {
    const rows = await rowsOf(person).toArray();
    let prevHash = GENESIS;
    for (const row of rows) {
      const forged = { ...row, outcome: row.seq === 4 ? 'forged' : row.outcome, prevHash } as never;
      const hash = hashAuditRow(forged);
      await AuditEvent.collection.updateOne(
        { _id: row._id },
        { $set: { outcome: (forged as { outcome: string }).outcome, prevHash, hash } },
      );
      prevHash = hash;
    }
    expect(await verify(person)).toMatchObject({
      whole: false,
      brokenAt: 4,
      reason: expect.stringContaining('signed'),
    });
  });

  test.each([
    ['event', 'forged'],
    ['userId', null],
    ['surface', 'forged'],
    ['subject', 'forged'],
    ['shownDigest', 'f'.repeat(64)],
    ['outcome', 'forged'],
    ['at', new Date(0)],
    ['key', 'forged'],
    ['prevHash', 'f'.repeat(64)],
    ['hash', 'f'.repeat(64)],
    ['signature', 'f'.repeat(64)],
    ['signature', 'é'.repeat(64)],
    ['signature', null],
  ])('with a row whose %s was changed is broken at that row', async (field, value) => {
    const { accountId } = person.user;
    await AuditEvent.collection.updateOne({ accountId, seq: 4 }, { $set: { [field]: value } });
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 4 });
  });

  test('that lost a row in the middle, or contains another chain’s row, names where', async () => {
    const { accountId } = person.user;
    const [third] = await AuditEvent.collection.find({ accountId, seq: 3 }).toArray();
    await AuditEvent.collection.deleteOne({ accountId, seq: 3 });
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 4 });
    const other = await begin();
    const [theirs] = await rowsOf(other).toArray();
    await AuditEvent.collection.insertOne({ ...theirs, _id: third?._id, accountId, seq: 3, key: 'theirs' } as never);
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 3 });
  });

  test('with a row from another history of itself is broken after it, although the server signed that row', async () => {
    const { accountId } = person.user;
    const row = (await rowsOf(person).toArray())[3] as AuditEventRow;
    const other = { ...row, outcome: 'as a copy of the store went on' };
    const hash = hashAuditRow(other);
    const signature = signRow({ ...other, hash });
    await AuditEvent.collection.replaceOne({ accountId, seq: 4 }, { ...other, hash, signature } as never);
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 5 });
    await AuditEvent.collection.updateOne({ accountId, seq: 5 }, { $set: { prevHash: hash } });
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 5 });
  });

  test('whose last row is from another history does not match its signed head', async () => {
    const { accountId } = person.user;
    const last = (await rowsOf(person).toArray())[4] as AuditEventRow;
    const other = { ...last, outcome: 'as a copy of the store went on' };
    const hash = hashAuditRow(other);
    const signature = signRow({ ...other, hash });
    await AuditEvent.collection.replaceOne({ accountId, seq: 5 }, { ...other, hash, signature } as never);
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 5, reason: expect.stringContaining('head') });
  });

  test('that the server restarted after all rows were removed is broken at its start', async () => {
    const { accountId, id: userId } = person.user;
    await AuditEvent.collection.deleteMany({ accountId });
    announce(accountId, ['account'], false);
    const fact = { event: 'test', userId, surface: 'api', subject: 's', shownDigest: null, outcome: 'done' };
    for (const key of ['1', '2', '3', '4', '5', '6'])
      await runInAccount(accountId, () => auditTrail.append(accountId, { ...fact, key }));
    expect(await verify(person)).toMatchObject({
      whole: false,
      brokenAt: 1,
      reason: 'The chain does not begin with the account.',
    });
  });

  test('whose head was set back to an existing row is not signed', async () => {
    const { accountId } = person.user;
    const third = (await rowsOf(person).toArray())[2];
    await AuditEvent.collection.deleteMany({ accountId, seq: { $gt: 3 } });
    await AuditHead.collection.updateOne({ accountId }, { $set: { seq: 3, hash: third?.hash } });
    expect(await verify(person)).toMatchObject({
      whole: false,
      reason: expect.stringContaining('The head of the chain'),
    });
  });

  test('with another account’s signed head is not signed', async () => {
    const other = await begin();
    const [head] = await AuditHead.collection.find({ accountId: other.user.accountId }).toArray();
    const { accountId } = person.user;
    await AuditHead.collection.updateOne(
      { accountId },
      { $set: { seq: head?.seq, hash: head?.hash, signature: head?.signature } },
    );
    expect(await verify(person)).toMatchObject({
      whole: false,
      reason: expect.stringContaining('The head of the chain'),
    });
  });

  test('of a version without signatures is signed once, as it is, on the operator’s command', async () => {
    const { accountId } = person.user;
    await AuditHead.collection.deleteMany({ accountId });
    const rows = await rowsOf(person).toArray();
    await AuditEvent.collection.deleteMany({ accountId });
    let prevHash = GENESIS;
    for (const { signature: _, ...row } of rows.slice(2)) {
      const old = { ...row, seq: row.seq - 2, prevHash, hash: '' };
      old.hash = hashAuditRow(old as never);
      prevHash = old.hash;
      await AuditEvent.collection.insertOne(old as never);
    }
    announce(accountId, ['account'], false);
    expect(await verify(person)).toMatchObject({ whole: false, reason: expect.stringContaining('--sign-old') });
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(true);
    expect(await verify(person)).toMatchObject({ whole: true, rows: 3 });
    expect(await runInAccount(accountId, () => signOldChain(accountId))).toBe(false);
    // From here on the rows are signed, and missing ones are noticed.
    await recordEvent(accountId, 'session.ended', { userId: person.user.id, subject: 's', outcome: 'done' });
    await AuditEvent.collection.deleteOne({ accountId, seq: 4 });
    expect(await runInAccount(accountId, async () => verifyAudit(accountId))).toMatchObject({
      whole: false,
      brokenAt: 4,
    });
  });

  test('with a gap in its numbers is broken after it, although the server signed every row', async () => {
    const { accountId } = person.user;
    const last = (await rowsOf(person).toArray())[4] as AuditEventRow;
    const moved = { ...last, seq: 6 };
    const hash = hashAuditRow(moved);
    await AuditEvent.collection.deleteOne({ accountId, seq: 5 });
    await AuditEvent.collection.insertOne({ ...moved, hash, signature: signRow({ ...moved, hash }) } as never);
    expect(await verify(person)).toMatchObject({ whole: false, rows: 4, brokenAt: 6 });
  });

  test('without a head that does not start with the account is reported to have lost its head', async () => {
    const { accountId } = person.user;
    await AuditEvent.collection.deleteMany({ accountId, seq: { $gt: 1 } });
    await AuditHead.collection.deleteMany({ accountId });
    const [first] = (await rowsOf(person).toArray()) as [AuditEventRow];
    const other = { ...first, event: 'test' };
    const hash = hashAuditRow(other);
    await AuditEvent.collection.replaceOne({ accountId }, {
      ...other,
      hash,
      signature: signRow({ ...other, hash }),
    } as never);
    expect(await verify(person)).toMatchObject({ rows: 1, reason: 'The signed head of the chain is missing.' });
  });

  test('that is empty and was never signed can be signed, and has no rows', async () => {
    const accountId = nextNumber();
    const sign = () => runInAccount(accountId, () => signOldChain(accountId));
    expect([await sign(), await sign()]).toEqual([true, false]);
    expect(await runInAccount(accountId, () => verifyAudit(accountId))).toEqual({
      whole: true,
      rows: 0,
      head: null,
      brokenAt: null,
      reason: null,
      needsRetired: false,
    });
  });
});

describe('an audit event', () => {
  test('is recorded with its actor, a person or a command, and once per key', async () => {
    const { user } = await begin();
    const record = (change: object) =>
      recordEvent(user.accountId, 'file.exported', { userId: user.id, subject: 's', outcome: 'o', ...change });
    await record({ key: 'one', shownDigest: 'd' });
    await record({ key: 'one' });
    await record({});
    await record({ userId: null });
    const rows = await rowsOf({ user }).skip(2).toArray();
    expect(rows.map(({ key, userId, surface, shownDigest }) => [key, userId, surface, shownDigest])).toEqual([
      ['file.exported:one', user.id, 'api', 'd'],
      [expect.stringMatching(/^file\.exported:[0-9a-f-]{36}$/), user.id, 'api', null],
      [expect.stringMatching(/^file\.exported:[0-9a-f-]{36}$/), null, 'command', null],
    ]);
  });

  test('of a person is recorded in each of their accounts, and in no other', async () => {
    const [one, other, third] = [await begin(), await begin(), await begin()];
    await join({ _id: one.user.id }, other.user.accountId);
    await recordForPerson(one.user.id, 'administrator.granted', { userId: null, outcome: 'granted' });
    const last = async ({ user }: Person) => (await auditOf(user.accountId)).at(-1);
    for (const person of [one, other])
      expect(await last(person)).toBe(`administrator.granted by command: user:${one.user.id} granted`);
    expect(await last(third)).toContain('session.begun');
  });
});

describe('answers', () => {
  const answer = async ({ user }: Person, change: Partial<InterruptRow> = {}, isRecorded = true) => {
    const { accountId, id: userId } = user;
    const resolution = { outcome: 'approved', via: 'inbox', by: { userId, name: 'Ada' }, at: new Date() };
    const row = makeInterrupt({ _id: nextNumber(), accountId, askKey: String(nextNumber()), answerDigest: 'd' });
    Object.assign(row, { status: 'resolved', resolution, ...change });
    await runInAccount(accountId, () => Interrupt.create(row as never));
    const fact = { event: 'interrupt.answered', userId, surface: 'api', subject: 's', shownDigest: null };
    if (isRecorded)
      await runInAccount(accountId, () => auditTrail.append(accountId, { ...fact, ...auditOfAnswer(row) }));
    return row._id;
  };
  const differing = (id: number) => ({
    whole: false,
    brokenAt: null,
    reason: `Question ${id} has an answer that differs from the chain.`,
  });

  test('are each in the chain as they were given', async () => {
    const person = await begin();
    const first = await answer(person);
    await answer(person);
    // An open or withdrawn question, or another account's, has no answer.
    await answer(person, { status: 'pending', resolution: null }, false);
    await answer(person, { status: 'cancelled' }, false);
    await answer(await begin(), {}, false);
    expect(await verify(person)).toMatchObject({ whole: true, rows: 4 });
    await Interrupt.collection.updateOne({ _id: first as never }, { $set: { answerDigest: 'other' } });
    expect(await verify(person)).toMatchObject(differing(first));
  });

  test('may wait to be written to the chain; otherwise a missing one is reported', async () => {
    const person = await begin();
    await answer(person, { outbox: ['audit', 'resume'] }, false);
    expect(await verify(person)).toMatchObject({ whole: true });
    const missing = await answer(person, { outbox: ['resume'] }, false);
    expect(await verify(person)).toMatchObject(differing(missing));
  });

  test('that differ from the chain are reported, whatever is still to be written', async () => {
    const person = await begin();
    const id = await answer(person, { outbox: ['audit'] });
    await Interrupt.collection.updateOne({ _id: id as never }, { $set: { answerDigest: 'other' } });
    expect(await verify(person)).toMatchObject(differing(id));
    // The same outcome of another question, or another event of this one, does not count.
    const { accountId, id: userId } = person.user;
    const fact = { userId, surface: 'api', subject: 's', shownDigest: null, outcome: 'approved:other' };
    await runInAccount(accountId, () =>
      auditTrail.append(accountId, { ...fact, key: 'x', event: 'interrupt.answered' }),
    );
    expect(await verify(person)).toMatchObject(differing(id));
  });
});

describe('a chain that was written with a key that is retired by now', () => {
  let person: Person;
  const seal = () => runInAccount(person.user.accountId, () => sealChain(person.user.accountId));
  /** Signs rows and head anew, as a server with another key did. */
  async function signAs(key?: string, until = 100) {
    const { accountId } = person.user;
    for (const { _id, seq, hash } of await rowsOf(person).toArray())
      if (seq <= until)
        await AuditEvent.collection.updateOne(
          { _id },
          { $set: { signature: signAuditWith(['row', accountId, seq, hash], key) } },
        );
    const { seq, hash } = (await AuditHead.collection.findOne({ accountId })) as never as { seq: number; hash: string };
    const signature = signAuditWith(['head', accountId, seq, hash, 0], key);
    await AuditHead.collection.updateOne({ accountId }, { $set: { signature } });
  }
  const headOf = () => inAccount(() => AuditHead.findOne({ accountId: person.user.accountId }).lean());
  const inAccount = <T>(work: () => Promise<T>) => runInAccount(person.user.accountId, work);
  const append = () =>
    recordEvent(person.user.accountId, 'session.begun', { userId: 1, subject: 'user:1', outcome: 'begun' });
  beforeEach(async () => {
    person = await begin();
  });

  test('is whole, goes on under the current key, and needs the retired one until it is sealed', async () => {
    expect((await verify(person)).needsRetired).toBe(false);
    await signAs();
    expect(await verify(person)).toMatchObject({ whole: true, rows: 2, needsRetired: true });
    await append();
    expect(await verify(person)).toMatchObject({ whole: true, rows: 3, needsRetired: true });
    expect(await seal()).toBe('sealed');
    expect(await verify(person)).toMatchObject({ whole: true, rows: 4, needsRetired: false });
    // As on a server that has the retired key no longer.
    await signAs('cd'.repeat(32), 3);
    expect(await headOf()).toMatchObject({ seq: 4 });
    expect(await seal()).toMatchObject({ reason: 'The head of the chain is not signed with this server’s key.' });
  });

  test('is bound by its hashes once it is sealed: a changed or missing row is found', async () => {
    await signAs();
    expect(await seal()).toBe('sealed');
    await append();
    const { accountId } = person.user;
    const unsign = { $set: { signature: 'unknown' } };
    await AuditEvent.collection.updateMany({ accountId, seq: { $lte: 3 } }, unsign);
    expect(await verify(person)).toMatchObject({ whole: true, rows: 4, needsRetired: false });
    expect(await seal()).toBe('current');
    await AuditEvent.collection.updateOne({ accountId, seq: 2 }, { $set: { outcome: 'forged' } });
    expect(await verify(person)).toMatchObject({ whole: false, brokenAt: 2 });
  });

  test('is not sealed where it is not whole, or is signed with a key that this server never had', async () => {
    await signAs('cd'.repeat(32));
    expect(await seal()).toMatchObject({ reason: expect.stringContaining('not signed with this server’s key') });
    await signAs();
    await AuditEvent.collection.updateOne(
      { accountId: person.user.accountId, seq: 1 },
      { $set: { outcome: 'forged' } },
    );
    expect(await seal()).toMatchObject({ reason: 'Row 1 does not follow the one before it.' });
    expect((await headOf())?.unsignedUntil).toBe(0);
  });

  test('is sealed only up to the head that was read', async () => {
    await signAs();
    await append();
    const head = requireRow(await headOf());
    await append();
    expect(await inAccount(() => sealUntilHead(head))).toBe(false);
  });
});
