/** @environment store */
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { ensureAccount } from '../../../bot/engine/accounts/createAccount.ts';
import { erase, planErasure } from '../../../bot/engine/accounts/eraseAccount.ts';
import { exportAccount } from '../../../bot/engine/accounts/exportAccount.ts';
import { Account } from '../../../models/account.ts';
import { AuditHead } from '../../../models/auditHead.ts';
import { TOPICS } from '../../../models/contracts/realtime.ts';
import { keepFile } from '../../../models/files.ts';
import { Invitation } from '../../../models/invitation.ts';
import { Member, type Role } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Subscription } from '../../../models/subscription.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { Verification } from '../../../models/verification.ts';
import { codeOf, connectTestStore, nextNumber } from '../../factories/account.ts';
import { addUser, auditOf, collectChanges, join, newEmail } from '../../factories/members.ts';

connectTestStore();
const heard = collectChanges();

const subscriptionOf = (accountId: number) => runInAccount(accountId, () => Subscription.findOne({}).lean());
/** An account with an owner of its own. */
async function found(): Promise<{ owner: UserRow; accountId: number }> {
  const owner = await addUser({ lastName: 'Okafor' });
  return { owner, accountId: await ensureAccount(owner) };
}
async function bring(accountId: number, roles: Role[]): Promise<UserRow> {
  const user = await addUser({ firstName: 'Ben', lastName: 'Hughes' });
  await join(user, accountId, roles);
  return user;
}

describe('a preview of erasing a person', () => {
  test('lists the accounts that only they own, with members, and elsewhere only the person', async () => {
    const { owner, accountId } = await found();
    await bring(accountId, ['member', 'deputy']);
    await bring(accountId, ['approver']);
    const shared = (await found()).accountId;
    await join(owner, shared, ['owner']);
    const joined = (await found()).accountId;
    await join(owner, joined, ['member']);
    const plan = await planErasure(` ${owner.email.toUpperCase()} `);
    expect({ ...plan, user: plan.user._id }).toEqual({
      user: owner._id,
      whole: [accountId],
      only: [shared, joined],
      others: 2,
    });
    expect(await codeOf(planErasure(newEmail()))).toBe('not_found');
  });

  test('lists no account that they do not own, even if it has no owner', async () => {
    const accountId = nextNumber();
    const ben = await bring(accountId, ['member']);
    await bring(accountId, ['member']);
    expect(await planErasure(ben.email)).toMatchObject({ whole: [], only: [accountId], others: 0 });
  });
});

describe('erasure', () => {
  test('of an owner removes the account, and keeps its audit chain and a name that says it was erased', async () => {
    const [{ owner, accountId }, other] = [await found(), await found()];
    await bring(accountId, ['member']);
    await Account.updateOne(
      { _id: accountId },
      {
        $set: { quietHours: { from: '18:00', to: '08:00' }, clinicalSafetyOfficer: { userId: owner._id, name: 'Ada' } },
      },
    );
    heard.length = 0;
    // Two members, the subscription, the sign-up credits and two switches; and the user.
    expect(await erase(await planErasure(owner.email))).toBe(7);
    // Nobody is a member any more, then everything is gone.
    expect(heard).toEqual([`${accountId} account`, `${accountId} ${TOPICS.join()}`]);
    expect(await Member.countDocuments({ accountId })).toBe(0);
    expect(await subscriptionOf(accountId)).toBeNull();
    expect(await User.findById(owner._id).lean()).toBeNull();
    expect(await Account.findById(accountId).lean()).toMatchObject({
      name: 'Erased account',
      quietHours: null,
      clinicalSafetyOfficer: null,
    });
    expect(await auditOf(accountId)).toEqual([
      `account.created by ${owner._id}: account:${accountId} created`,
      `account.erased by ${owner._id}: user:${owner._id} erased`,
    ]);
    expect(await runInAccount(accountId, () => AuditHead.countDocuments({}))).toBe(1);
    expect(await subscriptionOf(other.accountId)).not.toBeNull();
    expect(await auditOf(other.accountId)).toHaveLength(1);
  });

  test('of a member removes only them: the account stays, and so does its officer if that is somebody else', async () => {
    const { owner, accountId } = await found();
    const [ben, cara] = [await bring(accountId, ['member']), await bring(accountId, ['clinical-safety-officer'])];
    await Account.updateOne(
      { _id: accountId },
      { $set: { clinicalSafetyOfficer: { userId: cara._id, name: 'Cara' } } },
    );
    const officer = async () => (await Account.findById(accountId).lean())?.clinicalSafetyOfficer;
    heard.length = 0;
    // The membership and the user.
    expect(await erase(await planErasure(ben.email))).toBe(2);
    expect(heard).toEqual([`${accountId} ${TOPICS.join()}`]);
    expect(await officer()).toMatchObject({ userId: cara._id });
    await erase(await planErasure(cara.email));
    expect(await officer()).toBeNull();
    expect((await Member.find({ accountId }).lean()).map(({ userId }) => userId)).toEqual([owner._id]);
    expect((await auditOf(accountId)).slice(1)).toEqual([
      `person.erased by ${ben._id}: user:${ben._id} erased`,
      `person.erased by ${cara._id}: user:${cara._id} erased`,
    ]);
    expect((await Account.findById(accountId).lean())?.name).toBe('Ada’s company');
    expect(await subscriptionOf(accountId)).not.toBeNull();
  });

  test('replaces the person’s name without inserting another one', async () => {
    const { accountId } = await found();
    const ben = await bring(accountId, ['member']);
    const turns = mongoose.connection.collection('turns');
    for (const userId of [ben._id, 1])
      await turns.insertOne({ accountId, eventId: `said-${userId}`, speaker: { userId, name: 'Ben Hughes' } });
    await erase(await planErasure(ben.email));
    const names = (await turns.find({ accountId }).toArray()).map(({ speaker }) => speaker.name);
    expect(names).toEqual(['Erased person', 'Ben Hughes']);
  });

  test('removes the invitations and codes for the person’s address, from any account', async () => {
    const ben = await addUser();
    // Rows past their time are removed by the store itself.
    const expiresAt = new Date(Date.now() + 3_600_000);
    for (const email of [ben.email, newEmail()]) {
      const row = {
        _id: new Types.ObjectId(),
        accountId: nextNumber(),
        email,
        tokenHash: email,
        expiresAt,
      };
      await Invitation.create(row as never);
      await Verification.create({ purpose: 'reset', email, codeHash: 'hash', expiresAt } as never);
    }
    // An invitation, a code and the user.
    expect(await erase(await planErasure(ben.email))).toBe(3);
    expect(await Invitation.countDocuments({ email: ben.email })).toBe(0);
    expect(await Verification.countDocuments({ email: ben.email })).toBe(0);
    expect(await Invitation.countDocuments({})).toBe(1);
    expect(await Verification.countDocuments({})).toBe(1);
  });
});

