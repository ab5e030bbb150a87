import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { onAnswered, resumeAnswered } from '../../bot/engine/interrupts/applyConsequences.ts';
import { resumeRun } from '../../bot/engine/workflows/resumeRun.ts';
import { sweepWaiting } from '../../bot/engine/workflows/sweepRuns.ts';
import { AutomationJob } from '../../models/automationJob.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { HazardAnalysis } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { Interrupt as Question } from '../../models/contracts/interrupts.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { Member } from '../../models/member.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { holdWaitingSaves } from '../factories/holdWaiting.ts';
import { proposalsOf } from '../factories/interrupt.ts';
import { eventually, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';

type Ready = Person & { agent: { id: number } };
let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => onAnswered(resumeRun));

const questions = async ({ browser, agent }: Ready) =>
  withoutMatches((await browser.get(`/api/agents/${agent.id}/interrupts`).expect(200)).body as Question[]);
const pending = (person: Ready, not = 0) =>
  eventually(
    async () => (await questions(person)).find(({ id, status }) => status === 'pending' && id !== not),
    'the review',
  );
const analyse = ({ browser, agent }: Ready, body: object = {}) =>
  browser.post(`/api/clinical-safety-agent/${agent.id}/analyze-hazard-log`).send(body);
const latest = async ({ browser, user }: Person) =>
  (await browser.get(`/api/hazard-analysis/latest/${user.id}`)).body as HazardAnalysis;
const messages = async ({ browser }: Person) =>
  (await browser.get('/api/arc-chat/history?limit=200')).body.messages as ChatMessage[];
const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);
const runOf = (person: Person) =>
  inAccount(person, () => Run.findOne({ workflow: 'hazard-analysis' }).sort({ _id: 1 }).lean());
const readStatus = async (person: Person) => (await runOf(person))?.status;

/** A person with a pending review. */
async function reviewing(): Promise<{ person: Ready; asked: Question }> {
  const person = await signUpReady(server);
  const { log, tickets } = await readSample();
  for (const { fileName, bytes } of [tickets, log])
    await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from(bytes), fileName)
      .expect(200);
  await analyse(person).expect(200);
  const asked = await pending(person);
  await eventually(async () => (await readStatus(person)) === 'waiting', 'the run to wait');
  return { person, asked };
}

/** Accepts everything as if the process died before the run resumed, until the test ends or lets it continue. */
async function answerWithoutResume(person: Ready, id: number): Promise<void> {
  onAnswered(() => Promise.reject(new Error('the process died')));
  await person.browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: true }).expect(200);
  await eventually(
    () => inAccount(person, () => Interrupt.exists({ _id: id, outbox: ['resume'] })),
    'everything but the resumption',
  );
}
// The server's own sweep retries the resumption, which only succeeds once the test allows it.
afterEach(() => onAnswered(resumeRun));

/** Expects the first analysis to be recorded with the accepted rows. */
async function expectRecorded(person: Ready, asked: Question): Promise<void> {
  const isRecorded = async () => (await messages(person)).some(({ kind }) => kind === 'review-complete');
  await eventually(isRecorded, 'the answer to be recorded');
  const said = await messages(person);
  expect(said.filter(({ kind }) => kind === 'review-complete')).toHaveLength(1);
  expect((await questions(person)).find(({ id }) => id === asked.id)).toMatchObject({
    status: 'resolved',
    resolution: { outcome: 'approved' },
  });
}

const decideOn = (asked: Question, count: number) =>
  proposalsOf(asked)
    .slice(0, count)
    .map(({ id, options, option }) => ({
      id,
      outcome: 'accepted' as const,
      ...(options.length > 1 ? { choice: option } : {}),
    }));
async function saveDecisions(person: Ready, asked: Question, count: number) {
  const rows = decideOn(asked, count);
  await person.browser.put(`/api/interrupts/${asked.id}/draft`).send({ rows, version: 0 }).expect(200);
  return rows;
}

test('an analysis requested between a question and the run’s save replaces the old one', async () => {
  const person = await signUpReady(server);
  const { log, tickets } = await readSample();
  for (const { fileName, bytes } of [tickets, log])
    await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from(bytes), fileName)
      .expect(200);
  const release = await holdWaitingSaves();
  await analyse(person).expect(200);
  const asked = await pending(person);
  let answered: number | null = null;
  const again = analyse(person).then(({ status }) => {
    answered = status;
  });
  // Other requests are answered meanwhile, so a refusal would have arrived too.
  for (let calls = 0; calls < 5; calls += 1) await messages(person);
  expect(answered).toBeNull();
  release();
  await again;
  expect(answered).toBe(200);
  expect((await pending(person, asked.id)).id).not.toBe(asked.id);
  expect((await questions(person)).find(({ id }) => id === asked.id)?.status).toBe('cancelled');
});

