import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { Types } from 'mongoose';
import { readIntent } from '../../../../bot/agents/clinical_safety/intents.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { sweepRuns } from '../../../../bot/engine/workflows/sweepRuns.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ChatMessage } from '../../../../models/contracts/chat.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { StoredFile } from '../../../../models/file.ts';
import { Run } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { announce } from '../../../../models/store/revisions.ts';
import { makeFinding, makeHazard, makeResult } from '../../../factories/analysisResult.ts';
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

async function addAnalysis(person: Owner, more: object = {}): Promise<number> {
  const { accountId } = person.user;
  const [_id, runId] = [nextNumber(), new Types.ObjectId()];
  const result = makeResult({ hazards: [makeHazard()], findings: [makeFinding({ clause: '3.3.1', level: 'fix' })] });
  await inAccount(person, async () =>
    HazardAnalysis.create({
      _id,
      accountId,
      userAgentId: person.agent.id,
      userId: person.user.id,
      runId,
      status: 'complete',
      logFileId: new Types.ObjectId(),
      logFileName: 'Ward log v2.xlsx',
      ...(await keepResult(accountId, runId, result)),
      ...more,
    } as never),
  );
  announce(accountId, ['analysis']);
  return _id;
}
const write = ({ browser, agent }: Owner, id = agent.id) =>
  browser.post(`/api/clinical-safety-agent/${id}/compliance-sheet`).send({});
const sheetOf = (owner: Owner) =>
  eventually(async () => {
    const { body } = await owner.browser.get('/api/arc-chat/history?limit=200').expect(200);
    return (body.messages as ChatMessage[]).find(({ card }) => card?.headline === 'DCB0129 compliance sheet, draft');
  }, 'the sheet');
const kept = (owner: Owner) => inAccount(owner, () => StoredFile.find({ kind: 'export' }).lean());
const credits = async ({ browser }: Owner): Promise<number> =>
  (await browser.get('/api/user/tokens/balance').expect(200)).body.balance.tokensUsed;
async function clausesIn(owner: Owner, url: string): Promise<Map<string, string[]>> {
  const { body } = await owner.browser.get(url).responseType('blob').expect(200);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(body);
  const rows = (book.getWorksheet('DCB0129')?.getSheetValues() ?? []) as string[][];
  return new Map(rows.slice(2).map((row) => [String(row[1]), row]));
}

test.each([
  ['Write the compliance sheet', 'compliance'],
  ['Please draft our DCB0129 compliance assessment', 'compliance'],
  ['Assess our compliance with DCB0129', 'compliance'],
  ['Go through the standard clause by clause', 'question'],
  ['Are we compliant with DCB0129?', 'question'],
  ['What is a compliance sheet?', 'question'],
  ['Don’t write the compliance sheet yet', 'question'],
  ['Write the safety case report', 'case-report'],
  ['Check our safety case report against DCB0129', 'check-report'],
  ['Analyse H-012 by DCB0129', 'question'],
])('“%s” is read as %s', (text, intent) => expect(readIntent(text)).toBe(intent));

test('a sheet is asked for in words, costs a step, and names what the company holds', async () => {
  const owner = await signUpReady(server);
  const earlier = await addAnalysis(owner, { logVersion: '1.7', mergedFileName: 'Ward log v1.8.xlsx' });
  await addAnalysis(owner, { earlierId: earlier, logVersion: '1.8' });
  await owner.browser
    .post('/api/documents')
    .attach('document', Buffer.from('# Incidents'), 'Incident log.md')
    .expect(201);
  await owner.browser.post('/api/arc-chat/send').send({ message: 'Write the compliance sheet' }).expect(200);
  const said = await sheetOf(owner);
  expect(said.message).toMatch(/^Here is the DCB0129 compliance sheet of Ward log v2\.xlsx: 58 clauses\./);
  expect(said.message).toMatch(/Arc claims no compliance/);
  const [attached] = said.attachments;
  expect(attached?.name).toBe('DCB0129 compliance (draft), Ward log v2.xlsx');
  const clauses = await clausesIn(owner, String(attached?.url));
  const found = (clause: string) => String(clauses.get(clause)?.[5]);
  expect(found('3.6.1')).toContain('“Incident log.md” may be a safety incident management log');
  expect(found('7.3.4')).toMatch(
    /^2 analyses of this log kept: version 1\.8, .+; version 1\.7, .+\.\n1 merge recorded/,
  );
  expect(String(clauses.get('3.3.1')?.[6])).toMatch(/^1 finding to fix: /);
  const counts = new Map([...clauses.values()].map((row) => [row[4], 0]));
  for (const row of clauses.values()) counts.set(row[4], (counts.get(row[4]) ?? 0) + 1);
  expect(said.card?.figures).toEqual([
    { label: 'with possible evidence', value: String(counts.get('Evidence found, to confirm')) },
    { label: 'in part', value: String(counts.get('Evidence in part')) },
    { label: 'nothing found', value: String(counts.get('Nothing found')) },
  ]);
  expect(await credits(owner)).toBe(LIMITS.credits.step);
  const audited = await inAccount(owner, () => AuditEvent.find({ event: 'compliance-sheet.drafted' }).lean());
  expect(audited.map(({ outcome }) => outcome)).toEqual([(await kept(owner))[0]?.digest]);
  // The copy that Arc left among the documents is no evidence of the next sheet, and neither is a sheet a report.
  const again = await clausesIn(owner, String(attached?.url));
  expect(JSON.stringify([...again])).not.toContain('compliance (draft)');
});

