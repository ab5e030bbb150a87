import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditEvent } from '../../../models/auditEvent.ts';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import type { HazardAnalysis } from '../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { ReadingProfile } from '../../../models/contracts/clinical_safety/readingProfiles.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { openLog } from '../../factories/openLog.ts';
import { eventually, type Person, signUpReady } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';

type Ready = Person & { agent: { id: number } };
let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const latest = async ({ browser, user }: Person) =>
  (await browser.get(`/api/hazard-analysis/latest/${user.id}`).expect(200)).body as HazardAnalysis | null;
const questions = async ({ browser, agent }: Ready) =>
  (await browser.get(`/api/agents/${agent.id}/interrupts`).expect(200)).body as Interrupt[];
const pending = async (person: Ready) => (await questions(person)).find(({ status }) => status === 'pending');
const asked = (person: Ready) => eventually(() => pending(person), 'the question');
const messages = async ({ browser }: Person) =>
  (await browser.get('/api/arc-chat/history?limit=200').expect(200)).body.messages as ChatMessage[];
const profiles = async ({ browser }: Person) =>
  (await browser.get('/api/reading-profiles').expect(200)).body as { mayChange: boolean; profiles: ReadingProfile[] };
const change = ({ browser }: Person, { id, version }: Pick<ReadingProfile, 'id' | 'version'>, body: object) =>
  browser.patch(`/api/reading-profiles/${id}`).send({ version, ...body });

/** Uploads a log and starts its analysis. */
async function analyse({ browser, agent }: Ready, fileName: string, text: string) {
  await browser
    .post('/api/arc-chat/upload-hazard-log')
    .attach('hazardLogFile', Buffer.from(text), fileName)
    .field('sessionId', 'chat_1')
    .expect(200);
  await browser.post(`/api/clinical-safety-agent/${agent.id}/analyze-hazard-log`).send({ message: 'Go' }).expect(200);
}
const completed = (person: Ready, logFileName: string) =>
  eventually(async () => {
    const analysis = await latest(person);
    return analysis?.logFileName === logFileName && analysis.status === 'complete' ? analysis : null;
  }, `the analysis of ${logFileName}`);
const answer = ({ browser }: Person, { id }: Interrupt, choice: string) =>
  browser
    .patch(`/api/interrupts/${id}/resolve`)
    .send({ userResponse: { choices: { choice1: choice } } })
    .expect(200);

/** A company whose log was read as severity times likelihood. */
async function settled(): Promise<Ready> {
  const person = await signUpReady(server);
  await analyse(person, 'Ward log v1.csv', openLog());
  await answer(person, await asked(person), 'option2');
  await completed(person, 'Ward log v1.csv');
  return person;
}

describe('a log whose matrix can’t be told', () => {
  /** @shows GET /api/reading-profiles */
  test('is asked about once, read as answered, and its next version is read so without asking', async () => {
    const person = await signUpReady(server);
    await analyse(person, 'Ward log v1.csv', openLog());
    const question = await asked(person);
    expect(question.interruptType).toBe('choices');
    expect(question.prompt).toContain('Ward log v1.csv can be read in more than one way.');
    expect(question.view.fields.map(({ label, options }) => [label, options?.map((one) => one.label)])).toEqual([
      [
        'Which matrix gives the risk?',
        ['The NHS table (DCB0129 4.2)', 'Severity times likelihood', 'None of these: compare no risk', 'I don’t know'],
      ],
    ]);
    expect(question.view.sections[2]?.items.map(({ quote }) => quote)).toContainEqual({
      text: 'Severity: 2 - Significant · Likelihood: 2 - Low · Risk: 2',
      source: 'Ward log v1.csv E3',
    });
    await answer(person, question, 'option2');
    const first = await completed(person, 'Ward log v1.csv');
    expect(first.analysisMetadata?.log.matrix).toMatchObject({ source: 'numeric', basis: 'chosen' });
    const differs = first.findings.filter(({ rule }) => rule === 'risk-differs-from-matrix');
    expect(differs.map(({ level, hazardId, expected }) => [level, hazardId, expected])).toEqual([['fix', 'H2', '4']]);
    const { profiles: kept, mayChange } = await profiles(person);
    expect(mayChange).toBe(true);
    expect(kept).toMatchObject([
      { fileName: 'Ward log v1.csv', by: 'Ada Okafor', version: 1, points: [{ id: 'scale', choice: 'product' }] },
    ]);

    await analyse(person, 'Ward log v2.csv', openLog(['H4,Late dose,a,b,3,3,9']));
    const second = await completed(person, 'Ward log v2.csv');
    expect(second.analysisMetadata?.log.matrix).toMatchObject({ source: 'numeric', basis: 'chosen' });
    expect(second.readAs).toEqual({
      profileId: kept[0]?.id,
      by: 'Ada Okafor',
      at: kept[0]?.at,
      points: [{ label: 'Which matrix gives the risk?', answer: 'Severity times likelihood' }],
    });
    expect(await questions(person)).toHaveLength(1);
    const lines = (await messages(person))
      .filter(({ kind }) => kind === 'analysis-complete')
      .map(({ message }) => message.split('\n').find((line) => line.includes('Read as')));
    const line =
      /^• Read as Ada Okafor chose on \d+ \w+ \d{4}: Which matrix gives the risk\? Severity times likelihood\.$/;
    expect(lines).toEqual(lines.map(() => expect.stringMatching(line)));
    expect(lines.length).toBeGreaterThan(0);
  });

  test('of another company is asked about, and the company sees nothing of the first one’s profile', async () => {
    const owner = await settled();
    const other = await signUpReady(server);
    await analyse(other, 'Ward log v1.csv', openLog());
    await asked(other);
    expect((await profiles(other)).profiles).toEqual([]);
    const [profile] = (await profiles(owner)).profiles;
    const refused = await change(other, profile as ReadingProfile, { isForgotten: true }).expect(404);
    expect(refused.body.code).toBe('not_found');
    expect((await profiles(owner)).profiles).toHaveLength(1);
  });

  test('is read with care where nobody knows, and not asked about again', async () => {
    const person = await signUpReady(server);
    await analyse(person, 'Ward log v1.csv', openLog(['H4,Late dose,a,b,3 - Considerable,3 - Medium,5']));
    await answer(person, await asked(person), 'unknown');
    const { findings, analysisMetadata, readAs } = await completed(person, 'Ward log v1.csv');
    expect(analysisMetadata?.log.matrix).toMatchObject({ source: 'nhs', basis: 'assumed' });
    expect(readAs?.points[0]?.answer).toBe('Not known: read with care');
    const differs = findings.filter(({ rule }) => rule === 'risk-differs-from-matrix');
    expect(differs.map(({ level, hazardId }) => [level, hazardId])).toEqual([['check', 'H4']]);
    await analyse(person, 'Ward log v2.csv', openLog());
    await completed(person, 'Ward log v2.csv');
    expect(await questions(person)).toHaveLength(1);
  });
});

