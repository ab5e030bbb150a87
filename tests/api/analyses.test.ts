import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { AnalysisSummary } from '../../models/contracts/clinical_safety/analyses.ts';
import type { HazardAnalysis } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { Message } from '../../models/message.ts';
import { runInAccount } from '../../models/store/context.ts';
import { addColleague } from '../factories/colleague.ts';
import { eventually, messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const upload = async ({ browser }: Person, fileName: string, bytes: Uint8Array | string) =>
  browser
    .post('/api/arc-chat/upload-hazard-log')
    .attach('hazardLogFile', Buffer.from(bytes), fileName)
    .field('sessionId', 'chat_1')
    .expect(200);
const analyse = ({ browser }: Person, agentId: number) =>
  browser.post(`/api/clinical-safety-agent/${agentId}/analyze-hazard-log`).send({}).expect(200);
const list = async ({ browser }: Person) =>
  (await browser.get('/api/hazard-analyses').expect(200)).body as AnalysisSummary[];

/** @shows GET /api/hazard-analyses, GET /api/hazard-analysis/:id, /analyses no permission */
test('an analysis is listed with its figures and read by its id, by every member and nobody else', async () => {
  const owner = await signUpReady(server);
  const { log } = await readSample();
  await upload(owner, 'Ward log v1.7.xlsx', log.bytes);
  await analyse(owner, owner.agent.id);
  const { card } = await messageOfKind(owner, 'analysis-complete');
  const id = card?.hazardAnalysisId as number;
  const colleague = await addColleague(server, owner, ['member']);
  for (const person of [owner, colleague]) {
    const [listed] = await list(person);
    expect(listed).toMatchObject({
      id,
      logFileName: 'Ward log v1.7.xlsx',
      ticketsFileName: null,
      isSample: false,
      by: 'Ada Okafor',
      figures: { ticketsAnalysed: 0, covered: 0, relevant: 0 },
    });
    const { body } = await person.browser.get(`/api/hazard-analysis/${id}`).expect(200);
    expect(body.existingHazards).toHaveLength(listed?.figures?.hazards as number);
    const toFix = body.findings.filter(({ level }: { level: string }) => level === 'fix').length;
    expect(listed?.figures?.toFix).toBe(toFix);
  }
  const stranger = await signUp(server);
  expect(await list(stranger)).toEqual([]);
  expect((await stranger.browser.get(`/api/hazard-analysis/${id}`)).status).toBe(404);
  expect((await server.browser().get(`/api/hazard-analysis/${id}`)).status).toBe(401);
});

test('an analysis of the sample is listed as one', async () => {
  const person = await signUpReady(server);
  await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
  await eventually(async () => (await person.browser.get('/api/arc-chat/history')).body.ready.log, 'the sample');
  await analyse(person, person.agent.id);
  await messageOfKind(person, 'analysis-complete');
  expect((await list(person)).map(({ isSample }) => isSample)).toEqual([true]);
});

const say = ({ browser }: Person, message: string) =>
  browser.post('/api/arc-chat/send').send({ message, sessionId: 'chat_1' }).expect(200);
/** The reply to the newest message of the person. */
async function ask(person: Person, message: string): Promise<string> {
  await say(person, message);
  const reply = await eventually(async () => {
    const { messages } = (await person.browser.get('/api/arc-chat/history')).body as { messages: ChatMessage[] };
    const at = messages.findIndex((one) => one.messageType === 'user' && one.message === message);
    return at > 0 ? messages[at - 1] : null;
  }, 'a reply');
  return reply.message;
}
/** A log with so many hazards. */
const logOf = (count: number) =>
  `Hazard ID,Hazard,Cause,Clinical impact,Initial severity,Initial likelihood,Initial risk\n${Array.from(
    { length: count },
    (_, at) => `H-${at + 1},Hazard of kind ${at + 1},Cause ${at + 1},Harm,Major,Low,3`,
  ).join('\n')}\n`;
async function analyseLog(person: Person, agentId: number, fileName: string, count: number): Promise<number> {
  const [before] = await list(person);
  await upload(person, fileName, logOf(count));
  await analyse(person, agentId);
  // The figures are stored before the conversation works on the analysis, and before it is told so.
  return eventually(async () => {
    const { messages, working } = (await person.browser.get('/api/arc-chat/history')).body;
    const complete = (messages as ChatMessage[]).find(({ kind }) => kind === 'analysis-complete');
    const id = complete?.card?.hazardAnalysisId ?? 0;
    return working.length === 0 && id > (before?.id ?? 0) && id;
  }, 'the analysis');
}

describe('a conversation', () => {
  test('is answered from the analysis that it made, though a colleague made a newer one', async () => {
    const owner = await signUpReady(server);
    const own = await analyseLog(owner, owner.agent.id, 'Own.csv', 3);
    const colleague = await addColleague(server, owner, ['member']);
    expect(await ask(colleague, 'How many hazards are there?')).toContain('3 hazards');
    await analyseLog(colleague, owner.agent.id, 'Other.csv', 5);
    expect(await ask(owner, 'How many hazards do we have?')).toContain('3 hazards');
    expect(await ask(colleague, 'How many hazards do we have?')).toContain('5 hazards');
    await owner.browser.post('/api/arc-chat/threads').send({}).expect(200);
    expect(await ask(owner, 'How many hazards are in the log?')).toContain('5 hazards');
    expect((await owner.browser.get(`/api/hazard-analysis/${own}`)).body.existingHazards).toHaveLength(3);
  });

  test('of the owner keeps the company’s log while a colleague tries the sample', async () => {
    const owner = await signUpReady(server);
    const own = await analyseLog(owner, owner.agent.id, 'Own.csv', 3);
    const colleague = await addColleague(server, owner, ['member']);
    await colleague.browser.post('/api/arc-chat/sample').send({}).expect(200);
    const readyLog = async () => (await colleague.browser.get('/api/arc-chat/history')).body.ready.log;
    await eventually(async () => (await readyLog())?.startsWith('Quillmere'), 'the sample');
    await analyse(colleague, owner.agent.id);
    await messageOfKind(colleague, 'analysis-complete');
    const latest = async ({ browser, user }: Person) =>
      (await browser.get(`/api/hazard-analysis/latest/${user.id}`).expect(200)).body;
    expect((await latest(owner)).id).toBe(own);
    expect((await latest(colleague)).logFileName).toMatch(/^Quillmere/);
    await owner.browser.post('/api/arc-chat/threads').send({}).expect(200);
    expect(await ask(owner, 'How many hazards are in the log?')).toContain('3 hazards');
    expect(await ask(colleague, 'How many hazards are in the log?')).toContain('25 hazards');
  });

  /** @shows POST /api/hazard-analysis/:id/open */
  test('opens an earlier analysis with its files, and is answered from it', async () => {
    const owner = await signUpReady(server);
    const first = await analyseLog(owner, owner.agent.id, 'First.csv', 3);
    await analyseLog(owner, owner.agent.id, 'Second.csv', 5);
    const open = ({ browser }: Person, id: number) => browser.post(`/api/hazard-analysis/${id}/open`).send({});
    const { body } = await open(owner, first).expect(200);
    const { messages, ready } = (await owner.browser.get('/api/arc-chat/history')).body;
    expect(ready.log).toBe('First.csv');
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ card: { hazardAnalysisId: first } });
    expect(messages[0].message).toContain('First.csv');
    expect(await ask(owner, 'How many hazards are in the log?')).toContain('3 hazards');
    const threads = (await owner.browser.get('/api/arc-chat/threads').expect(200)).body.threads as { id: string }[];
    expect(threads.map(({ id }) => id)).toContain(body.conversationId);

    const stranger = await signUpReady(server);
    expect((await open(stranger, first)).status).toBe(404);
    await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: false });
    expect((await open(owner, first)).body.code).toBe('channel_off');
  });

  test('names the analysis of its rows, so that chips and tables stay with it', async () => {
    const owner = await signUpReady(server);
    const first = await analyseLog(owner, owner.agent.id, 'First.csv', 3);
    await ask(owner, 'Which hazards have an initial risk above 2?');
    const { messages } = (await owner.browser.get('/api/arc-chat/history')).body as { messages: ChatMessage[] };
    const asked = messages[0]?.card?.asked;
    expect(asked?.of).toBe(first);
    await analyseLog(owner, owner.agent.id, 'Second.csv', 5);
    const again = async (of: number | undefined, person: Person = owner) =>
      person.browser.post('/api/arc-chat/ask-again').send({ agentId: 'clinical_safety', query: asked?.query, of });
    expect((await again(first)).body).toMatchObject({ asked: { of: first }, rows: { length: 3 } });
    expect((await again(undefined)).body).toMatchObject({ rows: { length: 5 } });
    expect((await again(first, await signUpReady(server))).status).toBe(404);
  });
});

