/** @environment store */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { createJob } from '../../bot/engine/automation/jobs.ts';
import { arcAddress } from '../../bot/engine/conversations/conversations.ts';
import { grantCredits, readBalance } from '../../bot/engine/credits/credits.ts';
import { AutomationJob, type AutomationJobRow } from '../../models/automationJob.ts';
import { Conversation } from '../../models/conversation.ts';
import type { Who } from '../../models/policies/who.ts';
import { Run } from '../../models/run.ts';
import { connectedDatabase } from '../../models/store/client.ts';
import { runInAccount } from '../../models/store/context.ts';
import { addMember, connectTestStore, giveTrial, makeWho } from '../factories/account.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { hireFor, inEveryAccount, openPlace } from '../factories/turns.ts';

/** `npm run chaos` starts a thousand. */
const JOBS = Number(process.env.JOBS_DUE ?? 60);
/** How long the rest may take, in milliseconds. */
const PATIENCE_MS = 60_000 + JOBS * 300;
const COMPANIES = 6;
const CREDITS = 100_000;
const DUE = new Date('2026-03-23T09:00:00Z');

connectTestStore();
const directory = mkdtempSync(join(tmpdir(), 'arc-due-'));
let workers: ServerProcess[] = [];
afterAll(async () => {
  await Promise.all(workers.map((one) => one.stop()));
  rmSync(directory, { recursive: true, force: true });
});

/** A company with an agent, credits, and a log whose file is gone: its work starts, and ends soon. */
async function addCompany(): Promise<Who> {
  const who = makeWho(await addMember());
  await giveTrial(who.accountId);
  await hireFor(who.accountId, 'clinical_safety');
  await runInAccount(who.accountId, () => grantCredits(who.accountId, CREDITS, 'gift', 'A gift'));
  const chat = await openPlace(who.accountId, arcAddress(who.userId));
  await inEveryAccount(() =>
    Conversation.updateOne({ _id: chat._id }, { $set: { files: { 'hazard-log': new Types.ObjectId() } } }),
  );
  return who;
}

const addJob = (who: Who, at: number): Promise<AutomationJobRow> =>
  runInAccount(who.accountId, () =>
    createJob(who, {
      ...{ name: `Job ${at}`, prompt: `Analyse ${at}`, cronExpression: '0 9 * * 1', enabled: true },
      actionType: 'hazard_log_analysis',
    }),
  );

/** The worker process that holds the lock of the job which starts scheduled work; undefined while none does. */
async function holder(): Promise<ServerProcess | undefined> {
  const lock = await connectedDatabase()
    .collection('agendaJobs')
    .findOne({ name: 'startAutomations', lockedAt: { $ne: null } });
  return workers.find(({ child }) => String(lock?.lastModifiedBy).includes(`:${child.pid}:`));
}

test(
  'jobs due at once are each started once by two workers, one of which is killed midway',
  async () => {
    const companies = await Promise.all(Array.from({ length: COMPANIES }, addCompany));
    const jobs = await Promise.all(
      Array.from({ length: JOBS }, (_, at) => addJob(companies[at % COMPANIES] as Who, at)),
    );
    await inEveryAccount(() => AutomationJob.updateMany({}, { $set: { nextRunAt: DUE } }));
    const environment = {
      MONGODB_URI: String(process.env.TEST_STORE_URI).replace(/\/(?=\?|$)/, `/${mongoose.connection.name}`),
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      PATIENCE_FACTOR: '0.1',
      ROLE: 'worker',
    };
    workers = await Promise.all([startProcess(directory, environment), startProcess(directory, environment)]);
    const countRuns = () => inEveryAccount(() => Run.countDocuments({}));
    await eventually(async () => (await countRuns()) >= JOBS / 4, 'a quarter of the work to be started', PATIENCE_MS);
    const killed = await eventually(holder, 'a worker to hold the job');
    await killed.kill();
    expect(await countRuns()).toBeLessThan(JOBS);
    await eventually(
      async () => (await inEveryAccount(() => AutomationJob.countDocuments({ nextRunAt: DUE }))) === 0,
      'the other worker to start the rest',
      PATIENCE_MS,
    );
    const kept = await inEveryAccount(() => AutomationJob.find({}).lean());
    expect(kept).toHaveLength(JOBS);
    for (const job of kept) {
      expect(job.starts?.map(({ key, refused }) => [key, refused])).toEqual([[`${DUE.getTime()}`, null]]);
      expect(job.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
      expect(job.startingUntil).toBeUndefined();
    }
    const runs = await inEveryAccount(() => Run.find({}).lean());
    expect(runs.map(({ startKey }) => startKey).sort()).toEqual(
      jobs.map(({ _id }) => `automation:${_id}:${DUE.getTime()}`).sort(),
    );
    await eventually(
      async () => (await inEveryAccount(() => Run.countDocuments({ endedAt: null }))) === 0,
      'every run to end',
      PATIENCE_MS,
    );
    // What was reserved for work that came to nothing is given back, once.
    for (const { accountId } of companies)
      expect(await runInAccount(accountId, () => readBalance(accountId))).toMatchObject({ tokensRemaining: CREDITS });
  },
  3 * 60_000 + 3 * PATIENCE_MS,
);