/** @shows POST /api/clinical-safety-agent/:id/compliance-sheet */
test('a sheet is written by the call for the caller’s company alone, names the drafted report, and is listed', async () => {
  const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
  expect(await write(owner).then(({ status, body }) => [status, body.code])).toEqual([422, 'no_analysis_to_report']);
  await addAnalysis(owner);
  expect((await write(stranger, owner.agent.id)).status).toBe(404);
  await owner.browser.post(`/api/clinical-safety-agent/${owner.agent.id}/safety-case-report`).send({}).expect(200);
  await eventually(async () => (await kept(owner)).length === 1, 'the report');
  await eventually(async () => {
    const { status } = requireRow(await inAccount(owner, () => Run.findOne({ workflow: 'safety-case-report' }).lean()));
    return status === 'completed';
  }, 'the report’s run to end');
  await write(owner).expect(200);
  const { attachments } = await sheetOf(owner);
  const clauses = await clausesIn(owner, String(attachments[0]?.url));
  // A draft of Arc's own is no evidence; it stands with what is missing.
  expect(clauses.get('3.5.1')?.[4]).toBe('Nothing found');
  expect(String(clauses.get('3.5.1')?.[6])).toContain(
    '“Safety case report (draft), Ward log v2.docx” is a draft that Arc wrote from this analysis. It is not approved.',
  );
  const { body } = await owner.browser
    .get(`/api/clinical-safety-agent/${owner.agent.id}/safety-case-reports`)
    .expect(200);
  expect(body.map(({ name }: { name: string }) => name)).toEqual([
    'DCB0129 compliance (draft), Ward log v2.xlsx',
    'Safety case report (draft), Ward log v2.docx',
  ]);
  expect((await stranger.browser.get(String(attachments[0]?.url))).status).toBe(404);
});

test('a run whose process ended goes on, keeps one file, and never reads another company’s analysis', async () => {
  const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
  const [own, theirs] = [await addAnalysis(owner), await addAnalysis(stranger)];
  const lease = () => ({ owner: `${hostname()}:4194305:gone`, until: new Date(Date.now() + 60_000) });
  const { accountId, id: userId } = owner.user;
  const leave = async (state: object) => {
    const run = makeRun({
      accountId,
      userId,
      userAgentId: owner.agent.id,
      workflow: 'compliance-sheet',
      lease: lease(),
      step: 'write',
      state: state as never,
    });
    await inAccount(owner, () => Run.create(run));
    return run._id;
  };
  const endedAs = (_id: Types.ObjectId) =>
    eventually(async () => {
      const { status } = requireRow(await inAccount(owner, () => Run.findById(_id).lean()));
      return ['completed', 'failed'].includes(status) && status;
    }, 'the run to end');
  const run = await leave({ analysisId: own, madeAt: '2026-01-02T03:04:05.000Z' });
  await sweepRuns();
  expect(await endedAs(run)).toBe('completed');
  await inAccount(owner, () =>
    Run.updateOne({ _id: run }, { $set: { status: 'ready', step: 'write', lease: lease(), endedAt: null } }),
  );
  await sweepRuns();
  expect(await endedAs(run)).toBe('completed');
  expect(await kept(owner)).toHaveLength(1);
  await inAccount(owner, async () =>
    expect(await AuditEvent.countDocuments({ event: 'compliance-sheet.drafted' })).toBe(1),
  );
  const other = await leave({ analysisId: theirs });
  await sweepRuns();
  expect(await endedAs(other)).toBe('failed');
  expect(await kept(owner)).toHaveLength(1);
});