describe('two versions of a log', () => {
  const compare = ({ browser }: Person, id: number, other?: number) =>
    browser.get(`/api/hazard-analysis/${id}/comparison${other === undefined ? '' : `?with=${other}`}`);

  /** @shows GET /api/hazard-analysis/:id/comparison, GET /api/hazard-analysis/:id/hazard-history */
  test('are compared on request, and in three lines of the chat after the second analysis', async () => {
    const owner = await signUpReady(server);
    const first = await analyseLog(owner, owner.agent.id, 'Ward v1.csv', 3);
    expect((await messageOfKind(owner, 'analysis-complete')).message).not.toContain('Since the earlier analysis');
    expect((await compare(owner, first).expect(200)).body).toBeNull();
    const second = await analyseLog(owner, owner.agent.id, 'Ward v2.csv', 5);
    const { body } = await compare(owner, second).expect(200);
    expect(body).toMatchObject({
      before: { id: first, logVersion: '1', coverage: null },
      after: { id: second, logVersion: '2' },
      hazards: { added: [{ id: 'H-4' }, { id: 'H-5' }], removed: [], rerated: [] },
    });
    const said = await eventually(async () => {
      const { message, card } = await messageOfKind(owner, 'analysis-complete');
      return card?.hazardAnalysisId === second && message;
    }, 'the message');
    expect(said).toMatch(
      /• Since the earlier analysis \(v1, \d+ \w+ \d{4}\): 2 hazards added, 0 removed, 0 re-rated\.\n• Findings to fix or check: \d+ fixed, \d+ new, \d+ still open\.\n• Coverage has no figure in either analysis\.$/,
    );
    // Counts alone reach a channel in every consent mode.
    const stored = await runInAccount(owner.user.accountId, () =>
      Message.findOne({ accountId: owner.user.accountId, 'card.hazardAnalysisId': second }).lean(),
    );
    expect(stored?.derived?.reference).toMatch(/^Analysis complete: 5 hazards, .+\. Changed: 2 hazards added.*\. http/);
    expect(stored?.derived?.reference).not.toContain('Ward');

    await analyseLog(owner, owner.agent.id, 'Ward v3.csv', 6);
    expect((await compare(owner, second, first).expect(200)).body.before.id).toBe(first);
    const [newest] = await list(owner);
    expect((await compare(owner, newest?.id as number).expect(200)).body.before.id).toBe(second);

    const history = ({ browser }: Person, id: number, hazard: string, row: number) =>
      browser.get(`/api/hazard-analysis/${id}/hazard-history`).query({ hazard, row });
    const { existingHazards } = (await owner.browser.get(`/api/hazard-analysis/${second}`)).body as HazardAnalysis;
    const row = (wanted: string) => existingHazards.find(({ id }) => id === wanted)?.rows.first ?? 0;
    const ids = async (hazard: string) =>
      (await history(owner, second, hazard, row(hazard)).expect(200)).body.map(
        ({ analysisId }: { analysisId: number }) => analysisId,
      );
    expect(await ids('H-1')).toEqual([newest?.id, second, first]);
    expect(await ids('H-5')).toEqual([newest?.id, second]);
    expect((await history(owner, second, 'H-1', row('H-2')).expect(200)).body).toEqual([]);
    expect((await history(owner, second, 'H-1', 0)).status).toBe(400);

    const stranger = await signUpReady(server);
    expect((await history(stranger, second, 'H-1', row('H-1'))).status).toBe(404);
    const theirs = await analyseLog(stranger, stranger.agent.id, 'Ward v1.csv', 3);
    expect((await compare(stranger, second)).status).toBe(404);
    expect((await compare(stranger, theirs, first)).status).toBe(404);
    expect((await compare(stranger, theirs).expect(200)).body).toBeNull();
  });
});

