/** @environment store */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  changeJob,
  createJob,
  deleteJob,
  findJobFor,
  listJobs,
  recomputeNextRuns,
} from '../../../bot/engine/automation/jobs.ts';
import { startDueJobs } from '../../../bot/engine/automation/startDueJobs.ts';
import { Account } from '../../../models/account.ts';
import { AutomationJob, type AutomationJobRow } from '../../../models/automationJob.ts';
import { findSchedule } from '../../../models/contracts/catalogue.ts';
import type { Schedule } from '../../../models/contracts/catalogueAgent.ts';
import { nextId } from '../../../models/counter.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { User } from '../../../models/user.ts';
import { codeOf, connectTestStore, giveTrial, makeWho } from '../../factories/account.ts';

connectTestStore();

let accountId = 0;
beforeEach(async () => {
  accountId = await nextId('account');
  // Due jobs are looked for in every account.
  await AutomationJob.collection.deleteMany({});
  await giveTrial(accountId);
});
const inAccount = <T>(work: () => Promise<T>, of = accountId) => runInAccount(of, work);
const who = (change: Partial<Who> = {}): Who => makeWho({ userId: 7, accountId, name: 'Ada', ...change });
const WORK = {
  name: 'Weekly',
  actionType: 'hazard_log_analysis' as const,
  prompt: 'Analyse',
  cronExpression: '0 9 * * 1',
  enabled: true,
};
const create = (change: object = {}, by = who()) =>
  inAccount(() => createJob(by, { ...WORK, ...change }), by.accountId);
const read = ({ _id, accountId: of }: AutomationJobRow) =>
  inAccount(async () => requireRow(await AutomationJob.findById(_id).lean()), of);
const put = ({ _id, accountId: of }: AutomationJobRow, change: object) =>
  inAccount(() => AutomationJob.updateOne({ _id }, { $set: change }), of);

