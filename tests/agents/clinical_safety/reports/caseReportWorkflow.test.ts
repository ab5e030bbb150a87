import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { readWordDocument } from '../../../../bot/agents/clinical_safety/ooxml/wordDocument.ts';
import { ReadingBudget } from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { readZipDirectory } from '../../../../bot/engine/files/zipArchive.ts';
import { sweepRuns } from '../../../../bot/engine/workflows/sweepRuns.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ChatMessage } from '../../../../models/contracts/chat.ts';
import { downloadPath } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { StoredFile } from '../../../../models/file.ts';
import { Run } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { announce } from '../../../../models/store/revisions.ts';
import { UserAgent } from '../../../../models/userAgent.ts';
import { makeFinding, makeHazard, makeResult } from '../../../factories/analysisResult.ts';
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

/** An analysis of the person's company. @returns its id */
async function addAnalysis(person: Owner, logFileName = 'Ward log v2.xlsx'): Promise<number> {
  const { accountId } = person.user;
  const [_id, runId] = [nextNumber(), new Types.ObjectId()];
  const result = makeResult({ hazards: [makeHazard(), makeHazard({ id: 'H2' })], findings: [makeFinding()] });
  await inAccount(person, async () =>
    HazardAnalysis.create({
      _id,
      accountId,
      userAgentId: person.agent.id,
      userId: person.user.id,
      runId,
      status: 'complete',
      logFileId: new Types.ObjectId(),
      logFileName,
      ...(await keepResult(accountId, runId, result)),
    } as never),
  );
  announce(accountId, ['analysis']);
  return _id;
}

const say = ({ browser }: Owner, message: string) => browser.post('/api/arc-chat/send').send({ message }).expect(200);
const messages = async ({ browser }: Owner) =>
  (await browser.get('/api/arc-chat/history?limit=200').expect(200)).body.messages as ChatMessage[];
const reportOf = (owner: Owner) =>
  eventually(
    async () => (await messages(owner)).find(({ card }) => card?.headline === 'Safety case report, draft'),
    'the report',
  );
const write = ({ browser, agent }: Owner, id = agent.id) =>
  browser.post(`/api/clinical-safety-agent/${id}/safety-case-report`).send({});
const credits = async ({ browser }: Owner): Promise<number> =>
  (await browser.get('/api/user/tokens/balance').expect(200)).body.balance.tokensUsed;
const kept = (owner: Owner) => inAccount(owner, () => StoredFile.find({ kind: 'export' }).lean());

describe('a safety case report', () => {
  test('is asked for in words, costs a step, and comes as a Word document that only the company can download', async () => {
    const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
    await addAnalysis(owner);
    await say(owner, 'Please write the safety case report');
    const said = await reportOf(owner);
    expect(said.message).toMatch(
      /^Here is a draft of the safety case report, from Ward log v2\.xlsx: 2 hazards and 1 open finding\./,
    );
    expect(said.message).toMatch(/it is not approved/);
    expect(said.card?.figures?.slice(0, 2)).toEqual([
      { label: 'hazards', value: '2' },
      { label: 'open finding', value: '1' },
    ]);
    const [attached] = said.attachments;
    expect(attached?.name).toBe('Safety case report (draft), Ward log v2.docx');
    const { body } = await owner.browser.get(String(attached?.url)).responseType('blob').expect(200);
    const { blocks } = readWordDocument(readZipDirectory(new Uint8Array(body)), new ReadingBudget('document', null));
    const marked = JSON.stringify(blocks).split('[Clinical Safety Officer: ').length - 1;
    expect(said.card?.figures?.[2]).toEqual({ label: 'for the officer to write', value: String(marked) });
    expect((await stranger.browser.get(String(attached?.url))).status).toBe(404);
    expect(await credits(owner)).toBe(LIMITS.credits.step);
    const audited = await inAccount(owner, () => AuditEvent.find({ event: 'safety-case-report.drafted' }).lean());
    expect(audited.map(({ shownDigest, outcome }) => [shownDigest, outcome])).toEqual([
      ['a', (await kept(owner))[0]?.digest],
    ]);
    await inAccount(owner, async () => expect(await HazardAnalysis.countDocuments({ status: 'complete' })).toBe(1));
  });

  /**
   * @shows POST /api/clinical-safety-agent/:id/safety-case-report,
   * GET /api/clinical-safety-agent/:id/safety-case-reports
   */
  test('is written by the call, of the newest analysis and for the caller’s company alone', async () => {
    const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
    await addAnalysis(owner, 'First.xlsx');
    await addAnalysis(stranger, 'Theirs.xlsx');
    await addAnalysis(owner, 'Second.xlsx');
    expect((await write(stranger, owner.agent.id)).status).toBe(404);
    const { body } = await write(owner).expect(200);
    expect(body).toMatchObject({ success: true, workspaceId: expect.any(Number) });
    const { message, attachments } = await reportOf(owner);
    expect(message).toMatch(/from Second\.xlsx/);
    const list = (by: Person) => by.browser.get(`/api/clinical-safety-agent/${owner.agent.id}/safety-case-reports`);
    expect((await list(owner).expect(200)).body).toEqual([{ ...attachments[0], createdAt: expect.any(String) }]);
    expect((await list(stranger)).status).toBe(404);
    expect((await messages(stranger)).some(({ card }) => card?.headline)).toBe(false);
  });

  test('is refused, and costs nothing, without an analysis, with its tool off, and once the trial is over', async () => {
    const owner = await signUpReady(server);
    const refusal = async () => {
      const { status, body } = await write(owner);
      return [status, body.code];
    };
    expect(await refusal()).toEqual([422, 'no_analysis_to_report']);
    await addAnalysis(owner);
    const { agent } = owner;
    const turn = async (enabled: boolean) => {
      await inAccount(owner, () =>
        UserAgent.updateOne({ _id: agent.id }, { $set: { tools: [{ id: 'clinicalsafety', enabled }] } }),
      );
      announce(owner.user.accountId, ['agents']);
    };
    await turn(false);
    expect((await refusal())[1]).toBe('tool_off');
    await turn(true);
    await endTrial(owner);
    expect((await refusal())[1]).toBe('trial_over');
    expect(await credits(owner)).toBe(0);
    expect(await kept(owner)).toEqual([]);
  });

  test('is written on a schedule', async () => {
    const owner = await signUpReady(server);
    await addAnalysis(owner);
    const job = { name: 'Monthly report', actionType: 'cscr_generation', prompt: '', cronExpression: '0 9 1 * *' };
    const { body } = await owner.browser.post('/api/automation/jobs').send(job).expect(200);
    await owner.browser.post(`/api/automation/jobs/${body.job.id}/run`).send({}).expect(200);
    expect((await reportOf(owner)).attachments).toHaveLength(1);
  });
});