/**
 * @shows GET /api/hazard-analysis/:id/findings, PATCH /api/hazard-analysis/:id/findings,
 * POST /api/hazard-analysis/:id/findings/comments
 */
test('a finding is accepted and commented on, and carried into the next analysis; nobody else sees it', async () => {
  const owner = await signUpReady(server);
  const first = await analyseLog(owner, owner.agent.id, 'Ward v1.csv', 3);
  const path = (id: number) => `/api/hazard-analysis/${id}/findings`;
  const { findings } = (await owner.browser.get(`/api/hazard-analysis/${first}`)).body as HazardAnalysis;
  const findingId = findings.find(({ level }) => level !== 'note')?.id as string;
  const accept = { findingId, version: 0, change: { accept: 'Known' } };
  await owner.browser
    .patch(path(first))
    .send({ ...accept, change: { accept: ' ' } })
    .expect(400);
  await owner.browser.patch(path(first)).send(accept).expect(200);
  expect((await owner.browser.patch(path(first)).send(accept)).status).toBe(409);
  await owner.browser
    .post(`${path(first)}/comments`)
    .send({ findingId, text: 'Looked at it' })
    .expect(200);
  const second = await analyseLog(owner, owner.agent.id, 'Ward v2.csv', 3);
  const { body } = await owner.browser.get(path(second)).expect(200);
  expect(body.lives).toMatchObject([
    { accepted: { reason: 'Known', holds: true }, comments: [{ text: 'Looked at it' }] },
  ]);
  const assignedTo = async ({ browser }: Person) => (await browser.get('/api/desk').expect(200)).body.assigned;
  const change = (version: number, to: object) =>
    owner.browser.patch(path(first)).send({ findingId, version, change: to }).expect(200);
  await change(1, { assignTo: owner.user.id });
  expect(await assignedTo(owner)).toEqual([]);
  await change(2, { reopen: true });
  expect(await assignedTo(owner)).toEqual([
    { text: '1 finding assigned to you', path: expect.stringContaining(`/analyses/${second}?show=findings&`) },
  ]);
  const member = await addColleague(server, owner, ['member']);
  expect(await assignedTo(member)).toEqual([]);
  expect((await member.browser.patch(path(first)).send({ ...accept, version: 3 })).status).toBe(403);
  const stranger = await signUp(server);
  expect((await stranger.browser.get(path(first))).status).toBe(404);
  expect((await stranger.browser.patch(path(first)).send(accept)).status).toBe(404);
  expect((await stranger.browser.post(`${path(first)}/comments`).send({ findingId, text: 'x' })).status).toBe(404);
});
