import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { AuditEvent, GENESIS, hashAuditRow } from '../../models/auditEvent.ts';
import type { ChatMessage, RunProgress } from '../../models/contracts/chat.ts';
import type { HazardAnalysis } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { TicketVerdict } from '../../models/contracts/clinical_safety/hazards.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { StoredFile } from '../../models/file.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { holdRecording } from '../factories/holdRecording.ts';
import { mustChoose, proposalsOf } from '../factories/interrupt.ts';
import { eventually, messageOfKind, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';

type Ready = Person & { agent: { id: number } };
let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const upload = ({ browser }: Person, fileName: string, bytes: Uint8Array | string) =>
  browser
    .post('/api/arc-chat/upload-hazard-log')
    .attach('hazardLogFile', Buffer.from(bytes), fileName)
    .field('sessionId', 'chat_1');
const latest = async ({ browser, user }: Person) =>
  (await browser.get(`/api/hazard-analysis/latest/${user.id}`).expect(200)).body as HazardAnalysis | null;
const allQuestions = async ({ browser, agent }: Ready) =>
  (await browser.get(`/api/agents/${agent.id}/interrupts`).expect(200)).body as Interrupt[];
const questions = async (person: Ready) => withoutMatches(await allQuestions(person));
const resolve = ({ browser }: Person, id: number, answer: object) =>
  browser.patch(`/api/interrupts/${id}/resolve`).send(answer);

async function analysed(withTickets = true): Promise<{ person: Ready; asked: Interrupt }> {
  const person = await signUpReady(server);
  const { log, tickets } = await readSample();
  if (withTickets) await upload(person, tickets.fileName, tickets.bytes).expect(200);
  await upload(person, log.fileName, log.bytes).expect(200);
  await person.browser
    .post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`)
    .send({ message: 'Go' })
    .expect(200);
  const { card } = await messageOfKind(person, 'analysis-complete');
  expect(card).toMatchObject({ page: `/analyses/${card?.hazardAnalysisId}` });
  const asked = await eventually(
    async () => (await questions(person)).find(({ status }) => status === 'pending') ?? !withTickets,
    'the review',
  );
  return { person, asked: asked as Interrupt };
}

const mergeCall = ({ browser }: Person, analysisResultId: number) =>
  browser.post('/api/hazard-analysis/create-merged-hazard-log').send({ analysisResultId });

let unanswered: ReturnType<typeof analysed> | undefined;
/** One analysis for the tests that leave its review unchanged. */
const waitingReview = () => (unanswered ??= analysed());

/** @shows GET /api/agents/:userAgentId/interrupts, GET /api/workspaces/:agentId */
test('an agent’s work is listed newest first, by its catalogue name or its id, with pending questions', async () => {
  const { person, asked } = await analysed();
  const { browser, agent } = person;
  const body = await eventually(async () => {
    const list = (await browser.get('/api/workspaces/clinical_safety').expect(200)).body;
    return list[0]?.status === 'waiting' ? list : null;
  }, 'the work to wait');
  expect(body[0]).toEqual({
    id: expect.any(Number),
    userAgentId: agent.id,
    status: 'waiting',
    createdAt: expect.stringMatching(/Z$/),
    goal: 'Go',
    thinking: null,
    output: null,
    page: expect.stringMatching(/^\/analyses\/\d+$/),
    figmaLink: null,
    figmaFileKey: null,
  });
  const ids = (body as { id: number }[]).map(({ id }) => id);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
  expect((await browser.get(`/api/workspaces/${agent.id}`).expect(200)).body).toEqual(body);

  expect(asked).toMatchObject({ userAgentId: agent.id, agentId: 'clinical_safety', interruptType: 'hazard_review' });
  expect(proposalsOf(asked).length).toBeGreaterThan(0);
  await resolve(person, asked.id, { approved: false, reason: 'Out of scope' }).expect(200);
  const after = await eventually(async () => {
    // The possible matches are asked about next, a part at a time.
    const open = (await allQuestions(person)).find(({ status }) => status === 'pending');
    if (open) await resolve(person, open.id, { approved: false }).expect(200);
    return (await browser.get('/api/workspaces/clinical_safety')).body.find(
      ({ id, status }: { id: number; status: string }) => id === body[0].id && status === 'completed',
    );
  }, 'the end of the work');
  expect(after.output).toMatch(
    / 0 accepted, 0 edited, \d+ rejected\. Matches: 0 confirmed, 0 with another hazard, \d+ with no hazard\./,
  );
});

describe('uploading', () => {
  /** @shows POST /api/arc-chat/upload-hazard-log */
  test('says which file it recognised, in either order, and what comes next', async () => {
    const person = await signUpReady(server);
    const { log, tickets } = await readSample();
    const first = await upload(person, tickets.fileName, tickets.bytes).expect(200);
    expect(first.body).toMatchObject({
      success: true,
      parseResult: { kind: 'tickets', fileName: tickets.fileName, rowCount: 120 },
    });
    expect((await messageOfKind(person, 'upload')).message).toContain('Now drop in the hazard log');
    const second = await upload(person, log.fileName, log.bytes).expect(200);
    expect(second.body.parseResult).toMatchObject({ kind: 'hazard-log', fileName: log.fileName });
    const { body } = await person.browser.get('/api/arc-chat/history');
    expect(body.ready).toEqual({ log: log.fileName, tickets: tickets.fileName });
  });

  test('two logs uses the newest, and the chat says so', async () => {
    const person = await signUpReady(server);
    const { log } = await readSample();
    await upload(person, 'first.xlsx', log.bytes).expect(200);
    await upload(person, 'second.xlsx', log.bytes).expect(200);
    expect((await messageOfKind(person, 'upload')).message).toContain('It replaces the earlier hazard log');
  });

  test('something invalid shows the specification’s texts', async () => {
    const person = await signUpReady(server);
    const none = await person.browser.post('/api/arc-chat/upload-hazard-log').field('sessionId', 'chat_1');
    expect({ status: none.status, error: none.body.error }).toEqual({ status: 400, error: 'No file selected' });
    const type = await upload(person, 'notes.pdf', '%PDF-1.4');
    expect({ status: type.status, error: type.body.error }).toEqual({
      status: 415,
      error: 'Please select an Excel (.xlsx, .xls) or CSV file.',
    });
    const large = await upload(person, 'log.csv', 'a'.repeat(10 * 1024 * 1024 + 1));
    expect({ status: large.status, error: large.body.error }).toEqual({
      status: 413,
      error: 'Please select a file smaller than 10MB.',
    });
  });

  test.each([
    ['a renamed program', 'log.xlsx', Buffer.from(`MZ${'\0'.repeat(200)}This program cannot be run in DOS mode`)],
    ['a file that is neither', 'cities.csv', 'city,people\nLeeds,800000\nYork,200000\n'],
    ['a CSV of one column', 'one.csv', 'Hazard\nWrong patient\nWrong dose\n'],
  ])('%s gets a clear message in the chat, within two seconds', async (_what, name, bytes) => {
    const person = await signUpReady(server);
    const begun = Date.now();
    const { status, body } = await upload(person, name, bytes);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_file' });
    expect((await messageOfKind(person, 'refused')).message).toBe(body.error);
  });

  test('an empty file, or two files at once, is reported as such', async () => {
    const person = await signUpReady(server);
    const empty = await upload(person, 'empty.csv', '');
    expect({ status: empty.status, code: empty.body.code }).toEqual({ status: 422, code: 'invalid_file' });
    expect((await messageOfKind(person, 'refused')).message).toBe(empty.body.error);
    const two = await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from('a,b\n1,2\n'), 'one.csv')
      .attach('hazardLogFile', Buffer.from('a,b\n1,2\n'), 'two.csv');
    expect({ status: two.status, error: two.body.error }).toEqual({
      status: 400,
      error: 'Please send one file at a time.',
    });
  });

  test('while signed out is not read', async () => {
    const answer = await server
      .browser()
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from('a'), 'a.csv');
    expect(answer.status).toBe(401);
  });
});

describe('analysing', () => {
  /** @shows POST /api/clinical-safety-agent/:id/analyze-hazard-log */
  test('without a log says what is missing', async () => {
    const person = await signUpReady(server);
    const call = await person.browser.post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`).send({});
    expect({ status: call.status, code: call.body.code }).toEqual({ status: 422, code: 'no_log' });
    await person.browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log' });
    expect((await messageOfKind(person, 'log-missing')).message).toContain('There is no hazard log yet');
  });

  test('without tickets runs, and says that 0 tickets were analysed', async () => {
    const { person } = await analysed(false);
    expect((await messageOfKind(person, 'analysis-started')).message).toContain('0 tickets will be analysed');
    const result = await latest(person);
    expect(result?.analysisMetadata?.jiraAnalysis.ticketsAnalyzed).toBe(0);
    expect(result?.analysisMetadata?.coverageScore).toBeNull();
    expect(result?.existingHazards).toHaveLength(25);
  });

  /**
   * @shows GET /api/hazard-analysis/:id/tickets, GET /api/hazard-analysis/:id/tickets.csv,
   * GET /api/hazard-analysis/latest/:userId
   */
  test('gives hazards, findings with places, coverage, proposals with quotes', async () => {
    const { person, asked } = await waitingReview();
    const result = await latest(person);
    expect(result).toMatchObject({ status: 'in-review', interruptId: asked.id });
    expect(result?.existingHazards).toHaveLength(25);
    for (const finding of result?.findings ?? []) {
      expect(finding.places.length).toBeGreaterThan(0);
      for (const { sheet, cell } of finding.places) {
        expect(sheet).not.toBe('');
        expect(cell).toMatch(/^[A-Z]+\d+$|^row \d+$/);
      }
    }
    const { coverage, jiraAnalysis } = result?.analysisMetadata ?? {};
    expect(jiraAnalysis?.ticketsAnalyzed).toBe(120);
    expect(coverage?.covered).toBeLessThanOrEqual(coverage?.relevant ?? 0);
    expect(result?.newHazards.length).toBeGreaterThan(0);
    const tickets = (await person.browser.get(`/api/hazard-analysis/${result?.id}/tickets`).expect(200))
      .body as TicketVerdict[];
    expect(tickets).toHaveLength(120);
    for (const { evidence, candidates, sure } of result?.newHazards ?? []) {
      expect(candidates.length).toBe(sure ? 1 : candidates.length);
      for (const { ticketKey, quote } of evidence) {
        expect(tickets.map(({ key }) => key)).toContain(ticketKey);
        expect(quote).not.toBe('');
      }
    }
    const csv = await person.browser.get(`/api/hazard-analysis/${result?.id}/tickets.csv`).expect(200);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.text.split('\n').length).toBeGreaterThan(120);
  });

  /** @shows POST /api/arc-chat/runs/:runId/cancel */
  test('can be cancelled while its review waits: the question is withdrawn and no result is stored', async () => {
    const { person, asked } = await analysed();
    const working = await eventually(async () => {
      const { body } = await person.browser.get('/api/arc-chat/history');
      return (body.working as RunProgress[]).find(({ status }) => status === 'waiting');
    }, 'the run to wait');
    expect(working).toMatchObject({ cancellable: true, title: 'Hazard log analysis' });
    await person.browser.post(`/api/arc-chat/runs/${working.runId}/cancel`).send({}).expect(200);
    const [question] = await questions(person);
    expect(question?.status).toBe('cancelled');
    expect((await latest(person))?.status).toBe('cancelled');
    const late = await resolve(person, asked.id, { approved: true });
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'already_answered' });
    await messageOfKind(person, 'cancelled');
  });

  test('five times at once runs once; a later run replaces one that waits for its review', async () => {
    const person = await signUpReady(server);
    const { log, tickets } = await readSample();
    await upload(person, tickets.fileName, tickets.bytes).expect(200);
    await upload(person, log.fileName, log.bytes).expect(200);
    const call = () => person.browser.post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`).send({});
    const answers = await Promise.all(Array.from({ length: 5 }, call));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'run_in_progress')).toHaveLength(4);
    const waits = async (count: number) => {
      const all = await questions(person);
      return all.length === count && all.filter(({ status }) => status === 'pending').length === 1 ? all : null;
    };
    await eventually(() => waits(1), 'one review');
    await eventually(async () => (await call()).status === 200, 'the second analysis');
    const [second, first] = (await eventually(() => waits(2), 'the second review')).sort((a, b) => b.id - a.id);
    expect([second?.status, first?.status]).toEqual(['pending', 'cancelled']);
  });

  test('can be cancelled at any moment: it ends once, and leaves no question', async () => {
    const person = await signUpReady(server);
    const { log, tickets } = await readSample();
    await upload(person, log.fileName, log.bytes).expect(200);
    await upload(person, tickets.fileName, tickets.bytes).expect(200);
    for (const [index, milliseconds] of [30, 90, 130, 160, 190, 220, 260].entries()) {
      const { body } = await person.browser
        .post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`)
        .send({});
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      await person.browser.post(`/api/arc-chat/runs/${body.runId}/cancel`).send({}).expect(200);
      await eventually(async () => {
        const { body: now } = await person.browser.get('/api/arc-chat/history?limit=200');
        const said = (now.messages as ChatMessage[]).filter(({ kind }) => kind === 'cancelled');
        expect(said.length).toBeLessThanOrEqual(index + 1);
        return said.length === index + 1 && now.working.length === 0;
      }, 'the run to be over, and that to be said');
      expect((await questions(person)).filter(({ status }) => status === 'pending')).toEqual([]);
    }
  });

  test('can be cancelled while the files are read', async () => {
    const person = await signUpReady(server);
    const { log } = await readSample();
    await upload(person, log.fileName, log.bytes).expect(200);
    const { body } = await person.browser
      .post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`)
      .send({});
    await person.browser.post(`/api/arc-chat/runs/${body.runId}/cancel`).send({}).expect(200);
    await messageOfKind(person, 'cancelled');
    await eventually(async () => {
      const { body: now } = await person.browser.get('/api/arc-chat/history');
      return now.working.length === 0;
    }, 'the run to be over');
  });

  /** @shows GET /api/download/:fileName */
  test('is invisible to another account, which can’t cancel, answer or download it', async () => {
    const { person, asked } = await waitingReview();
    const other = await signUpReady(server);
    const result = await latest(person);
    const { body } = await person.browser.get('/api/arc-chat/history');
    await other.browser.get(`/api/hazard-analysis/${result?.id}/tickets`).expect(404);
    await other.browser.post(`/api/arc-chat/runs/${body.working[0].runId}/cancel`).send({}).expect(404);
    expect((await resolve(other, asked.id, { approved: true })).status).toBe(404);
    await other.browser.get(`/api/download/${result?.files.newHazards}`).expect(404);
    await other.browser
      .post('/api/hazard-analysis/create-merged-hazard-log')
      .send({ analysisResultId: result?.id })
      .expect(422);
    await other.browser.post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`).send({}).expect(404);
    expect(await latest(other)).toBeNull();
  });
});

