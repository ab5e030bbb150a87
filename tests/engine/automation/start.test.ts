/** @environment store */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { changeJob, createJob, deleteJob, listJobs, recomputeNextRuns } from '../../../bot/engine/automation/jobs.ts';
import { nextRun } from '../../../bot/engine/automation/schedule.ts';
import { startDueJobs, startJob, startJobNow } from '../../../bot/engine/automation/startDueJobs.ts';
import { arcAddress } from '../../../bot/engine/conversations/conversations.ts';
import { grantCredits } from '../../../bot/engine/credits/credits.ts';
import { AutomationJob, type AutomationJobRow } from '../../../models/automationJob.ts';
import { Conversation } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { announce, changes } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { addMember, codeOf, connectTestStore, giveTrial, makeWho } from '../../factories/account.ts';
import { eventually } from '../../factories/person.ts';
import { hireFor, inEveryAccount, openPlace } from '../../factories/turns.ts';

connectTestStore();
const DAY = 86_400_000;
let who: Who;
let announced: [number, string[]][] = [];
const hear = (accountId: number, topics: string[]) => void announced.push([accountId, topics]);
beforeEach(async () => {
  // Due jobs are looked for in every account.
  await inEveryAccount(() => AutomationJob.deleteMany({}));
  who = makeWho(await addMember());
  await giveTrial(who.accountId);
  announced = [];
  changes.on('changed', hear);
});
afterEach(() => {
  changes.off('changed', hear);
  jest.restoreAllMocks();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
const WORK = {
  name: 'Weekly',
  actionType: 'hazard_log_analysis' as const,
  prompt: 'Analyse',
  cronExpression: '0 9 * * 1',
  enabled: true,
};
const create = (change: object = {}) => inAccount(() => createJob(who, { ...WORK, ...change }));
const read = async ({ _id }: AutomationJobRow) =>
  requireRow(await inEveryAccount(() => AutomationJob.findById(_id).lean()));
const put = ({ _id }: AutomationJobRow, change: object) =>
  inEveryAccount(() => AutomationJob.updateOne({ _id }, { $set: change }));
/** Changes a job as another process would, after it was found due and before it is started. */
function changeOnceFound(job: AutomationJobRow, change: object): void {
  const find = AutomationJob.find.bind(AutomationJob);
  jest.spyOn(AutomationJob, 'find').mockImplementationOnce(((...given: Parameters<typeof find>) => {
    const query = find(...given);
    const lean = query.lean.bind(query);
    const readThenChange = async () => {
      const rows = await lean();
      await put(job, change);
      return rows;
    };
    return Object.assign(query, { lean: readThenChange });
  }) as never);
}
const told = () => announced.filter(([, topics]) => topics.includes('automation'));

describe('scheduled work', () => {
  test('is stored as requested, with its next time', async () => {
    const start = Date.now();
    const job = await create();
    const { name, prompt, cronExpression, enabled } = WORK;
    const kept = await read(job);
    expect(kept).toMatchObject({
      accountId: who.accountId,
      userId: who.userId,
      action: 'hazard_log_analysis',
      ...{ name, prompt, cronExpression, enabled },
      nextRunAt: nextRun(cronExpression, 'Europe/London'),
      lastRunAt: null,
      lastOutcome: null,
      sameAs: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(kept.createdAt.getTime()).toBeGreaterThanOrEqual(start);
    expect(told()).toEqual([[who.accountId, ['automation']]]);
  });

  test('gets a new next time when its schedule changes or it is resumed, and pages are notified', async () => {
    const job = await create({ enabled: false });
    await put(job, { nextRunAt: new Date(0) });
    announced = [];
    const resumed = await inAccount(() => changeJob(who, job._id, { enabled: true }));
    expect(resumed).toMatchObject({ enabled: true, nextRunAt: nextRun('0 9 * * 1', 'Europe/London') });
    const moved = await inAccount(() => changeJob(who, job._id, { cronExpression: '30 7 * * 2' }));
    expect(moved).toMatchObject({
      cronExpression: '30 7 * * 2',
      nextRunAt: nextRun('30 7 * * 2', 'Europe/London'),
      enabled: true,
      name: 'Weekly',
    });
    expect(moved.sameAs).not.toBe(resumed.sameAs);
    await inAccount(() => deleteJob(who, job._id));
    expect(told()).toHaveLength(3);
  });

  test('is listed oldest first, whichever was changed last', async () => {
    const job = await create();
    const older = { ...job, _id: -job._id, sameAs: 'another' };
    await inEveryAccount(() => AutomationJob.create(older));
    expect((await inAccount(() => listJobs(who.accountId))).map(({ _id }) => _id)).toEqual([-job._id, job._id]);
  });

  test('is for members only', async () => {
    const nobody = { ...who, roles: [] };
    expect(await codeOf(inAccount(() => createJob(nobody, WORK)))).toBe('not_allowed');
  });

  test('that duplicates another one is refused, and names it', async () => {
    await create({ name: 'First', prompt: 'Something else' });
    await create({ name: 'Mondays' });
    const second = await create({ prompt: 'Other' });
    await expect(inAccount(() => changeJob(who, second._id, { prompt: 'Analyse' }))).rejects.toMatchObject({
      code: 'already_scheduled',
      values: { name: 'Mondays' },
    });
  });

  test.each<[string, object]>([
    ['times have changed', { cronExpression: '30 7 * * 2' }],
    ['next time is due', { nextRunAt: new Date('2026-03-30T09:00:00Z') }],
  ])('whose %s while times are recalculated keeps that change', async (_what, change) => {
    const job = await create();
    const now = new Date('2026-03-22T12:00:00Z');
    const soon = new Date('2026-03-23T10:30:00Z');
    await put(job, { nextRunAt: soon });
    changeOnceFound(job, change);
    await inAccount(() => recomputeNextRuns(who.accountId, now));
    expect(await read(job)).toMatchObject({ nextRunAt: soon, ...change });
    await put(job, { nextRunAt: soon, cronExpression: WORK.cronExpression });
    await inAccount(() => recomputeNextRuns(who.accountId, now));
    expect((await read(job)).nextRunAt).toEqual(new Date('2026-03-23T09:00:00Z'));
  });

  test('that duplicates one deleted at the same moment is refused without a name', async () => {
    await create();
    jest.spyOn(AutomationJob, 'findOne').mockReturnValueOnce({ lean: async () => null } as never);
    await expect(create()).rejects.toMatchObject({ code: 'already_scheduled', values: { name: '' } });
  });

  test('is changed and deleted without affecting others of the account', async () => {
    const [other, job] = [await create({ prompt: 'Other' }), await create()];
    await inAccount(() => changeJob(who, job._id, { name: 'Mondays', prompt: 'Also' }));
    expect([(await read(other)).name, (await read(job)).name]).toEqual(['Weekly', 'Mondays']);
    await inAccount(() => deleteJob(who, job._id));
    expect((await read(other)).name).toBe('Weekly');
    expect(await inEveryAccount(() => AutomationJob.findById(job._id).lean())).toBeNull();
  });

  test('that can’t be stored says why', async () => {
    const fault = new Error('the store is lost');
    jest.spyOn(AutomationJob, 'create').mockRejectedValueOnce(fault as never);
    await expect(create()).rejects.toBe(fault);
    const job = await create();
    jest.spyOn(AutomationJob, 'deleteOne').mockResolvedValueOnce({ deletedCount: 0 } as never);
    expect(await codeOf(inAccount(() => deleteJob(who, job._id)))).toBe('not_found');
  });
});

describe('due scheduled work', () => {
  const now = new Date('2026-03-22T12:00:00Z');
  const due = async (change: object = {}) => {
    const job = await create({ prompt: String(new Types.ObjectId()), ...change });
    await put(job, { nextRunAt: now });
    return job;
  };
  const runOf = async ({ _id }: AutomationJobRow, time: number | string = now.getTime()) =>
    await inEveryAccount(() => Run.findOne({ startKey: `automation:${_id}:${time}` }).lean());
  /** Gives the company the agent, credits, and a log in its chat. */
  const prepare = async () => {
    await hireFor(who.accountId, 'clinical_safety');
    await inAccount(() => grantCredits(who.accountId, 1000, 'gift', 'A gift'));
    const chat = await openPlace(who.accountId, arcAddress(who.userId));
    const logFileId = new Types.ObjectId();
    await inEveryAccount(() =>
      Conversation.updateOne({ _id: chat._id }, { $set: { files: { 'hazard-log': logFileId } } }),
    );
    return { chat, logFileId };
  };
  const untilOver = (job: AutomationJobRow, time?: string) =>
    eventually(async () => (await runOf(job, time))?.endedAt, 'the run to end');

  test('starts an analysis of the log in its owner’s chat, and names the scheduled work', async () => {
    const { chat, logFileId } = await prepare();
    const job = await due();
    announced = [];
    expect(await startDueJobs(now)).toBe(1);
    const run = await runOf(job);
    expect(run).toMatchObject({
      workflow: 'hazard-analysis',
      goal: job.prompt,
      userId: who.userId,
      conversationId: chat._id,
      state: { logFileId },
    });
    const noted = await read(job);
    expect(noted.lastOutcome).toBe(`Started as work ${run?.workspaceId}; its result is in the chat.`);
    expect(Date.now() - Number(noted.lastRunAt)).toBeLessThan(60_000);
    const start = { key: `${now.getTime()}`, at: noted.lastRunAt, runId: run?._id, refused: null, isFailure: false };
    expect(noted).toMatchObject({ starts: [start], isUnsettled: true });
    expect(told()).toHaveLength(1);
    await untilOver(job);
  });

  test('uses its own name if it has no message, and starts once per time', async () => {
    await prepare();
    const job = await create({ prompt: '' });
    const started = await inAccount(() => startJob(job, 'by-hand'));
    expect(started).toMatchObject({ _id: job._id, lastOutcome: expect.stringMatching(/^Started as work \d+/) });
    await inAccount(() => startJob(job, 'by-hand'));
    expect(await runOf(job, 'by-hand')).toMatchObject({ goal: 'Weekly' });
    expect(await inEveryAccount(() => Run.countDocuments({ accountId: who.accountId }))).toBe(1);
    await untilOver(job, 'by-hand');
  });

  test('says why it did not run: no log, no credits, or its owner has left', async () => {
    const outcome = async () => {
      const job = await due();
      await startDueJobs(now);
      return (await read(job)).lastOutcome;
    };
    await hireFor(who.accountId, 'clinical_safety', 'hired');
    expect(await outcome()).toMatch(/^Not run: This agent is not onboarded yet/);
    await inEveryAccount(() => Member.deleteOne({ userId: who.userId }));
    announce(who.accountId, ['account']);
    expect(await outcome()).toBe('Not run: the person who scheduled it is no longer a member of this account.');
    who = makeWho(await addMember());
    await giveTrial(who.accountId);
    await hireFor(who.accountId, 'clinical_safety');
    expect(await outcome()).toMatch(/^Not run: There is no hazard log yet/);
    const chat = await openPlace(who.accountId, arcAddress(who.userId));
    await inEveryAccount(() =>
      Conversation.updateOne({ _id: chat._id }, { $set: { files: { 'hazard-log': new Types.ObjectId() } } }),
    );
    expect(await outcome()).toMatch(/^Not run: There are not enough credits left/);
  });

  test('counts as failed for what somebody has to mend, not for what passes by itself', async () => {
    const newest = async () => {
      const job = await due();
      await startDueJobs(now);
      return (await read(job)).starts?.at(-1);
    };
    expect(await newest()).toMatchObject({
      runId: null,
      isFailure: true,
      refused: expect.stringMatching(/^Not run: /),
    });
    await prepare();
    await inEveryAccount(() =>
      Subscription.updateOne({ accountId: who.accountId }, { $set: { trialEndsAt: new Date(0) } }),
    );
    announce(who.accountId, ['account']);
    expect(await newest()).toMatchObject({ runId: null, isFailure: false });
  });

  test('uses the agent of its own company, and no other one', async () => {
    await hireFor(makeWho().accountId, 'clinical_safety');
    await hireFor(who.accountId, 'developer');
    const job = await due();
    await startDueJobs(now);
    expect((await read(job)).lastOutcome).toMatch(/^Not run: This agent is not onboarded yet/);
  });

  test('that fails through our fault says so, is logged, and does not block others', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    await prepare();
    const [first, second] = [await due(), await due()];
    jest.spyOn(Run.collection, 'insertOne').mockRejectedValueOnce(new Error('the store is lost') as never);
    expect(await startDueJobs(now)).toBe(2);
    const outcomes = [(await read(first)).lastOutcome, (await read(second)).lastOutcome];
    expect(outcomes.filter((it) => it?.startsWith('Not run: something went wrong on our side.'))).toHaveLength(1);
    expect(error).toHaveBeenCalled();
    expect((await read(first)).nextRunAt).toEqual(new Date('2026-03-23T09:00:00Z'));
    await eventually(
      async () =>
        (await inEveryAccount(() => Run.countDocuments({ accountId: who.accountId, endedAt: { $ne: null } }))) === 1,
      'the run to end',
    );
  });

  test('that can’t get its next time is retried, and does not block others', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const [first, second] = [await due(), await due()];
    jest.spyOn(AutomationJob, 'updateOne').mockImplementationOnce((() => {
      throw new Error('the store is lost');
    }) as never);
    expect(await startDueJobs(now)).toBe(1);
    expect(error).toHaveBeenCalledTimes(1);
    const times = [(await read(first)).nextRunAt, (await read(second)).nextRunAt].map(Number).sort();
    expect(times).toEqual([Number(now), Date.parse('2026-03-23T09:00:00Z')]);
    expect(await startDueJobs(now)).toBe(1);
  });

  test('whose times change meanwhile is left for its new time', async () => {
    const job = await due();
    const later = new Date('2026-03-24T07:30:00Z');
    changeOnceFound(job, { nextRunAt: later });
    expect(await startDueJobs(now)).toBe(0);
    expect(await read(job)).toMatchObject({ nextRunAt: later, lastRunAt: null, lastOutcome: null });
  });

  /** A process ends after it has claimed a time, and what it did until then stays. */
  const endAt = async (isReached: (change: object) => boolean) => {
    jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const update = AutomationJob.updateOne.bind(AutomationJob);
    const spy = jest.spyOn(AutomationJob, 'updateOne').mockImplementation(((...given: Parameters<typeof update>) => {
      if (isReached(given[1] ?? {})) throw new Error('the store is lost');
      return update(...given);
    }) as never);
    expect(await startDueJobs(now)).toBe(0);
    spy.mockRestore();
  };
  const endClaim = (job: AutomationJobRow) => put(job, { startingUntil: new Date(Date.now() - 1) });
  const settled = {
    lastOutcome: expect.stringMatching(/^Started as work/),
    nextRunAt: new Date('2026-03-23T09:00:00Z'),
  };

  test('whose process ends between run and outcome keeps that run, and gets its outcome from another process', async () => {
    await prepare();
    const job = await due();
    await endAt((change) => 'lastRunAt' in ((change as { $set?: object }).$set ?? {}));
    const left = await read(job);
    expect(left).toMatchObject({ nextRunAt: now, lastOutcome: null });
    expect(Number(left.startingUntil) - Date.now()).toBeGreaterThan(50_000);
    expect(Number(left.startingUntil) - Date.now()).toBeLessThanOrEqual(60_000);
    await untilOver(job);
    // Its claim still stands.
    expect(await startDueJobs(now)).toBe(0);
    await endClaim(job);
    expect(await startDueJobs(now)).toBe(1);
    const kept = await read(job);
    expect(kept).toMatchObject(settled);
    expect(kept.startingUntil).toBeUndefined();
    expect(kept.starts?.map(({ key }) => key)).toEqual([`${now.getTime()}`]);
    expect(await inEveryAccount(() => Run.countDocuments({ accountId: who.accountId }))).toBe(1);
    expect(await startDueJobs(now)).toBe(0);
  });

  test('that a process claimed and did not start is started by another one', async () => {
    await prepare();
    const job = await due();
    await put(job, { startingUntil: new Date(Date.now() + 60_000) });
    expect(await startDueJobs(now)).toBe(0);
    await endClaim(job);
    expect(await startDueJobs(now)).toBe(1);
    expect(await read(job)).toMatchObject(settled);
    await untilOver(job);
  });

  test('whose times somebody changes while it starts keeps them', async () => {
    const job = await due();
    const later = new Date('2026-03-24T07:30:00Z');
    const update = AutomationJob.updateOne.bind(AutomationJob);
    jest.spyOn(AutomationJob, 'updateOne').mockImplementation((async (...given: Parameters<typeof update>) => {
      const done = await update(...given);
      if ('startingUntil' in ((given[1] as { $set?: object }).$set ?? {})) await put(job, { nextRunAt: later });
      return done;
    }) as never);
    expect(await startDueJobs(now)).toBe(1);
    jest.restoreAllMocks();
    const kept = await read(job);
    expect(kept).toMatchObject({ nextRunAt: later, lastOutcome: expect.stringMatching(/^Not run/) });
    expect(kept.startingUntil).toBeUndefined();
  });

  test('is started whole, however much of it is due', async () => {
    const job = await due();
    const many = Array.from({ length: 200 }, (_, at) => ({ ...job, _id: -at - 1, sameAs: `${at}`, nextRunAt: now }));
    await inEveryAccount(() => AutomationJob.insertMany(many));
    expect(await startDueJobs(now)).toBe(201);
    expect(await startDueJobs(now)).toBe(0);
  });

  test('gets its next time without affecting paused work', async () => {
    const [paused, job] = [await due({ enabled: false }), await due()];
    expect(await startDueJobs(now)).toBe(1);
    expect([(await read(paused)).nextRunAt, (await read(job)).nextRunAt]).toEqual([
      now,
      new Date('2026-03-23T09:00:00Z'),
    ]);
  });

  test('is started by one of two processes', async () => {
    const job = await due();
    const both = await Promise.all([startDueJobs(now), startDueJobs(now)]);
    expect(both.sort()).toEqual([0, 1]);
    expect((await read(job)).nextRunAt).toEqual(new Date('2026-03-23T09:00:00Z'));
  });

  test('whose schedule became unreadable notifies pages, and nothing else changes', async () => {
    const [other, job] = [await create(), await due()];
    await put(job, { cronExpression: 'at nine' });
    announced = [];
    expect(await startDueJobs(new Date(now.getTime() + DAY))).toBe(0);
    expect(told()).toHaveLength(1);
    expect(await read(other)).toMatchObject({ lastOutcome: null, nextRunAt: expect.any(Date) });
  });
});

describe('scheduled work that needs a message', () => {
  const objective = 'A screen for nurses to record pulse and weight';
  const DESIGN = { actionType: 'screen_design', name: 'Screens', prompt: objective };
  const runs = () => inEveryAccount(() => Run.find({ accountId: who.accountId }).sort({ _id: 1 }).lean());
  const untilAsked = (count: number) =>
    eventually(async () => (await runs()).filter(({ status }) => status === 'waiting').length === count, 'a question');
  beforeEach(async () => {
    await hireFor(who.accountId, 'designer');
    await inAccount(() => grantCredits(who.accountId, 1000, 'gift', 'A gift'));
  });

  test('is not scheduled without one, and the message can’t be removed', async () => {
    const refused = {
      code: 'bad_request',
      fields: { prompt: 'Say what it is to do, e.g. “A screen for nurses to record pulse and temperature”.' },
    };
    await expect(create({ ...DESIGN, prompt: '' })).rejects.toMatchObject(refused);
    const job = await create(DESIGN);
    await expect(inAccount(() => changeJob(who, job._id, { prompt: '' }))).rejects.toMatchObject(refused);
    await inAccount(() => changeJob(who, job._id, { name: 'Wards' }));
    expect(await read(job)).toMatchObject({ name: 'Wards', prompt: objective });
  });

  test('starts with its message, and not again while its own question is pending', async () => {
    const [job, other] = [await create(DESIGN), await create({ ...DESIGN, prompt: `${objective}, in two columns` })];
    await inAccount(() => startJob(job, 'first'));
    await untilAsked(1);
    const [run] = await runs();
    expect(run).toMatchObject({ workflow: 'design', goal: objective, state: { objective } });
    const again = await inAccount(() => startJob(job, 'second'));
    expect(again.lastOutcome).toBe(
      `Not run: question ${run?.state.interruptId} waits. Answer it first; then the schedule runs at its next time.`,
    );
    // A question of other work does not count.
    await inAccount(() => startJob(other, 'first'));
    await untilAsked(2);
    await inEveryAccount(() => Run.updateOne({ _id: run?._id }, { $set: { status: 'completed' } }));
    expect((await inAccount(() => startJob(job, 'third'))).lastOutcome).toMatch(/^Started as work \d+/);
    await untilAsked(2);
  });

  test('starts once, however often it is requested at the same moment, and not while its own work is running', async () => {
    const job = await create(DESIGN);
    const asked = await Promise.all(Array.from({ length: 20 }, () => inAccount(() => startJobNow(job))));
    await untilAsked(1);
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    for (const { lastOutcome } of asked) expect(lastOutcome).toContain(`Started as work ${run?.workspaceId};`);
    await inEveryAccount(() => Run.updateOne({ _id: run?._id }, { $set: { status: 'ready' } }));
    expect((await inAccount(async () => startJobNow(await read(job)))).lastOutcome).toBe(
      'Not run: Its last work is still running. It is started again at its next time.',
    );
    await inEveryAccount(() => Run.updateOne({ _id: run?._id }, { $set: { status: 'completed' } }));
    expect((await inAccount(async () => startJobNow(await read(job)))).lastOutcome).toMatch(/^Started as work \d+/);
    await untilAsked(1);
    expect(await runs()).toHaveLength(2);
  });
});
