/** @environment mail */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { noteStart, readHistory } from '../../../bot/engine/automation/history.ts';
import { changeJob } from '../../../bot/engine/automation/jobs.ts';
import { reviewSchedules } from '../../../bot/engine/automation/pauseFailing.ts';
import { AutomationJob, type ScheduledStart } from '../../../models/automationJob.ts';
import { Member, type Role } from '../../../models/member.ts';
import { Message } from '../../../models/message.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { makeMailedCompany, subjectsTo } from '../../factories/mailed.ts';
import { auditOf } from '../../factories/members.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { codeOf, makeWho, nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const FAILED = '“Weekly” failed in Quillmere';
const PAUSED = '“Weekly” is paused after 5 failures in a row';

async function schedule(roles: Role[] = ['owner']) {
  const company = await makeMailedCompany();
  const { accountId } = company;
  const person = await company.member(roles);
  const who = makeWho({ accountId, userId: person.userId, roles });
  const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
  const trialEndsAt = new Date(Date.now() + 86_400_000);
  await inAccount(() =>
    Subscription.create({ _id: accountId, accountId, plan: 'trial', status: 'trial', trialEndsAt } as never),
  );
  announce(accountId, ['account']);
  const _id = nextNumber();
  const row = {
    ...{ _id, accountId, userId: person.userId, name: 'Weekly', action: 'hazard_log_analysis', prompt: '' },
    ...{ cronExpression: '0 9 * * 1', enabled: true, nextRunAt: new Date('2099-01-01'), createdAt: new Date() },
  };
  await inAccount(() => AutomationJob.create(row as never));
  const read = async () => requireRow(await inAccount(() => AutomationJob.findById(_id).lean()));
  const start = async (change: Partial<ScheduledStart>) => {
    const key = String(nextNumber());
    const at = new Date();
    await inAccount(async () => {
      await noteStart(await read(), { key, at, runId: null, refused: null, isFailure: false, ...change });
      await AutomationJob.updateOne({ _id }, { $set: { lastRunAt: at } });
    });
  };
  return {
    ...company,
    ...person,
    who,
    inAccount,
    read,
    start,
    refuse: (refused = 'Not run: no log.', isFailure = true) => start({ refused, isFailure }),
    async run(status: RunRow['status'], change: Partial<RunRow> = {}) {
      const runId = new Types.ObjectId();
      const run = {
        _id: runId,
        accountId,
        workflow: 'w',
        userAgentId: 1,
        agentId: 'clinical_safety',
        userId: who.userId,
      };
      const state = { startKey: String(runId), goal: 'g', channel: 'arc', step: 's', state: {}, status, ...change };
      await inAccount(() => Run.create({ ...run, ...state } as never));
      await start({ runId });
      return runId;
    },
    /** Looks at schedules in two processes at once. */
    async review() {
      await Promise.all([reviewSchedules(), reviewSchedules()]);
      await company.sent();
      return subjectsTo(person.email);
    },
    said: async () =>
      (await inAccount(() => Message.find({ accountId }).sort({ _id: 1 }).lean())).map(({ text }) => text),
  };
}