describe('the hazard review', () => {
  /** @shows PATCH /api/interrupts/:id/resolve */
  test('is answered row by row; the run resumes in the background; the log is merged', async () => {
    const { person, asked } = await analysed();
    const rows = proposalsOf(asked).map((row, index) => {
      const { id, values, option } = row;
      const choice = mustChoose(row) ? { choice: option } : {};
      if (index === 0) return { id, outcome: 'edited', values: { ...values, name: 'Edited by a person' }, ...choice };
      if (index === 1) return { id, outcome: 'rejected', reason: 'Out of scope' };
      return { id, outcome: 'accepted', ...choice };
    });
    const answer = await resolve(person, asked.id, { userResponse: { rows }, shownDigest: asked.shownDigest });
    expect(answer.status).toBe(200);
    expect(answer.body.resolution).toMatchObject({ outcome: 'modified', by: { name: 'Ada Okafor' }, via: 'inbox' });
    expect(answer.body.resolution.text).toMatch(/^Approved with changes by Ada Okafor in the inbox, \d\d:\d\d$/);
    const told = await messageOfKind(person, 'review-complete');
    expect(told.message).toContain('1 edited, 1 rejected');
    const reviewed = await latest(person);
    expect(reviewed).toMatchObject({ status: 'reviewed', decisions: rows });
    const merged = await person.browser
      .post('/api/hazard-analysis/create-merged-hazard-log')
      .send({ analysisResultId: reviewed?.id })
      .expect(200);
    const file = await person.browser.get(merged.body.downloadUrl).buffer(true).parse(binary).expect(200);
    expect((file.body as Buffer).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    expect(file.headers['content-disposition']).toContain('attachment');
    await messageOfKind(person, 'merge-complete');
    await person.browser.get(`/api/download/${reviewed?.files.newHazards}`).expect(200);
  });

  test('keeps the first answer: repeating it is 200, another is 409 with the first one', async () => {
    const { person, asked } = await analysed();
    const answers = await Promise.all([
      resolve(person, asked.id, { approved: true }),
      resolve(person, asked.id, { approved: false }),
      resolve(person, asked.id, { approved: true }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 409).length).toBeGreaterThanOrEqual(1);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatch(/This was answered already\. (Approved|Rejected) by Ada Okafor in the inbox/);
    expect(refused?.body.standing.status).toBe('resolved');
    const [standing] = await questions(person);
    const approved = standing?.resolution?.outcome === 'approved';
    expect((await resolve(person, asked.id, { approved })).status).toBe(200);
    expect((await resolve(person, asked.id, { approved: !approved })).status).toBe(409);
  });

  test('refuses an answer to something other than what is shown', async () => {
    const { person, asked } = await waitingReview();
    const answer = await resolve(person, asked.id, { approved: true, shownDigest: '0'.repeat(64) });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 409, code: 'conflict' });
    expect((await questions(person))[0]?.status).toBe('pending');
  });

  /** @shows PUT /api/interrupts/:id/draft */
  test('keeps the decisions made so far, and two reviewers see each other’s', async () => {
    const { person, asked } = await analysed();
    const [first] = proposalsOf(asked);
    const draft = (version: number, outcome: string) =>
      person.browser.put(`/api/interrupts/${asked.id}/draft`).send({ rows: [{ id: first?.id, outcome }], version });
    expect((await draft(0, 'accepted')).body.draft).toMatchObject({ version: 1, savedBy: 'Ada Okafor' });
    expect((await draft(0, 'rejected')).status).toBe(409);
    expect((await questions(person))[0]?.draft?.rows).toEqual([{ id: first?.id, outcome: 'accepted' }]);
  });

  test('can be seen but not answered by a member who is not an approver', async () => {
    const { person, asked } = await analysed();
    const { accountId, id: userId } = person.user;
    await Member.updateOne({ accountId, userId }, { $set: { roles: ['member'] } });
    announce(accountId, ['account', 'interrupts']);
    expect((await questions(person))[0]?.abilities).toMatchObject({ answer: false });
    expect((await resolve(person, asked.id, { approved: true })).body.code).toBe('not_allowed');
    // Nor may they decide single rows in the draft that an approver then sends.
    const draft = person.browser.put(`/api/interrupts/${asked.id}/draft`).send({ rows: [], version: 0 });
    expect((await draft).body.code).toBe('not_allowed');
    expect((await questions(person))[0]?.draft?.version).toBe(0);
  });

  test('can be answered in words, all rows at once', async () => {
    const { person } = await analysed();
    await person.browser.post('/api/arc-chat/send').send({ message: 'accept all' }).expect(200);
    const { message } = await messageOfKind(person, 'review-complete');
    expect(message).toContain('0 rejected');
    // The sample has rows with several matches; the message says in how many Arc picked one.
    expect(message).toMatch(/Arc picked the closest match in \d+ rows\. Check these before signing\./);
    expect((await questions(person))[0]?.resolution?.via).toBe('arc-chat');
  });

  test('is written into the audit chain with the digest of what was shown', async () => {
    const { person, asked } = await analysed();
    await resolve(person, asked.id, { approved: true }).expect(200);
    await messageOfKind(person, 'review-complete');
    const { accountId } = person.user;
    const rows = await eventually(async () => {
      const found = await runInAccount(accountId, () => AuditEvent.find({ accountId }).sort({ seq: 1 }).lean());
      return found.some(({ event }) => event === 'interrupt.answered') ? found : null;
    }, 'the audit row');
    expect(rows[0]).toMatchObject({ prevHash: GENESIS });
    expect(rows.find(({ event }) => event === 'interrupt.answered')).toMatchObject({
      userId: person.user.id,
      shownDigest: asked.shownDigest,
    });
    for (const [index, row] of rows.entries()) {
      expect(row.hash).toBe(hashAuditRow(row));
      if (index > 0) expect(row.prevHash).toBe(rows[index - 1]?.hash);
    }
  });

  test.each([
    ['by the call', (person: Ready, id: number) => mergeCall(person, id)],
    ['in the chat', async (person: Ready) => person.browser.post('/api/arc-chat/send').send({ message: 'merge' })],
  ])('is waited for by a merge that is asked for %s before it is recorded', async (_, ask) => {
    const { person, asked } = await analysed();
    const { id } = (await latest(person)) as HazardAnalysis;
    const { release, mergeToBegin } = holdRecording();
    let answer: Promise<{ status: number }>;
    try {
      await resolve(person, asked.id, { approved: true }).expect(200);
      answer = Promise.resolve(ask(person, id));
      await mergeToBegin();
      expect(await latest(person)).toMatchObject({ status: 'in-review', decisions: null, files: { merged: null } });
    } finally {
      release();
    }
    expect((await answer).status).toBe(200);
    await messageOfKind(person, 'merge-complete');
    const { body } = await person.browser.get('/api/arc-chat/history');
    const kinds = (body.messages as ChatMessage[]).map(({ kind }) => kind);
    // The newest comes first.
    expect(kinds.indexOf('merge-complete')).toBeLessThan(kinds.indexOf('review-complete'));
    expect(kinds.filter((kind) => kind === 'merge-complete')).toHaveLength(1);
    expect(await latest(person)).toMatchObject({ status: 'merged', files: { merged: expect.any(String) } });
  });

  test('can’t be merged before it is answered, and has nothing to merge after rejecting everything', async () => {
    const { person, asked } = await analysed();
    const { id } = (await latest(person)) as HazardAnalysis;
    const merge = () =>
      person.browser.post('/api/hazard-analysis/create-merged-hazard-log').send({ analysisResultId: id });
    expect((await merge()).body.code).toBe('review_pending');
    await resolve(person, asked.id, { approved: false }).expect(200);
    await messageOfKind(person, 'review-complete');
    expect((await merge()).body.error).toBe('No proposal was accepted, so there is nothing to merge.');
    expect(
      (await person.browser.post('/api/hazard-analysis/create-merged-hazard-log').send({ analysisResultId: 999_999 }))
        .body.error,
    ).toBe('Please complete a hazard log analysis before merging.');
  });
});

