import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { sweepRuns } from '../../../../bot/engine/workflows/sweepRuns.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ChatMessage } from '../../../../models/contracts/chat.ts';
import { MAX_REPORT_CHARACTERS } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { StoredFile } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { Run } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { announce } from '../../../../models/store/revisions.ts';
import { UserAgent } from '../../../../models/userAgent.ts';
import { makeHazard, makeResult } from '../../../factories/analysisResult.ts';
import { endTrial } from '../../../factories/endTrial.ts';
import { eventually, type Person, signUpReady } from '../../../factories/person.ts';
import { makeRun } from '../../../factories/runs.ts';
import { type Server, startServer } from '../../../factories/server.ts';
import { nextNumber } from '../../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Owner = Person & { agent: { id: number } };
const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);
const WORDS = 'This part says what was done, by whom, and where it is recorded.';
const REPORT = [
  '# Clinical Safety Case Report for Quillmere',
  ...['Introduction', 'Clinical risk analysis', 'Clinical risk control', 'Hazard log'].map(
    (name) => `## ${name}\n\n${WORDS} It has 3 hazards.\n`,
  ),
].join('\n');

async function addAnalysis(person: Owner): Promise<void> {
  const { accountId } = person.user;
  const runId = new Types.ObjectId();
  const hazards = [makeHazard(), makeHazard({ id: 'H2' })];
  await inAccount(person, async () =>
    HazardAnalysis.create({
      _id: nextNumber(),
      accountId,
      userAgentId: person.agent.id,
      userId: person.user.id,
      runId,
      status: 'complete',
      logFileId: new Types.ObjectId(),
      logFileName: 'Ward log.xlsx',
      ...(await keepResult(accountId, runId, makeResult({ hazards }))),
    } as never),
  );
  announce(accountId, ['analysis']);
}

const path = ({ agent }: Owner) => `/api/clinical-safety-agent/${agent.id}/parse-cscr`;
const parse = (owner: Owner, body: object, of = owner) => owner.browser.post(path(of)).send(body);
const send = (owner: Owner, bytes: Buffer, name = 'Report.md') =>
  owner.browser.post(path(owner)).attach('report', bytes, name);
const credits = async ({ browser }: Owner): Promise<number> =>
  (await browser.get('/api/user/tokens/balance').expect(200)).body.balance.tokensUsed;
const messages = async ({ browser }: Owner) =>
  (await browser.get('/api/arc-chat/history?limit=200').expect(200)).body.messages as ChatMessage[];
const checked = (owner: Owner) =>
  eventually(
    async () => (await messages(owner)).find(({ card }) => card?.headline === 'Check of the safety case report'),
    'the check',
  );