describe('scheduled work', () => {
  test('is listed oldest first with its next time, and only for its own account', async () => {
    const other = await create({}, who({ accountId: accountId + 1000 }));
    const [first, second] = [await create(), await create({ prompt: 'Other', enabled: false })];
    expect(await inAccount(() => listJobs(accountId))).toMatchObject([
      { _id: first._id, userId: 7, name: 'Weekly', action: 'hazard_log_analysis', enabled: true, lastRunAt: null },
      { _id: second._id, prompt: 'Other', enabled: false },
    ]);
    const at = (first.nextRunAt as Date).toLocaleString('en-GB', {
      timeZone: 'Europe/London',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(at).toBe('Mon 09:00');
    expect((await read(other)).accountId).toBe(accountId + 1000);
  });

  test('exists once for the same work at the same times, whatever its name', async () => {
    const first = await create();
    await expect(create({ name: 'Again', cronExpression: '00 09 * * MON' })).rejects.toMatchObject({
      code: 'already_scheduled',
      values: { name: 'Weekly' },
    });
    expect(await codeOf(create({}, who({ accountId: accountId + 1000 })))).toBe('done');
    const second = await create({ prompt: 'Other' });
    const change = (_id: number, it: object) => inAccount(() => changeJob(who(), _id, it));
    expect(await codeOf(change(second._id, { prompt: 'Analyse' }))).toBe('already_scheduled');
    expect(await codeOf(change(second._id, { cronExpression: '0 10 * * 1' }))).toBe('done');
    expect(await codeOf(change(second._id, { prompt: 'Analyse' }))).toBe('done');
    expect(await codeOf(change(first._id, { name: 'Mondays' }))).toBe('done');
    expect(await read(first)).toMatchObject({ name: 'Mondays', prompt: 'Analyse' });
  });

  test('must be an existing kind of work, with a valid schedule', async () => {
    // All work of this version can be scheduled, so one kind is taken back for this test.
    const taken = findSchedule('mdr_technical_file') as Schedule;
    taken.status = 'in-preparation';
    expect(await codeOf(create({ actionType: 'mdr_technical_file' }))).toBe('in_preparation');
    taken.status = 'working';
    expect(await codeOf(create({ cronExpression: 'at nine' }))).toBe('bad_request');
    expect(await codeOf(create({ cronExpression: '* * * * *' }))).toBe('bad_request');
    expect(await inAccount(() => listJobs(accountId))).toEqual([]);
  });

  test('is changed and removed only by permitted members of its own account', async () => {
    const job = await create();
    const theirs = await create({}, who({ accountId: accountId + 1000 }));
    const member = who({ userId: 8, roles: ['member'] });
    const asked = (by: Who, it: AutomationJobRow) => [
      codeOf(inAccount(() => changeJob(by, it._id, { name: 'X' }))),
      codeOf(inAccount(() => findJobFor(by, it._id, 'schedule.run'))),
      codeOf(inAccount(() => deleteJob(by, it._id))),
    ];
    for (const code of await Promise.all(asked(member, job))) expect(code).toBe('not_allowed');
    for (const code of await Promise.all(asked(who(), theirs))) expect(code).toBe('not_found');
    expect(await read(job)).toMatchObject({ name: 'Weekly' });
    const beside = await create({ prompt: 'Beside' });
    await inAccount(() => deleteJob(who(), job._id));
    expect(await codeOf(inAccount(() => deleteJob(who(), job._id)))).toBe('not_found');
    expect((await inAccount(() => listJobs(accountId))).map(({ _id }) => _id)).toEqual([beside._id]);
  });

  test('is resumed only during a trial or an active plan, and can be paused and renamed any time', async () => {
    const job = await create({ enabled: false });
    await inAccount(() => Subscription.updateOne({ accountId }, { $set: { trialEndsAt: new Date(0) } }));
    announce(accountId, ['account'], false);
    const change = (it: object) => codeOf(inAccount(() => changeJob(who(), job._id, it)));
    expect(await change({ enabled: true })).toBe('trial_over');
    expect(await change({ enabled: false, name: 'Paused' })).toBe('done');
    expect(await read(job)).toMatchObject({ enabled: false, name: 'Paused' });
  });

  test('scheduled under earlier rules can still be renamed, without checking its schedule again', async () => {
    const job = await create();
    await inAccount(() =>
      AutomationJob.collection.updateOne(
        { _id: job._id as never },
        { $set: { cronExpression: '*/15 * * * *' }, $unset: { sameAs: '' } },
      ),
    );
    expect(await codeOf(inAccount(() => changeJob(who(), job._id, { name: 'Often' })))).toBe('done');
    expect(await codeOf(inAccount(() => changeJob(who(), job._id, { prompt: 'Other' })))).toBe('bad_request');
  });

  test('gets new times when the time zone changes, unless it is due already', async () => {
    const [coming, due, broken] = [await create(), await create({ prompt: 'Due' }), await create({ prompt: 'Broken' })];
    const now = new Date('2026-03-22T12:00:00Z');
    const soon = new Date('2026-03-23T09:00:00Z');
    await put(coming, { nextRunAt: soon });
    await put(due, { nextRunAt: now });
    await put(broken, { nextRunAt: soon, cronExpression: 'at nine' });
    await Account.create({ _id: accountId, name: 'Ward', timeZone: 'Asia/Tokyo' } as never);
    announce(accountId, ['account'], false);
    await inAccount(() => recomputeNextRuns(accountId, now));
    expect((await read(coming)).nextRunAt).toEqual(new Date('2026-03-23T00:00:00Z'));
    expect((await read(due)).nextRunAt).toEqual(now);
    expect((await read(broken)).nextRunAt).toEqual(soon);
  });
});

describe('due work', () => {
  const now = new Date('2026-03-22T12:00:00Z');
  const due = async (change: object = {}, at = now) => {
    const job = await create({ prompt: randomBytes(4).toString('hex') });
    await put(job, { nextRunAt: at, ...change });
    return job;
  };

  test('is started once, gets its next time, and says why it did not run', async () => {
    const [gone, later, paused] = [
      await due(),
      await due({}, new Date(now.getTime() + 1)),
      await due({ enabled: false }),
    ];
    expect(await startDueJobs(now)).toBe(1);
    expect(await read(gone)).toMatchObject({
      nextRunAt: new Date('2026-03-23T09:00:00Z'),
      lastRunAt: expect.any(Date),
      lastOutcome: 'Not run: the person who scheduled it is no longer a member of this account.',
    });
    for (const job of [later, paused]) expect(await read(job)).toMatchObject({ lastRunAt: null, lastOutcome: null });
    expect(await startDueJobs(now)).toBe(0);
    const userId = await nextId('user');
    await User.create({ _id: userId, email: `${userId}@example.org` } as never);
    await Member.create({ accountId, userId, roles: ['owner'] });
    const unready = await due({ userId });
    expect(await startDueJobs(now)).toBe(1);
    expect((await read(unready)).lastOutcome).toMatch(/^Not run: This agent is not onboarded yet/);
  });

  test('with an unreadable schedule says so and does not run again', async () => {
    const job = await due({ cronExpression: 'at nine' });
    expect(await startDueJobs(now)).toBe(0);
    expect(await read(job)).toMatchObject({
      nextRunAt: null,
      lastRunAt: null,
      lastOutcome: 'Not run: the times of this schedule can’t be read any more. Choose them again.',
    });
    expect(await startDueJobs(now)).toBe(0);
  });
});