describe('a person’s data export', () => {
  type Line = Record<string, never> & { collection?: string; document?: Record<string, unknown> };
  const linesOf = async (email: string): Promise<Line[]> =>
    (await Readable.from(exportAccount(email)).toArray()).map((line) => JSON.parse(line));
  const store = (name: string, row: object) => mongoose.connection.collection(name).insertOne(row);

  test('starts with whose data it is, and contains each account’s documents after the state of its audit chain', async () => {
    const { owner, accountId } = await found();
    const second = await found();
    await join(owner, second.accountId, ['member']);
    await found();
    const [head, user, ...rest] = await linesOf(` ${owner.email.toUpperCase()}`);
    expect(head).toEqual({
      format: 'arc-account',
      version: 1,
      email: owner.email,
      accounts: [accountId, second.accountId],
      exportedAt: expect.anything(),
    });
    expect(user).toMatchObject({ collection: 'users', document: { email: owner.email } });
    const chain = { auditHead: expect.stringMatching(/^[0-9a-f]{64}$/), auditRows: 1, auditWhole: true };
    expect(rest.filter((line) => 'account' in line)).toEqual([
      { account: accountId, ...chain },
      { account: second.accountId, ...chain },
    ]);
    const documents = rest.filter(({ collection }) => collection === 'subscriptions');
    expect(documents.map(({ document }) => document?.accountId)).toEqual([accountId, second.accountId]);
    await expect(linesOf(newEmail())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('says that an account has no audit chain yet', async () => {
    const ben = await bring(nextNumber(), ['owner']);
    expect((await linesOf(ben.email))[2]).toMatchObject({ auditHead: null, auditRows: 0, auditWhole: false });
  });

  test('contains the bytes of stored files', async () => {
    const { owner, accountId } = await found();
    const keep = (name: string, kind: 'document' | 'export') =>
      runInAccount(accountId, () =>
        keepFile({ accountId, name, kind, key: name, type: 'text/plain', bytes: Buffer.from(name) }),
      );
    const [kept, expired, removed] = [
      await keep('a.txt', 'document'),
      await keep('b', 'export'),
      await keep('c', 'export'),
    ];
    const change = (_id: unknown, $set: object) =>
      mongoose.connection.collection('storedFiles').updateOne({ _id: _id as never }, { $set });
    await change(expired._id, { expiresAt: new Date(0) });
    await change(removed._id, { removed: true });
    const lines = await linesOf(owner.email);
    expect(lines.filter(({ collection }) => collection === 'storedFiles')).toHaveLength(3);
    expect(lines.filter((line) => 'base64' in line)).toEqual([
      { file: String(kept._id), name: 'a.txt', base64: Buffer.from('a.txt').toString('base64') },
    ]);
  });

  test('contains no secrets and no short-lived data', async () => {
    const { owner, accountId } = await found();
    await User.updateOne({ _id: owner._id }, { $set: { passwordHash: 'secret-1' } });
    for (const name of ['signals', 'oauthStates', 'sessions'])
      await store(name, { accountId, session: { accountId }, text: 'secret-2' });
    const sealed = { keyId: 'k', nonce: 'n', tag: 't', text: 'secret-3' };
    await store('things', {
      accountId,
      plain: 'open',
      none: null,
      list: [sealed, { token: 'secret-4', kept: 1 }, 'open too'],
      within: { deep: sealed, codeHash: 'secret-5', tokenHash: '', verifier: 'secret-6' },
      partly: { keyId: 'k', nonce: 'n' },
      other: { nonce: 'n', tag: 't' },
      at: new Date(0),
    });
    const lines = await linesOf(owner.email);
    expect(JSON.stringify(lines)).not.toMatch(/secret-\d/);
    expect(lines[1]?.document?.passwordHash).toBe('[withheld]');
    expect(lines.find(({ collection }) => collection === 'things')?.document).toMatchObject({
      plain: 'open',
      none: null,
      list: ['[withheld]', { token: '[withheld]', kept: 1 }, 'open too'],
      within: { deep: '[withheld]', codeHash: '[withheld]', tokenHash: '', verifier: '[withheld]' },
      partly: { keyId: 'k', nonce: 'n' },
      other: { nonce: 'n', tag: 't' },
      at: { $date: '1970-01-01T00:00:00Z' },
    });
    const names = new Set(lines.map(({ collection }) => collection));
    for (const name of ['signals', 'oauthStates', 'sessions']) expect(names).not.toContain(name);
  });
});