describe('scheduled work that fails', () => {
  test('mails the first failure, and after five in a row is paused and says so, each once', async () => {
    const job = await schedule();
    await job.refuse();
    expect(await job.review()).toEqual([FAILED]);
    expect((await job.read()).isUnsettled).toBe(false);
    await job.run('failed', { error: 'The file is damaged.' });
    await job.refuse();
    expect(await job.review()).toEqual([FAILED]);
    await job.refuse();
    await job.review();
    expect((await job.read()).enabled).toBe(true);
    await job.run('failed', { error: 'The file is damaged.' });
    expect(await job.review()).toEqual([FAILED, PAUSED]);
    expect(await job.read()).toMatchObject({
      enabled: false,
      nextRunAt: null,
      lastOutcome: 'Paused after 5 failures in a row. The last reason: The file is damaged.',
    });
    expect(await job.said()).toEqual([
      'I have paused the schedule “Weekly” after 5 failures in a row. The last reason: The file is damaged. Switch it on again under “Stay compliant in future”.',
    ]);
    const { accountId } = job;
    const id = (await job.read())._id;
    expect(await auditOf(accountId)).toEqual([`schedule.paused by schedule: schedule:${id} after 5 failures`]);

    // Started by hand it is not paused again; switched on again, it has five new tries.
    await job.refuse();
    expect(await job.review()).toEqual([FAILED, PAUSED]);
    await job.inAccount(() => changeJob(job.who, id, { enabled: true }));
    await job.refuse();
    expect(await job.review()).toEqual([FAILED, PAUSED, FAILED]);
    expect((await job.read()).enabled).toBe(true);
  });

  test('begins to count anew after work that was done or cancelled', async () => {
    const job = await schedule();
    for (const status of ['completed', 'cancelled'] as const) {
      for (let failure = 0; failure < 4; failure += 1) await job.refuse();
      await job.run(status);
      await job.review();
    }
    await job.refuse();
    await job.review();
    expect((await job.read()).enabled).toBe(true);
  });

  test('does not count what passes by itself, and waits for a run that is not over', async () => {
    const job = await schedule();
    for (let failure = 0; failure < 4; failure += 1) await job.refuse();
    for (let waits = 0; waits < 3; waits += 1) await job.refuse('Not run: it still waits.', false);
    expect(await job.review()).toEqual([FAILED]);
    const runId = await job.run('waiting');
    await job.review();
    expect(await job.read()).toMatchObject({ enabled: true, isUnsettled: true });
    await job.inAccount(() => Run.updateOne({ _id: runId }, { $set: { status: 'failed', error: 'No.' } }));
    expect(await job.review()).toEqual([FAILED, PAUSED]);
  });

  test('names the reason of a start that was refused', async () => {
    const job = await schedule();
    for (let failure = 0; failure < 5; failure += 1) await job.refuse('Not run: the hazard log is gone.');
    await job.review();
    const reason = 'The last reason: The hazard log is gone.';
    expect((await job.read()).lastOutcome).toBe(`Paused after 5 failures in a row. ${reason}`);
    expect(await job.said()).toEqual([expect.stringContaining(`after 5 failures in a row. ${reason} Switch it on`)]);
  });

  test('tells the owners where whoever scheduled it has left', async () => {
    const job = await schedule(['member']);
    const owner = await job.member(['owner']);
    await Member.deleteOne({ accountId: job.accountId, userId: job.userId });
    for (let failure = 0; failure < 5; failure += 1) await job.refuse();
    await job.review();
    expect([subjectsTo(job.email), subjectsTo(owner.email)]).toEqual([[], [PAUSED]]);
    expect(await job.said()).toEqual([]);
  });
});

/** @shows GET /api/automation/jobs/:id/runs */
test('the history has the last twenty times, the newest first, with outcome, cost and links', async () => {
  const job = await schedule();
  const conversationId = new Types.ObjectId();
  for (let time = 0; time < 19; time += 1) await job.refuse(`Not run: reason ${time}.`);
  await job.run('failed', { error: 'The file is damaged.', spent: 20, conversationId });
  await job.run('completed', { spent: 120, conversationId, userId: 1 });
  const id = (await job.read())._id;
  const history = await job.inAccount(() => readHistory(job.who, id));
  expect(history).toHaveLength(20);
  const none = { result: null, chat: null, credits: 0, at: expect.any(String) };
  expect(history.slice(0, 3)).toEqual([
    { ...none, status: 'completed', text: null, credits: 120 },
    {
      ...none,
      status: 'failed',
      text: 'The file is damaged.',
      credits: 20,
      chat: `/arc-chat?conversation=${conversationId}`,
    },
    { ...none, status: 'not-started', text: 'Reason 18.' },
  ]);
  expect(history.at(-1)?.text).toBe('Reason 1.');
  const key = (await job.read()).starts?.at(-1)?.key ?? '';
  await job.start({ key });
  expect((await job.read()).starts?.filter((one) => one.key === key)).toHaveLength(1);
  const other = makeWho();
  expect(await codeOf(runInAccount(other.accountId, () => readHistory(other, id)))).toBe('not_found');
});
