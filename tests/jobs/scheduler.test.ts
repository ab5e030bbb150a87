import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { JOBS } from '../../jobs/index.ts';
import { runJob, runLocked, startJobs } from '../../jobs/run.ts';
import { connectedDatabase } from '../../models/store/client.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
  // One after the other: jest fails when two concurrent dynamic imports load the same Node module.
  await import('agenda');
  await import('@agendajs/mongo-backend');
});
afterAll(() => server.stop());

test('every job runs at its declared interval', () => {
  expect(Object.fromEntries(JOBS.map(({ name, every }) => [name, every]))).toEqual({
    sweepWork: '15 seconds',
    syncConnectedDocuments: '1 minute',
    mailDigests: '1 minute',
    mailPlanEnds: '1 hour',
    grantPlanCredits: '1 hour',
    remindOfQuestions: '1 minute',
    reviewSchedules: '1 minute',
    startAutomations: '20 seconds',
    expireFiles: '1 hour',
    expireQuestions: '1 minute',
    finishErasures: '1 minute',
    sweepBytes: '1 hour',
    logAuditHeads: '24 hours',
    tellEndedTrials: '10 seconds',
    replayPayments: '5 minutes',
  });
});

const kept = () => connectedDatabase().collection('agendaJobs').find({}).toArray();

test('the queue runs every job, a failing job does not block others, and it stops on request', async () => {
  const spies = JOBS.map((job, at) =>
    jest.spyOn(job, 'run').mockImplementation(async () => {
      if (at === 0) throw new Error('the store is away');
    }),
  );
  // The queue polls every five seconds and leaves timers behind when it stops, so the test uses fake timers.
  jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
  try {
    const stop = await startJobs();
    const isRun = () => spies.every(({ mock }) => mock.calls.length > 0);
    for (let looks = 0; looks < 1000 && !isRun(); looks += 1) {
      jest.advanceTimersByTime(looks % 100 === 0 ? 5000 : 1);
      await kept();
    }
    expect(spies.map(({ mock }) => mock.calls.length > 0)).toEqual(JOBS.map(() => true));
    await stop();
    const rows = await kept();
    expect(rows.map(({ name, repeatInterval }) => [name, repeatInterval]).sort()).toEqual(
      JOBS.map(({ name, every }) => [name, every]).sort(),
    );
    for (const { nextRunAt } of rows) expect(nextRunAt.getTime()).toBeGreaterThan(Date.now());
    const calls = spies.map(({ mock }) => mock.calls.length);
    await connectedDatabase()
      .collection('agendaJobs')
      .updateMany({}, { $set: { nextRunAt: new Date(0) } });
    for (let looks = 0; looks < 20; looks += 1) {
      jest.advanceTimersByTime(5000);
      await kept();
    }
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual(calls);
  } finally {
    jest.useRealTimers();
    for (const spy of spies) spy.mockRestore();
  }
});

test('it stops only after the jobs that run have finished, so that none finds the store closed', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const spies = JOBS.map((job, at) =>
    jest.spyOn(job, 'run').mockImplementation(() => (at === 0 ? gate : Promise.resolve())),
  );
  jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
  try {
    await connectedDatabase().collection('agendaJobs').deleteMany({});
    const stop = await startJobs();
    for (let looks = 0; looks < 1000 && spies[0]?.mock.calls.length === 0; looks += 1) {
      jest.advanceTimersByTime(looks % 100 === 0 ? 5000 : 1);
      await kept();
    }
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    for (let looks = 0; looks < 20; looks += 1) await kept();
    expect(isStopped).toBe(false);
    release();
    await stopping;
  } finally {
    jest.useRealTimers();
    for (const spy of spies) spy.mockRestore();
  }
});

test('an error in a job does not escape the job', async () => {
  const fails = { name: 'fails', every: '1 hour', run: () => Promise.reject(new Error('gone')) };
  await expect(runJob(fails)).resolves.toBeUndefined();
});

test('the lock of a job is renewed every twenty seconds while it runs, and no longer', async () => {
  jest.useFakeTimers();
  try {
    let finish = () => {};
    const run = () => new Promise<void>((resolve) => (finish = resolve));
    const touch = jest.fn(async () => {});
    const running = runLocked({ name: 'slow', every: '1 hour', run }, { touch });
    jest.advanceTimersByTime(19_999);
    expect(touch).toHaveBeenCalledTimes(0);
    jest.advanceTimersByTime(20_001);
    expect(touch).toHaveBeenCalledTimes(2);
    finish();
    await running;
    jest.advanceTimersByTime(60_000);
    expect(touch).toHaveBeenCalledTimes(2);
  } finally {
    jest.useRealTimers();
  }
});