describe('the run of a report', () => {
  const dead = () => ({ owner: `${hostname()}:4194305:gone`, until: new Date(Date.now() + 60_000) });
  /** A run whose process ended before one of its steps. */
  async function leave(owner: Owner, more: object) {
    const analysisId = await addAnalysis(owner);
    const { accountId, id: userId } = owner.user;
    const run = makeRun({
      accountId,
      userId,
      userAgentId: owner.agent.id,
      workflow: 'safety-case-report',
      lease: dead(),
      state: { analysisId },
      ...more,
    });
    await inAccount(owner, () => Run.create(run));
    return run;
  }
  const endedAs = (owner: Owner, { _id }: { _id: Types.ObjectId }) =>
    eventually(async () => {
      const { status } = requireRow(await inAccount(owner, () => Run.findById(_id).lean()));
      return ['completed', 'cancelled', 'failed'].includes(status) && status;
    }, 'the run to end');

  test('goes on after its process ended between two steps, and keeps one file and the time of its first step', async () => {
    const owner = await signUpReady(server);
    const run = await leave(owner, {});
    Object.assign(run, { step: 'write' });
    await inAccount(owner, () =>
      Run.updateOne({ _id: run._id }, { $set: { step: 'write', 'state.writtenAt': '2026-01-02T03:04:05.000Z' } }),
    );
    await sweepRuns();
    expect(await endedAs(owner, run)).toBe('completed');
    const files = await kept(owner);
    expect(files).toHaveLength(1);
    const { body } = await owner.browser
      .get(downloadPath(files[0]?.name ?? ''))
      .responseType('blob')
      .expect(200);
    const { blocks } = readWordDocument(readZipDirectory(new Uint8Array(body)), new ReadingBudget('document', null));
    expect(JSON.stringify(blocks)).toContain('2 Jan 2026 by Arc');
    // It runs again, as after a crash between the file and the end of the step.
    await inAccount(owner, () =>
      Run.updateOne({ _id: run._id }, { $set: { status: 'ready', step: 'write', lease: dead(), endedAt: null } }),
    );
    await sweepRuns();
    expect(await endedAs(owner, run)).toBe('completed');
    expect((await kept(owner)).map(({ _id }) => String(_id))).toEqual(files.map(({ _id }) => String(_id)));
    await inAccount(owner, async () =>
      expect(await AuditEvent.countDocuments({ event: 'safety-case-report.drafted' })).toBe(1),
    );
  });

  test('that was cancelled before it wrote leaves no file', async () => {
    const owner = await signUpReady(server);
    const run = await leave(owner, { step: 'write', cancelRequested: true });
    await sweepRuns();
    expect(await endedAs(owner, run)).toBe('cancelled');
    expect(await kept(owner)).toEqual([]);
  });

  test('never reads the analysis of another company', async () => {
    const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
    const theirs = await addAnalysis(stranger);
    const run = await leave(owner, { step: 'collect', state: { analysisId: theirs } });
    await sweepRuns();
    expect(await endedAs(owner, run)).toBe('failed');
    expect(await kept(owner)).toEqual([]);
  });
});