describe('an answered review', () => {
  test('is recorded before a newer analysis starts, and never withdrawn by it', async () => {
    const { person, asked } = await reviewing();
    await answerWithoutResume(person, asked.id);
    await analyse(person).expect(200);
    await expectRecorded(person, asked);
    await pending(person, asked.id);
  });

  test('can’t be cancelled: whoever cancels is told, and the run continues', async () => {
    const { person, asked } = await reviewing();
    await answerWithoutResume(person, asked.id);
    const run = await runOf(person);
    const late = await person.browser.post(`/api/arc-chat/runs/${run?._id}/cancel`).send({}).expect(409);
    expect(late.body.error).toMatch(/answered already\. Approved by Ada Okafor .* That answer stands/);
    onAnswered(resumeRun);
    await resumeAnswered();
    await expectRecorded(person, asked);
  });

  test('continues even if a cancellation was requested before it but not applied', async () => {
    const { person, asked } = await reviewing();
    await answerWithoutResume(person, asked.id);
    await inAccount(person, () => Run.updateOne({ status: 'waiting' }, { $set: { cancelRequested: true } }));
    onAnswered(resumeRun);
    await resumeAnswered();
    await expectRecorded(person, asked);
  });

  test('continues after a crash between the request to resume and the resumption', async () => {
    const { person, asked } = await reviewing();
    await answerWithoutResume(person, asked.id);
    await inAccount(person, () => Interrupt.updateOne({ _id: asked.id }, { $set: { outbox: [] } }));
    // The server's own sweep may come first: only a question with an outbox entry continues its run.
    await sweepWaiting();
    await expectRecorded(person, asked);
  });

  test('a platform’s Stop after the answer is told in the conversation that it was too late', async () => {
    const { person, asked } = await reviewing();
    await answerWithoutResume(person, asked.id);
    const { cancelRunsAt } = await import('../../bot/engine/workflows/cancelRun.ts');
    const { arcAddress } = await import('../../bot/engine/conversations/conversations.ts');
    const { identify } = await import('../../bot/engine/accounts/identify.ts');
    const { id, accountId } = person.user;
    await inAccount(person, async () => {
      const who = await identify(id, accountId, Date.now());
      if (who) await cancelRunsAt(who, arcAddress(id));
    });
    expect((await messages(person)).map(({ message }) => message).join('\n')).toContain('can’t be cancelled any more');
    expect(await readStatus(person)).toBe('waiting');
  });
});