describe('the check of a safety case report', () => {
  /** @shows POST /api/clinical-safety-agent/:id/parse-cscr, S2-2.22 */
  test('takes a file, says what it has and lacks beside the log, and costs a step', async () => {
    const owner = await signUpReady(server);
    await addAnalysis(owner);
    const { body } = await send(owner, Buffer.from(REPORT)).expect(200);
    expect(body).toMatchObject({ success: true, workspaceId: expect.any(Number) });
    expect(body.report).toMatchObject({ fileName: 'Report.md', isReport: true, comparedWith: 'Ward log.xlsx' });
    expect(body.report.checks[0]).toEqual({
      id: 'hazard-count',
      outcome: 'differs',
      title: 'The report counts 3 hazards; the log has 2.',
    });
    expect(body.response).toMatch(/4 of 13 sections have content, 0 are empty, 9 are missing/);
    expect((await checked(owner)).message).toBe(body.response);
    expect(await credits(owner)).toBe(LIMITS.credits.step);
  });

  test('takes pasted text and the id of a file of the company, never of another', async () => {
    const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
    const pasted = await parse(owner, { text: REPORT }).expect(200);
    expect(pasted.body.report).toMatchObject({ fileName: 'Pasted report.md', isReport: true, comparedWith: null });
    const [file] = await inAccount(owner, () => StoredFile.find({ kind: 'safety-report' }).lean());
    const fileId = String(file?._id);
    expect((await parse(owner, { fileId }).expect(200)).body.report.isReport).toBe(true);
    const theirs = await parse(stranger, { fileId });
    expect([theirs.status, theirs.body.code]).toEqual([404, 'file_not_found']);
    expect((await parse(stranger, { text: REPORT }, owner)).status).toBe(404);
    expect(await credits(stranger)).toBe(0);
  });

  test('tells a memo that it is one, and compares nothing', async () => {
    const owner = await signUpReady(server);
    await addAnalysis(owner);
    const memo = REPORT.replace('# Clinical', '# Memo on the Clinical');
    const { body } = await parse(owner, { text: memo }).expect(200);
    expect(body.report).toMatchObject({ isReport: false, seems: 'a memo', checks: [], comparedWith: null });
    expect(body.response).toMatch(/it reads as a memo/);
  });

  test('is refused with what to do: nothing given, too long, a PDF, its tool off, the trial over', async () => {
    const owner = await signUpReady(server);
    const code = async (answer: Promise<{ status: number; body: { code: string } }>) => {
      const { status, body } = await answer;
      return [status, body.code];
    };
    expect(await code(parse(owner, {}))).toEqual([422, 'no_report']);
    expect(await code(parse(owner, { fileId: 'x' }))).toEqual([400, 'bad_request']);
    expect(await code(parse(owner, { text: 'x'.repeat(MAX_REPORT_CHARACTERS + 1) }))).toEqual([400, 'bad_request']);
    expect(await credits(owner)).toBe(0);
    const pdf = await send(owner, Buffer.from('%PDF-1.7'), 'Report.pdf');
    expect(pdf.body.error).toMatch(/This is a PDF, which I can’t read\. Save the report as a Word document/);
    expect(await credits(owner)).toBe(0);
    const turn = async (enabled: boolean) => {
      const tools = [{ id: 'clinicalsafety', enabled }];
      await inAccount(owner, () => UserAgent.updateOne({ _id: owner.agent.id }, { $set: { tools } }));
      announce(owner.user.accountId, ['agents']);
    };
    await turn(false);
    expect((await code(parse(owner, { text: REPORT })))[1]).toBe('tool_off');
    await turn(true);
    await endTrial(owner);
    expect((await code(parse(owner, { text: REPORT })))[1]).toBe('trial_over');
  });

  test('is asked for in words, of the report that was dropped into the conversation', async () => {
    const owner = await signUpReady(server);
    const say = (message: string) => owner.browser.post('/api/arc-chat/send').send({ message }).expect(200);
    await say('Check our safety case report');
    await eventually(
      async () => (await messages(owner)).find(({ message }) => /There is no safety case report yet/.test(message)),
      'that there is none',
    );
    const { body } = await owner.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from(REPORT), 'Our report.md')
      .expect(200);
    expect(body.parseResult).toEqual({ kind: 'safety-report', fileName: 'Our report.md', rowCount: 4 });
    await say('Check our safety case report');
    expect((await checked(owner)).message).toMatch(/^Our report\.md is a safety case report/);
  });
});

describe('the run of a check', () => {
  const dead = () => ({ owner: `${hostname()}:4194305:gone`, until: new Date(Date.now() + 60_000) });
  async function leave(owner: Owner, more: object) {
    const { accountId, id: userId } = owner.user;
    const file = await inAccount(owner, () =>
      keepFile({
        accountId,
        name: 'Report.md',
        kind: 'safety-report',
        type: 'text/markdown',
        key: String(nextNumber()),
        bytes: Buffer.from(REPORT),
      }),
    );
    const run = makeRun({
      accountId,
      userId,
      userAgentId: owner.agent.id,
      workflow: 'safety-case-report-check',
      step: 'read',
      lease: dead(),
      state: { fileId: String(file._id) },
      ...more,
    });
    await inAccount(owner, () => Run.create(run));
    return run;
  }
  const ended = (owner: Owner, { _id }: { _id: Types.ObjectId }) =>
    eventually(async () => {
      const run = requireRow(await inAccount(owner, () => Run.findById(_id).lean()));
      return ['completed', 'cancelled', 'failed'].includes(run.status) && run;
    }, 'the run to end');

  test('goes on after its process ended between two steps, and is charged once', async () => {
    const owner = await signUpReady(server);
    const run = await leave(owner, {});
    await sweepRuns();
    const first = await ended(owner, run);
    expect(first).toMatchObject({ status: 'completed', spent: LIMITS.credits.step });
    await inAccount(owner, () =>
      Run.updateOne({ _id: run._id }, { $set: { status: 'ready', step: 'tell', lease: dead(), endedAt: null } }),
    );
    await sweepRuns();
    expect(await ended(owner, run)).toMatchObject({ status: 'completed', spent: first.spent, state: first.state });
  });

  test('that was cancelled reads nothing', async () => {
    const owner = await signUpReady(server);
    const run = await leave(owner, { cancelRequested: true });
    await sweepRuns();
    const { status, state } = await ended(owner, run);
    expect([status, (state as { checked?: unknown }).checked]).toEqual(['cancelled', undefined]);
  });
});
