/** @environment store */
import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { closePool } from '../../../../bot/agents/clinical_safety/worker/pool.ts';
import { analyseWorkflow } from '../../../../bot/agents/clinical_safety/workflows/analyse.ts';
import { mergeWorkflow } from '../../../../bot/agents/clinical_safety/workflows/merge.ts';
import { noteConnection } from '../../../../bot/engine/accounts/integrations.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makeWideLog } from '../../../factories/hazardLog.ts';
import { addConversation, makeStepContext } from '../../../factories/stepContext.ts';

connectTestStore();
afterAll(closePool);

const TICKETS = [{ key: 'EPS-1', summary: 'Restore failed because the backup is corrupt', description: '' }];
const HAZARDS = ['Screen is late', 'Letter is lost', 'Wrong unit'].map((name, at) => ({ id: `HAZ0${at + 1}`, name }));

const CAUSES = { name: 'New cause', cause: 'Unit lost\nSync fails' };
const CONTROLS = { name: 'New control', controlDesign: 'Lock the list' };

/**
 * Merges every proposal of a log's analysis into a changed version of that log.
 * @param addedTo hazards that the only proposal is accepted for, each once as a cause and then as a control
 */
async function mergeInto(fileName: string, now: { id: string; name: string }[], addedTo: string[] = []) {
  const parts: Record<string, string> = fileName.endsWith('.xlsm') ? { 'xl/vbaProject.bin': 'x' } : {};
  const accountId = nextNumber();
  const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
  const keep = (bytes: Uint8Array, key: string): Promise<FileRow> =>
    inAccount(() => keepFile({ accountId, name: fileName, kind: 'hazard-log', type: 'x', key, bytes }));
  const bytes = makeWideLog(HAZARDS, { parts });
  const log = await keep(bytes, 'upload:analysed');
  const result = await analyseLog({
    log: { bytes, fileName, digest: log.digest },
    tickets: { records: TICKETS, source: 'Jira', digest: 'd' },
  });
  const [only] = result.newHazards;
  if (addedTo.length > 0)
    result.newHazards = addedTo.map((hazardId, at) => {
      const [as, values] = at % 2 === 0 ? (['cause', CAUSES] as const) : (['control', CONTROLS] as const);
      const addition = { id: `${as}:${hazardId}`, as, hazardId, hazardName: '', values, says: null };
      return { ...(only as NewHazard), id: `proposal-${at}`, additions: [addition], proposedAs: addition.id };
    });
  const runId = new Types.ObjectId();
  const row = {
    _id: nextNumber(),
    accountId,
    userAgentId: 3,
    runId,
    status: 'reviewed',
    logFileId: log._id,
    logFileName: fileName,
    decisions: result.newHazards.map(({ id }) => ({ id, outcome: 'accepted' })),
    decidedBy: { name: 'Ada', at: new Date(0), via: 'inbox' },
    ...(await inAccount(() => keepResult(accountId, runId, result))),
  };
  await inAccount(() => HazardAnalysis.create(row as never));
  const current = await keep(makeWideLog(now, { parts }), 'upload:now');
  const conversation = await inAccount(() => addConversation(accountId, { files: { 'hazard-log': current._id } }));
  const { runStep, said } = makeStepContext({ accountId, state: { analysisId: row._id } }, { conversation });
  const merge = () => inAccount(() => runStep(mergeWorkflow.steps.merge?.run));
  await merge();
  const file = requireRow(await inAccount(() => StoredFile.findOne({ kind: 'export' }).lean()));
  const count = result.newHazards.length;
  return { text: String(said[0]?.text), derived: said[0]?.derived, file, count, accountId, inAccount, merge };
}

test('a result is stored with its own analysis, whatever others there are', async () => {
  const accountId = nextNumber();
  const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
  const log = await inAccount(() =>
    keepFile({
      accountId,
      name: 'log.xlsx',
      kind: 'hazard-log',
      type: 'x',
      key: 'upload:log',
      bytes: makeWideLog(HAZARDS),
    }),
  );
  const runs = [0, 1, 2].map(() => ({ _id: nextNumber(), runId: new Types.ObjectId() }));
  for (const { _id, runId } of runs) {
    const row = {
      _id,
      accountId,
      userAgentId: 3,
      runId,
      status: 'running',
      logFileId: log._id,
      logFileName: 'log.xlsx',
    };
    await inAccount(() => HazardAnalysis.create(row as never));
  }
  const { runStep } = makeStepContext({ accountId, _id: runs[1]?.runId as Types.ObjectId });
  await inAccount(() => runStep(analyseWorkflow.steps.analyse?.run));
  const rows = await inAccount(() => HazardAnalysis.find({}).sort({ _id: 1 }).lean());
  expect(rows.map(({ status, resultFileId }) => [status, Boolean(resultFileId)])).toEqual([
    ['running', false],
    ['complete', true],
    ['running', false],
  ]);
});

test('a merge that runs again after a crash copies the file that it has stored into the sandbox', async () => {
  const { file, accountId, inAccount, merge } = await mergeInto('log.xlsx', HAZARDS);
  await inAccount(() => noteConnection(accountId, 'sandbox', true));
  await merge();
  const kept = (kind: string) => inAccount(() => StoredFile.find({ kind }).lean());
  expect((await kept('export')).map(({ _id }) => _id)).toEqual([file._id]);
  expect((await kept('document')).map(({ digest }) => digest)).toEqual([file.digest]);
});

test('a merge into the analysed log leaves nothing to check', async () => {
  const { text, count } = await mergeInto('log.xlsx', HAZARDS);
  expect(count).toBe(1);
  expect(text).toMatch(/^Merge complete: 1 new hazard written into log\.xlsx, /);
  expect(text).not.toContain('To check:');
});

test.each([
  [['HAZ01'], '2 causes added to a hazard of the log', '2 causes added'],
  [['HAZ01', 'HAZ02'], '2 causes and 1 control added to hazards of the log', '2 causes and 1 control added'],
])('a merge of additions to %j counts each kind, and names no other', async (addedTo, said, elsewhere) => {
  const { text, derived } = await mergeInto('log.xlsx', HAZARDS, addedTo);
  expect(text).toContain(`Merge complete: ${said}. Who decided`);
  expect(derived?.reference).toContain(`0 new hazards written, ${elsewhere}, 0 to check.`);
  expect(text.includes('control')).toBe(addedTo.length > 1);
});

test('a merge into a log with one changed hazard names it', async () => {
  const { text, derived } = await mergeInto(
    'log.xlsx',
    HAZARDS.map((hazard, at) => (at === 0 ? { ...hazard, name: 'Screen is frozen' } : hazard)),
  );
  expect(text.split('\n').slice(1)).toEqual(['To check:', expect.stringMatching(/^• .*HAZ01/)]);
  expect(derived?.reference).toContain('1 new hazard written, 1 to check.');
});

test.each([
  ['log.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['log.xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.12'],
])('the merged %s is of the type %s', async (fileName, type) => {
  const { file } = await mergeInto(fileName, HAZARDS);
  expect([file.name.split('.').pop(), file.type]).toEqual([fileName.split('.').pop(), type]);
});