describe('a run that waits for nothing', () => {
  test.each([
    ['its question was withdrawn', { status: 'cancelled' as const }, {}],
    ['it was to be cancelled', {}, { cancelRequested: true }],
  ])('ends when %s, and its credits are returned', async (_why, question, run) => {
    const { person, asked } = await reviewing();
    const used = async () => (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed;
    expect(await used()).toBe(40);
    await inAccount(person, async () => {
      await Interrupt.updateOne({ _id: asked.id }, { $set: { ...question, outbox: [] } });
      await Run.updateOne({ status: 'waiting' }, { $set: { cancelRequested: false, ...run } });
    });
    expect(await sweepWaiting()).toBe(1);
    expect(await readStatus(person)).toBe('cancelled');
    expect(await used()).toBe(30);
    expect((await questions(person)).filter(({ status }) => status === 'pending')).toEqual([]);
  });

  test('is not confused with one that waits for a person', async () => {
    const { person } = await reviewing();
    expect(await sweepWaiting()).toBe(0);
    expect(await readStatus(person)).toBe('waiting');
  });
});

describe('an open review', () => {
  test('is not withdrawn by scheduled work, which says why it did not run, and costs nothing', async () => {
    const { person, asked } = await reviewing();
    const before = (await person.browser.get('/api/user/tokens/balance')).body;
    const weekly = {
      name: 'Weekly',
      actionType: 'hazard_log_analysis',
      prompt: '',
      cronExpression: '0 9 * * 1',
      enabled: true,
    };
    const { job } = (await person.browser.post('/api/automation/jobs').send(weekly)).body;
    const { body } = await person.browser.post(`/api/automation/jobs/${job.id}/run`).send({}).expect(200);
    expect(body.job.lastOutcome).toMatch(new RegExp(`^Not run: question ${asked.id} waits`));
    expect((await inAccount(person, () => AutomationJob.findOne({ _id: job.id }).lean()))?.lastOutcome).toBe(
      body.job.lastOutcome,
    );
    expect((await questions(person))[0]).toMatchObject({ id: asked.id, status: 'pending' });
    expect((await person.browser.get('/api/user/tokens/balance')).body).toEqual(before);
  });

  test('with decisions is withdrawn only on an explicit request, and the decisions are kept', async () => {
    const { person, asked } = await reviewing();
    const rows = await saveDecisions(person, asked, 2);
    const refused = await analyse(person).expect(409);
    expect(refused.body).toMatchObject({ code: 'review_open' });
    const total = proposalsOf(asked).length;
    expect(refused.body.error).toContain(`2 of ${total} proposals are decided in the open review`);
    expect((await questions(person))[0]).toMatchObject({ id: asked.id, status: 'pending' });

    await person.browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log' }).expect(200);
    const told = await eventually(
      async () => (await messages(person)).find(({ message }) => message.includes('are decided in the open review')),
      'the refusal in words',
    );
    const confirmed = told.card?.actions?.[0]?.value;
    expect(confirmed).toBe(`Start a new analysis and withdraw question ${asked.id}`);
    await person.browser.post('/api/arc-chat/send').send({ message: confirmed }).expect(200);
    const next = await pending(person, asked.id);
    expect(next.draft?.rows).toEqual(rows);
    expect(next.draft?.kept).toEqual(rows.map(({ id }) => id));
    expect(next.prompt).toContain('2 decisions are kept from the withdrawn review');
    expect((await questions(person)).find(({ id }) => id === asked.id)?.status).toBe('cancelled');
  });

  test('is answered only with the draft that was seen, so that a colleague’s later save is not overwritten', async () => {
    const { person, asked } = await reviewing();
    await saveDecisions(person, asked, 1);
    const rows = proposalsOf(asked).map(({ id }) => ({ id, outcome: 'rejected' }));
    const answer = (draftVersion: number) =>
      person.browser.patch(`/api/interrupts/${asked.id}/resolve`).send({ userResponse: { rows }, draftVersion });
    expect((await answer(0).expect(409)).body).toMatchObject({ code: 'conflict' });
    expect((await questions(person))[0]).toMatchObject({ id: asked.id, status: 'pending' });
    await answer(1).expect(200);
    // The same answer again, after its first reply was lost.
    await answer(1).expect(200);
  });

  test('is not answered with one word for all rows, even if the first decision is saved at the same moment', async () => {
    const { person, asked } = await reviewing();
    const rows = decideOn(asked, 1);
    const all = () => person.browser.patch(`/api/interrupts/${asked.id}/resolve`).send({ approved: false });
    const write = Interrupt.updateOne.bind(Interrupt) as (...given: unknown[]) => Promise<unknown>;
    jest.spyOn(Interrupt, 'updateOne').mockImplementationOnce((async (...given: unknown[]) => {
      await person.browser.put(`/api/interrupts/${asked.id}/draft`).send({ rows, version: 0 }).expect(200);
      return write(...given);
    }) as never);
    expect((await all()).body.code).toBe('conflict');
    expect((await all()).body.code).toBe('review_begun');
    jest.restoreAllMocks();
    expect((await questions(person))[0]).toMatchObject({ id: asked.id, status: 'pending', draft: { rows } });
  });

  test('is not withdrawn by somebody who may not answer it', async () => {
    const { person, asked } = await reviewing();
    const { accountId } = person.user;
    await inAccount(person, () =>
      Member.updateOne({ accountId, userId: person.user.id }, { $set: { roles: ['member'] } }),
    );
    announce(accountId, ['account']);
    const refused = await analyse(person).expect(403);
    expect(refused.body).toMatchObject({ code: 'review_not_yours', error: expect.stringContaining('owner') });
    expect(await inAccount(person, () => Interrupt.exists({ _id: asked.id, status: 'pending' }))).toBeTruthy();
  });

  test('stays open if the new analysis can’t be paid for', async () => {
    const { person, asked } = await reviewing();
    const { ledger } = await import('../../models/ledgerEntry.ts');
    await inAccount(person, () =>
      ledger.append(person.user.accountId, { key: 'spent', kind: 'reserve', amount: -49_930, note: 'test' }),
    );
    expect((await analyse(person)).status).toBe(402);
    expect((await questions(person))[0]).toMatchObject({ id: asked.id, status: 'pending' });
    expect(await latest(person)).toMatchObject({ status: 'in-review' });
  });
});