test('a file past its 90 days is 410, with what to do', async () => {
  const person = await signUpReady(server);
  const { log } = await readSample();
  await upload(person, 'old.xlsx', log.bytes).expect(200);
  await runInAccount(person.user.accountId, () =>
    StoredFile.updateOne({ name: 'old.xlsx' }, { $set: { expiresAt: new Date(0) } }),
  );
  const { status, body } = await person.browser.get('/api/download/old.xlsx');
  expect({ status, error: body.error }).toEqual({
    status: 410,
    error: 'This file is no longer kept. The analysis may have expired.',
  });
});

function binary(given: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const response = given as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
}

test('rows are never merged into another product’s log', async () => {
  const { person, asked } = await analysed();
  await resolve(person, asked.id, { approved: true }).expect(200);
  await messageOfKind(person, 'review-complete');
  const other = [
    'Hazard ID,Hazard name,Severity,Likelihood,Risk',
    ...Array.from({ length: 10 }, (_, at) => `X${at},Other hazard ${at},Major,Low,3`),
  ];
  await upload(person, 'another product.csv', other.join('\n')).expect(200);
  const { id } = (await latest(person)) as HazardAnalysis;
  const merge = await person.browser
    .post('/api/hazard-analysis/create-merged-hazard-log')
    .send({ analysisResultId: id });
  expect(merge.status).toBe(422);
  expect(merge.body.error).toContain('not the one that was analysed');
  expect((await latest(person))?.files.merged).toBeNull();
});