describe('the reply to an upload', () => {
  const NOT_SETTLED = 'Not settled: Which matrix gives the risk?';
  const replies = async (person: Ready) =>
    (await messages(person))
      .filter(({ kind, messageType }) => kind === 'upload' && messageType === 'assistant')
      .map(({ message }) => message);
  const upload = ({ browser }: Ready, fileName: string) =>
    browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from(openLog(['H5,Late dose,a,b,3 - Considerable,3 - Medium,'])), fileName)
      .field('sessionId', 'chat_1')
      .expect(200);

  test('says what isn’t settled for the first version, and not for the next, which the profile settles', async () => {
    const person = await settled();
    const [first] = await replies(person);
    expect(first).toContain(NOT_SETTLED);
    await upload(person, 'Ward log v2.csv');
    const second = (await replies(person)).find((text) => text.startsWith('Ward log v2.csv'));
    expect(second).toContain('is a hazard log with 4 data rows.');
    expect(second).not.toContain('Not settled');
    const other = await signUpReady(server);
    await upload(other, 'Ward log v2.csv');
    expect((await replies(other))[0]).toContain(NOT_SETTLED);
  });
});

describe('how a log is read', () => {
  /** @shows PATCH /api/reading-profiles/:id */
  test('is changed, forgotten and restored, each from the version that was shown', async () => {
    const person = await settled();
    const [profile] = (await profiles(person)).profiles as [ReadingProfile];
    const points = [{ point: 'scale', choice: 'nhs' }];
    const { body: changed } = await change(person, profile, { points }).expect(200);
    expect(changed).toMatchObject({ version: 2, points: [{ choice: 'nhs' }] });
    expect((await change(person, profile, { points }).expect(409)).body.code).toBe('conflict');
    for (const wrong of [
      { point: 'scale', choice: 'own:made up#1' },
      { point: 'direction', choice: null },
    ])
      expect((await change(person, changed, { points: [wrong] }).expect(400)).body.fields).toHaveProperty('points');

    await analyse(person, 'Ward log v2.csv', openLog());
    expect((await completed(person, 'Ward log v2.csv')).analysisMetadata?.log.matrix.source).toBe('nhs');

    const { body: forgotten } = await change(person, changed, { isForgotten: true }).expect(200);
    expect((await profiles(person)).profiles).toEqual([]);
    await analyse(person, 'Ward log v3.csv', openLog());
    await asked(person);
    await change(person, forgotten, { isForgotten: false }).expect(200);
    // Restoring it is no choice: who chose, and when, stays.
    expect((await profiles(person)).profiles).toMatchObject([
      { id: profile.id, points: [{ choice: 'nhs' }], at: changed.at, version: 4 },
    ]);
    const { accountId, id: userId } = person.user;
    const subject = `reading-profile:${profile.id}`;
    const events = await runInAccount(accountId, () => AuditEvent.find({ accountId, subject }).sort({ seq: 1 }).lean());
    expect(events.map((event) => [event.event, event.userId, event.outcome])).toEqual(
      ['settled', 'forgotten', 'restored'].map((outcome) => ['reading.changed', userId, outcome]),
    );
  });

  test('is changed by one of two people who saw the same version', async () => {
    const person = await settled();
    const [profile] = (await profiles(person)).profiles as [ReadingProfile];
    const answers = await Promise.all(
      ['nhs', 'none'].map((choice) => change(person, profile, { points: [{ point: 'scale', choice }] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const changed = answers.find(({ status }) => status === 200);
    expect((await profiles(person)).profiles).toEqual([changed?.body]);
  });

  test('is shown to every member, and changed only by who may answer questions', async () => {
    const owner = await settled();
    const email = `${randomUUID()}@example.org`;
    const invited = await owner.browser
      .post('/api/account/members')
      .send({ email, roles: ['member'] })
      .expect(200);
    const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
    const member = { browser: server.browser() } as Person;
    const password = 'correct-horse-1';
    await member.browser.post('/api/account/invitations/accept').send({ token, password }).expect(200);
    const [profile] = (await profiles(owner)).profiles as [ReadingProfile];
    expect(await profiles(member)).toEqual({ mayChange: false, profiles: [profile] });
    expect((await change(member, profile, { isForgotten: true }).expect(403)).body.code).toBe('not_allowed');
    expect((await profiles(owner)).profiles).toEqual([profile]);
  });
});