test('hazard logs and ticket exports have a size limit, which says when the oldest is deleted', async () => {
  const person = await signUpReady(server);
  const { log } = await readSample();
  await upload(person, log.fileName, log.bytes).expect(200);
  await runInAccount(person.user.accountId, () =>
    StoredFile.updateOne({ kind: 'hazard-log' }, { $set: { size: LIMITS.uploads.bytes } }),
  );
  const csv = Buffer.from('Issue key,Summary,Description\nRX-1,Wrong dose shown,\n');
  const refused = await upload(person, 'tickets.csv', csv);
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 422, code: 'uploads_full' });
  expect(refused.body.error).toMatch(/200 MB.*deleted 90 days after.*the oldest on \d{4}-\d\d-\d\d/);
  // An existing file takes no more room.
  await upload(person, log.fileName, log.bytes).expect(200);
});

test('tickets count towards the limit, and files sent at once can’t use the same room twice', async () => {
  const person = await signUpReady(server);
  const csv = (rows: number) =>
    Buffer.from(
      `Issue key,Summary,Description\n${Array.from({ length: rows }, (_, at) => `RX-${at},Wrong dose shown,\n`).join('')}`,
    );
  const first = csv(20);
  await upload(person, 'first.csv', first).expect(200);
  const leave = (room: number) =>
    runInAccount(person.user.accountId, () =>
      StoredFile.updateOne({ kind: 'tickets' }, { $set: { size: LIMITS.uploads.bytes - room } }),
    );
  await leave(0);
  expect((await upload(person, 'second.csv', csv(30))).body.code).toBe('uploads_full');
  // Room for one of these, but not for all.
  await leave(csv(43).length + 1);
  const answers = await Promise.all([40, 41, 42, 43].map((rows) => upload(person, `${rows}.csv`, csv(rows))));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
});
