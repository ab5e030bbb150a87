/** @environment store */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { makeExport } from '../../../bot/agents/clinical_safety/export/makeExport.ts';
import { acceptFile } from '../../../bot/agents/clinical_safety/files/acceptFile.ts';
import { auditSubjects } from '../../../bot/agents/clinical_safety/lives/auditSubjects.ts';
import { keepResult, loadCore, loadResult } from '../../../bot/agents/clinical_safety/results/results.ts';
import { readSample, type Sample } from '../../../bot/agents/clinical_safety/sample/readSample.ts';
import { closePool } from '../../../bot/agents/clinical_safety/worker/pool.ts';
import { analyseWorkflow } from '../../../bot/agents/clinical_safety/workflows/analyse.ts';
import { answerWorkflow, replyWorkflow } from '../../../bot/agents/clinical_safety/workflows/answer.ts';
import { mergeWorkflow } from '../../../bot/agents/clinical_safety/workflows/merge.ts';
import { sampleWorkflow } from '../../../bot/agents/clinical_safety/workflows/sample.ts';
import { notYetWorkflow } from '../../../bot/engine/agents/inPreparation.ts';
import { recordEvent } from '../../../bot/engine/audit/recordEvent.ts';
import { surfaceOfRun } from '../../../bot/engine/audit/surfaceOfRun.ts';
import { linkToChat } from '../../../bot/engine/delivery/consent.ts';
import { readPart, readZipDirectory } from '../../../bot/engine/files/zipArchive.ts';
import type { Workflow } from '../../../bot/engine/workflows/workflow.ts';
import { AuditEvent, auditTrail } from '../../../models/auditEvent.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult } from '../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../models/contracts/clinical_safety/proposals.ts';
import { describeProposals } from '../../../models/contracts/clinical_safety/proposalText.ts';
import { SHEET_TYPES } from '../../../models/contracts/files.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { digestOf } from '../../../models/digest.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { keepFile, readFileBytes } from '../../../models/files.ts';
import { Message } from '../../../models/message.ts';
import type { RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { announce } from '../../../models/store/revisions.ts';
import { codeOf, connectTestStore, nextNumber } from '../../factories/account.ts';
import { addConversation, makeStepContext } from '../../factories/stepContext.ts';

connectTestStore();
afterAll(closePool);

let sample: Sample;
let accountId = 0;
beforeAll(async () => {
  sample = await readSample();
});
beforeEach(() => {
  accountId = nextNumber();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const step = (workflow: Workflow, name = workflow.first) => workflow.steps[name]?.run;
const keep = (part: 'log' | 'tickets', key = `upload:${part}`): Promise<FileRow> =>
  inAccount(() =>
    keepFile({
      accountId,
      name: sample[part].fileName,
      kind: part === 'log' ? 'hazard-log' : 'tickets',
      key,
      type: SHEET_TYPES.xlsx,
      bytes: sample[part].bytes,
    }),
  );
const analyses = () => inAccount(() => HazardAnalysis.find({}).lean());

describe('a starting analysis', () => {
  const open = async (state: object, conversation: Partial<ConversationRow> | null = null) => {
    const given = conversation && (await inAccount(() => addConversation(accountId, conversation)));
    const made = makeStepContext({ accountId, state: state as never }, { conversation: given });
    return { ...made, result: await inAccount(() => made.runStep(step(analyseWorkflow))) };
  };

  test('records once which files it uses, and says so', async () => {
    const [log, tickets] = [await keep('log'), await keep('tickets')];
    const { context, said, result, runStep } = await open({ logFileId: log._id, ticketsFileId: tickets._id });
    const [row, ...more] = await analyses();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      accountId,
      userAgentId: 3,
      userId: 7,
      runId: context.run._id,
      status: 'running',
      logFileId: log._id,
      logFileName: log.originalName,
      ticketsFileId: tickets._id,
      ticketsFileName: tickets.originalName,
    });
    const state = { logFileId: log._id, ticketsFileId: tickets._id, analysisId: row?._id };
    expect(result).toEqual({ next: 'settle', state, cost: 10 });
    expect(said).toEqual([
      {
        key: 'started',
        kind: 'analysis-started',
        text: `I am reading ${log.originalName} and ${tickets.originalName}. You can leave this page. I’ll carry on.`,
        card: { runId: String(context.run._id) },
        derived: expect.objectContaining({ reference: 'I am reading the hazard log and the tickets.' }),
      },
    ]);
    expect(await inAccount(() => runStep(step(analyseWorkflow)))).toEqual(result);
    expect(await analyses()).toHaveLength(1);
    // The audit has it once, with the digest of the log and the place that it was started in.
    const subject = `analysis:${row?._id}`;
    expect(await inAccount(() => AuditEvent.find({ accountId }).lean())).toEqual([
      expect.objectContaining({
        event: 'analysis.started',
        userId: 7,
        subject,
        shownDigest: log.digest,
        surface: surfaceOfRun(context.run),
      }),
    ]);
    const named = await inAccount(
      async () => await auditSubjects.analysis?.(accountId, [String(row?._id), '0', 'no id']),
    );
    expect([...(named ?? [])]).toEqual([
      [String(row?._id), { text: `${log.originalName}, analysis ${row?._id}`, path: `/analyses/${row?._id}` }],
    ]);
  });

  test('uses the files of the conversation if the run has none of its own', async () => {
    const [log, tickets] = [await keep('log'), await keep('tickets')];
    const own = await open({}, { files: { 'hazard-log': log._id, tickets: tickets._id } });
    expect(own.result).toMatchObject({ state: { logFileId: log._id, ticketsFileId: tickets._id } });
    expect(await codeOf(open({}, {}))).toBe('no_log');
    expect(await codeOf(open({}))).toBe('no_log');
  });

  test('works without tickets, and names the log’s origin if the conversation has none', async () => {
    const log = await keep('log');
    const { said, result } = await open({ logFileId: log._id, fromCompany: true });
    expect(result).toMatchObject({ state: { ticketsFileId: null } });
    expect((await analyses())[0]).toMatchObject({ ticketsFileId: null, ticketsFileName: null });
    expect(said[0]).toMatchObject({
      text: `There is no hazard log in this conversation, so I’m using your company’s current one. I am reading ${log.originalName}. There is no ticket export yet, so 0 tickets will be analysed.`,
      derived: { reference: 'I am reading the hazard log. 0 tickets will be analysed.' },
    });
  });

  test('that fails or is cancelled changes only its own row', async () => {
    const { _id: logFileId } = await keep('log');
    const [one, other] = [await open({ logFileId }), await open({ logFileId })];
    for (const status of ['failed', 'cancelled'] as const) {
      await inAccount(async () => analyseWorkflow.ended?.({ run: one.context.run as RunRow, status }));
      const statusOf = async ({ context }: typeof one) =>
        (await analyses()).find(({ runId }) => String(runId) === String(context.run._id))?.status;
      expect([await statusOf(one), await statusOf(other)]).toEqual([status, 'running']);
    }
  });
});

/** The messages about a completed analysis. */
type Complete = {
  card: {
    figures: { label: string; value: string }[];
    table: { columns: string[]; rows: string[][] };
    actions: object[];
  };
};

/** The result of the sample's analysis, computed once; its parts are files that any account may have. */
let computed: AnalysisResult;
async function analyse() {
  const [log, tickets] = [await keep('log'), await keep('tickets')];
  const made = makeStepContext({ accountId, state: { logFileId: log._id, ticketsFileId: tickets._id } });
  await inAccount(() => made.runStep(step(analyseWorkflow)));
  const result = await inAccount(() => made.runStep(step(analyseWorkflow, 'analyse')));
  const [row] = (await analyses()) as [HazardAnalysisRow];
  return { ...made, row, result };
}
/** A stored analysis with its own result. */
async function addAnalysis(change: Partial<AnalysisResult> = {}, more: Partial<HazardAnalysisRow> = {}) {
  const runId = new Types.ObjectId();
  const result = { ...computed, ...change };
  const log = await keep('log');
  const row = {
    _id: nextNumber(),
    accountId,
    userAgentId: 3,
    runId,
    status: 'running',
    logFileId: log._id,
    logFileName: log.originalName,
    headline: 'The headline',
    ...(await inAccount(() => keepResult(accountId, runId, result))),
    ...more,
  };
  await inAccount(() => HazardAnalysis.create(row as never));
  announce(accountId, ['analysis']);
  const state = { analysisId: row._id };
  return { row: row as unknown as HazardAnalysisRow, ...makeStepContext({ accountId, _id: runId, state }) };
}
beforeAll(async () => {
  accountId = nextNumber();
  const { row } = await analyse();
  computed = await inAccount(() => loadResult(row));
});

describe('a running analysis', () => {
  test('reads, checks and proposes, and stores its findings', async () => {
    const { row, result, progress, said, context } = await analyse();
    expect(progress.length).toBeGreaterThan(1);
    expect(row).toMatchObject({
      status: 'in-review',
      newHazardsFileName: `proposed-hazards-${row._id}.xlsx`,
      resultFileId: expect.anything(),
      hazardsFileId: expect.anything(),
      ticketsResultFileId: expect.anything(),
      decisions: null,
    });
    const complete = context.state.complete as Complete;
    expect(result).toMatchObject({ next: 'review', cost: 10 });
    expect(said.map(({ key }) => key)).toEqual(['started']);
    const { existingHazards, newHazards, findings, analysisMetadata } = await inAccount(() => loadResult(row));
    const toFix = findings.filter(({ level }) => level === 'fix');
    const { coverage, jiraAnalysis } = analysisMetadata;
    const hazards = newHazards.filter(({ proposedAs }) => proposedAs === undefined);
    expect(hazards.length).toBeLessThan(newHazards.length);
    expect(complete).toMatchObject({
      key: 'complete',
      kind: 'analysis-complete',
      text: expect.stringMatching(/^Analysis complete: .+\.\n• /),
      derived: { reference: `Analysis complete: ${row.headline}. ${linkToChat()}` },
      card: {
        hazardAnalysisId: row._id,
        headline: row.headline,
        figures: [
          { label: 'Hazards', value: String(existingHazards.length) },
          { label: 'Findings to fix', value: String(toFix.length) },
          { label: 'Tickets analysed', value: String(jiraAnalysis.ticketsAnalyzed) },
          { label: 'Coverage', value: `${coverage.covered} of ${coverage.relevant}` },
          { label: 'Possible, not counted', value: String(coverage.possible) },
          { label: 'With no hazard', value: String(coverage.none) },
          { label: 'Unsure', value: String(coverage.unsure) },
          { label: 'New hazards proposed', value: String(hazards.length) },
          { label: 'Additions to existing ones', value: String(newHazards.length - hazards.length) },
        ],
        actions: [{ label: 'Download New Hazards', action: 'download', value: row.newHazardsFileName }],
      },
    });
    const { table } = complete.card;
    expect(table.columns).toEqual(['Where', 'Finding', 'Recorded', 'Expected']);
    expect(table.rows).toHaveLength(Math.min(20, toFix.length));
    expect(context.state.complete).toBe(complete);
  });

  const finding = (change: object) => ({
    level: 'fix',
    title: 'The risk is wrong',
    found: '2',
    expected: '3',
    places: [{ sheet: 'Log', cell: 'A1' }],
    ...change,
  });
  const told = async (change: Partial<AnalysisResult>) => {
    const { runStep, row, progress, context } = await addAnalysis(change);
    await inAccount(() => runStep(step(analyseWorkflow, 'analyse')));
    // An earlier result is not computed again.
    expect(progress).toEqual([]);
    const { card } = context.state.complete as Complete;
    const kept = (await analyses()).find(({ _id }) => _id === row._id);
    return { card, kept };
  };

  test('shows twenty findings to fix, with their places', async () => {
    const findings = [
      finding({}),
      finding({ level: 'check' }),
      finding({
        places: [
          { sheet: 'Log', cell: 'A1' },
          { sheet: 'Log', cell: 'B2' },
          { sheet: 'Log', cell: 'C3' },
        ],
      }),
      finding({ places: [], found: null, expected: null }),
      ...Array.from({ length: 20 }, () => finding({})),
    ];
    const { card } = await told({ findings: findings as never });
    expect(card.table.rows).toHaveLength(20);
    expect(card.table.rows.slice(0, 3)).toEqual([
      ['Log!A1', 'The risk is wrong', '2', '3'],
      ['Log!A1 +2', 'The risk is wrong', '2', '3'],
      ['–', 'The risk is wrong', '–', '–'],
    ]);
    expect(card.figures[1]).toEqual({ label: 'Findings to fix', value: '23' });
  });

  test.each([
    [null, 0, 'No relevant tickets', []],
    [50, 0, '1 of 2', ['0', '7', '4']],
    [50, undefined, '1 of 2', []],
    [50, 3, '1 of 2', ['3', '7', '4']],
  ])('with a coverage of %j, %j of it possible, says %s', async (coverageScore, possible, value, more) => {
    const { analysisMetadata } = computed;
    const coverage = { ...analysisMetadata.coverage, covered: 1, relevant: 2, possible, none: 7, unsure: 4 };
    const { card } = await told({ analysisMetadata: { ...analysisMetadata, coverageScore, coverage } });
    const figure = (...labels: string[]) =>
      card.figures.filter((it) => labels.includes(it.label)).map((it) => it.value);
    expect(figure('Coverage')).toEqual([value]);
    expect(figure('Possible, not counted', 'With no hazard', 'Unsure')).toEqual(more);
  });

  test('works without tickets', async () => {
    const { _id } = await keep('log');
    const { runStep, context } = makeStepContext({ accountId, state: { logFileId: _id, ticketsFileId: null } });
    await inAccount(() => runStep(step(analyseWorkflow)));
    await inAccount(() => runStep(step(analyseWorkflow, 'analyse')));
    const { figures } = (context.state.complete as Complete).card;
    expect(figures).toContainEqual({ label: 'Tickets analysed', value: '0' });
    expect(figures).toContainEqual({ label: 'Coverage', value: 'No tickets analysed' });
  });

  test('without proposals is complete and not reviewed, and has no export', async () => {
    const { card, kept } = await told({ newHazards: [] });
    expect(kept).toMatchObject({ status: 'complete', decisions: [], newHazardsFileName: null });
    expect(card.actions).toEqual([]);
    const some = await told({ newHazards: computed.newHazards.slice(0, 1) });
    expect(some.kept).toMatchObject({
      status: 'in-review',
      decisions: null,
      newHazardsFileName: `proposed-hazards-${some.kept?._id}.xlsx`,
    });
  });
});

describe('the review of an analysis', () => {
  const proposals = (count: number) => computed.newHazards.slice(0, count) as NewHazard[];
  const ask = async (count: number) => {
    const { runStep, said, row, context } = await addAnalysis({ newHazards: proposals(count) });
    context.state.complete = { key: 'complete', kind: 'analysis-complete', text: 'Complete.' };
    const result = (await inAccount(() => runStep(step(analyseWorkflow, 'review')))) as unknown as {
      ask: { prompt: string; context: { rows: NewHazard[] }; draft: RowDecision[] };
    };
    return { result, said, row };
  };
  const proposed = () => describeProposals(proposals(2));
  const NEXT = 'Accept, edit or reject each; nothing is written to the log before you do.';

  test('is asked for after the result was posted', async () => {
    const { result, said, row } = await ask(2);
    expect(said.map(({ key }) => key)).toEqual(['complete']);
    expect(result).toEqual({
      ask: {
        interruptType: 'hazard_review',
        prompt: `Please review 2 proposals for ${row.logFileName}: ${proposed()}. ${NEXT}`,
        context: {
          title: 'Review of proposals',
          step: 'review',
          headline: 'The headline',
          hazardAnalysisId: row._id,
          rows: proposals(2),
        },
        draft: [],
      },
      next: 'record',
      state: { headline: 'The headline' },
      cost: 10,
    });
    expect((await ask(1)).result.ask.prompt).toContain('Please review 1 proposal for');
  });

  test('says how many proposals were rejected before, and starts with them', async () => {
    const [first] = proposals(1) as [NewHazard];
    const decidedBy = { name: 'Ada', at: new Date(0), via: 'inbox' };
    await addAnalysis({}, { decisions: [{ id: first.id, outcome: 'rejected' }], decidedBy });
    const { ask: asked } = (await ask(2)).result;
    expect(asked.prompt).toBe(
      `Please review 2 proposals for ${sample.log.fileName}: ${proposed()}. ${NEXT} 1 was rejected before, with the same tickets, and stays rejected unless you change it.`,
    );
    expect(asked.draft).toEqual([{ id: first.id, outcome: 'rejected' }]);
    expect(asked.context.rows[0]?.rejectedBefore).toMatchObject({ by: 'Ada', reason: null });
  });

  test('is not asked for without proposals', async () => {
    const { result, said } = await ask(0);
    expect(result).toEqual({ next: 'matches', state: { output: 'The headline' }, cost: 10 });
    expect(said).toHaveLength(1);
  });
});

describe('an answered review', () => {
  const by = { userId: 7, name: 'Ada Okafor' };
  const at = new Date(Date.UTC(2026, 0, 2));
  const record = async (
    rows: RowDecision[],
    resolution: object | null = { by, at, via: 'slack' },
    decidedBy: object[] = [],
  ) => {
    const { row, context } = await addAnalysis();
    const answer = { _id: 18, userResponse: { rows }, resolution, decidedBy };
    const made = makeStepContext(
      { ...context.run, state: { ...context.state, headline: 'The headline' } },
      {
        answer: answer as never,
      },
    );
    const result = await inAccount(() => made.runStep(step(analyseWorkflow, 'record')));
    const kept = (await analyses()).find(({ _id }) => _id === row._id);
    return { result, said: made.said[0], kept, row };
  };
  const rows: RowDecision[] = [
    { id: 'a', outcome: 'accepted' },
    { id: 'b', outcome: 'edited' },
    { id: 'c', outcome: 'rejected' },
    { id: 'd', outcome: 'accepted' },
  ];

  test('is stored with who decided, and offers the merge', async () => {
    const other = await addAnalysis();
    const { result, said, kept, row } = await record(rows);
    expect((await analyses()).find(({ _id }) => _id === other.row._id)).toMatchObject({ status: 'running' });
    const fileName = `reviewed-hazards-${row._id}.xlsx`;
    expect(kept).toMatchObject({
      status: 'reviewed',
      decisions: rows,
      decidedBy: { name: 'Ada Okafor', at, via: 'slack' },
      newHazardsFileName: fileName,
    });
    expect(said).toEqual({
      key: 'reviewed',
      kind: 'review-complete',
      text: 'Review recorded: 2 accepted, 1 edited, 1 rejected. I can now write these 3 proposals into the hazard log for the Clinical Safety Officer.',
      card: {
        hazardAnalysisId: row._id,
        page: `/analyses/${row._id}`,
        interruptId: 18,
        actions: [
          { label: 'Download New Hazards', action: 'download', value: fileName },
          { label: 'Merge new lines into Hazard Log', action: 'merge', value: String(row._id) },
        ],
      },
    });
    expect(result).toEqual({
      next: 'matches',
      state: { output: 'The headline. Review: 2 accepted, 1 edited, 1 rejected.' },
      cost: 10,
    });
  });

  test('of several people is stored with who decided each row, and says how many each did', async () => {
    const decider = (id: string, userId: number, name: string) => ({ id, userId, name, at, via: 'slack' });
    const alone = rows.map(({ id }) => decider(id, 1, 'Ada Okafor'));
    const shared = [...alone.slice(0, 3), decider('d', 2, 'Bo Lind')];
    const { said, kept } = await record(rows, undefined, shared);
    expect(kept?.decidedRows).toEqual(shared);
    expect(said?.text).toContain('2 accepted, 1 edited, 1 rejected (3 by Ada Okafor, 1 by Bo Lind). I can now');
    expect((await record(rows, undefined, alone)).said?.text).toContain('2 accepted, 1 edited, 1 rejected. I can now');
  });

  test('that accepted nothing offers no merge', async () => {
    const { said, kept } = await record([{ id: 'c', outcome: 'rejected' }], null);
    expect(said?.text).toBe(
      'Review recorded: 0 accepted, 0 edited, 1 rejected. No proposal was accepted, so there is nothing to merge.',
    );
    expect(said?.card?.actions).toHaveLength(1);
    expect(kept?.status).toBe('none-accepted');
    expect((await record([{ id: 'c', outcome: 'accepted' }])).kept?.status).toBe('reviewed');
    expect(kept?.decidedBy).toEqual({ name: 'unknown', at: expect.any(Date), via: 'inbox' });
  });

  test('says in how many rows Arc picked the match', async () => {
    const best = (id: string): RowDecision => ({ id, outcome: 'accepted', bestMatch: true });
    expect((await record([best('a')])).said?.text).toContain(
      'I can now write this proposal into the hazard log for the Clinical Safety Officer. Arc picked the closest match in 1 row. Check it before signing.',
    );
    expect((await record([best('a'), best('b'), { id: 'c', outcome: 'accepted' }])).said?.text).toContain(
      ' Arc picked the closest match in 2 rows. Check these before signing.',
    );
  });
});

describe('a merge', () => {
  const DECIDED = { name: 'Ada', at: new Date(0), via: 'inbox' };
  const decide = (count: number): RowDecision[] =>
    computed.newHazards.map(({ id }, index) => ({ id, outcome: index < count ? 'accepted' : 'rejected' }));

  test('writes what was accepted into the log, once per log, and records it', async () => {
    const { row, runStep, said, progress } = await addAnalysis({}, { decisions: decide(2), decidedBy: DECIDED });
    await recordEvent(accountId, 'session.begun', { userId: 7, subject: 'user:7', outcome: 'begun' });
    const head = await inAccount(() => auditTrail.head(accountId));
    const result = await inAccount(() => runStep(step(mergeWorkflow)));
    const [kept] = await analyses();
    const file = requireRow(await inAccount(() => StoredFile.findOne({ kind: 'export' }).lean()));
    const log = requireRow(await inAccount(() => StoredFile.findById(row.logFileId).lean()));
    expect(progress).toEqual([`Writing into ${log.originalName} 0 of 1`]);
    expect(file).toMatchObject({ key: `merge:${row._id}:${log.digest}`, type: SHEET_TYPES.xlsx });
    expect(kept).toMatchObject({ status: 'merged', mergedFileName: file.name, conflicts: [] });
    const [saying] = said;
    expect(saying).toMatchObject({
      key: 'merged',
      kind: 'merge-complete',
      text: expect.stringMatching(
        /^Merge complete: 2 new hazards written into .+, with the status “Proposed – CSO review”\./,
      ),
      attachments: [{ name: file.name }],
      derived: { reference: `Merge complete: 2 new hazards written, 0 to check. ${linkToChat()}` },
      card: {
        hazardAnalysisId: row._id,
        actions: [{ label: 'Download merged hazard log', action: 'download', value: file.name }],
      },
    });
    expect(saying?.text).not.toContain('To check:');
    expect(saying?.text).not.toContain('A copy is in');
    expect(result).toMatchObject({ state: { fileName: file.name }, cost: 10 });
    // The Change log sheet gives the state of the audit trail.
    const parts = readZipDirectory(await inAccount(() => readFileBytes(file)));
    const texts = [...parts.keys()].map((part) => readPart(parts, part) ?? '');
    expect(texts.some((text) => text.includes(String(head?.hash)))).toBe(true);
    const [, event] = await inAccount(() => AuditEvent.find({}).sort({ seq: 1 }).lean());
    expect(event).toMatchObject({
      key: `merge:${row._id}:${log.digest}`,
      event: 'hazard-log.merged',
      userId: 7,
      surface: 'arc-chat',
      subject: `analysis:${row._id}`,
      shownDigest: log.digest,
      outcome: file.digest,
    });
    await inAccount(() => runStep(step(mergeWorkflow)));
    expect(await inAccount(() => StoredFile.countDocuments({ kind: 'export' }))).toBe(1);
    expect(await inAccount(() => AuditEvent.countDocuments({}))).toBe(2);
  });

  test('uses the conversation’s current log, if that is still the analysed one', async () => {
    const { context } = await addAnalysis({}, { decisions: decide(1), decidedBy: null });
    const csv = Buffer.from(
      'Hazard Number,Hazard Name,Hazard Description,Severity,Likelihood,Status\nX1,A,B,Major,Low,Open\n',
    );
    const moved = await inAccount(() =>
      keepFile({ accountId, name: 'moved.csv', kind: 'hazard-log', key: 'upload:m', type: 'text/csv', bytes: csv }),
    );
    const conversation = await inAccount(() => addConversation(accountId, { files: { 'hazard-log': moved._id } }));
    const made = makeStepContext(context.run, { conversation });
    await expect(inAccount(() => made.runStep(step(mergeWorkflow)))).rejects.toThrow('only 0 of 25 hazards are in it');
    expect(made.progress).toEqual(['Writing into moved.csv 0 of 1']);
    const none = makeStepContext(context.run, { conversation: await inAccount(() => addConversation(accountId)) });
    await inAccount(() => none.runStep(step(mergeWorkflow)));
    expect(none.said[0]?.text).toContain(`1 new hazard written into ${sample.log.fileName}`);
  });
});

describe('the agent’s answers', () => {
  test('to a request for the proposals as a file link the file, which is generated on request', async () => {
    const name = 'Any';
    const none = makeStepContext({ accountId, state: { intent: 'new-hazards' } });
    expect(await codeOf(inAccount(() => none.runStep(step(answerWorkflow))))).toBe('no_analysis');
    const { row } = await addAnalysis();
    announce(accountId, ['analysis']);
    expect(await codeOf(inAccount(() => none.runStep(step(answerWorkflow))))).toBe('no_analysis');
    const newHazardsFileName = `proposed-hazards-${row._id}.xlsx`;
    await inAccount(() => HazardAnalysis.updateOne({ _id: row._id }, { $set: { newHazardsFileName } }));
    announce(accountId, ['analysis']);
    const { runStep, said } = makeStepContext({ accountId, goal: name, state: { intent: 'new-hazards' } });
    expect(await inAccount(() => runStep(step(answerWorkflow)))).toMatchObject({ cost: 10 });
    expect(said[0]).toMatchObject({
      text: 'Here are the proposals with their evidence.',
      attachments: [{ name: newHazardsFileName, type: SHEET_TYPES.xlsx }],
      derived: { reference: `The proposals are in Arc: ${linkToChat()}` },
    });
    // A name that is no export.
    await inAccount(() => HazardAnalysis.updateOne({ _id: row._id }, { $set: { newHazardsFileName: 'gone.xlsx' } }));
    announce(accountId, ['analysis']);
    expect(await codeOf(inAccount(() => runStep(step(answerWorkflow))))).toBe('no_analysis');
    expect(said).toHaveLength(1);
  });

  test.each([
    [true, { redacted: expect.stringContaining('It concerns NRL01.') }],
    [false, null],
  ])(
    'to questions cost a step; those from the log (%s) are sent by ids alone under reference-only',
    async (fromLog, derived) => {
      const state = { question: 'Why?', grounded: 'NRL01 is open.', fromLog };
      const { runStep, said } = makeStepContext({ accountId, state });
      expect(await inAccount(() => runStep(step(answerWorkflow)))).toEqual({
        done: { output: 'NRL01 is open.' },
        state: { answer: 'NRL01 is open.' },
        cost: 10,
      });
      expect(said[0]).toMatchObject({ key: 'answer', kind: 'text', text: 'NRL01 is open.', derived });
    },
  );

  test('about the agent itself are free', async () => {
    const reply = makeStepContext({ accountId, state: { answer: 'Hello.' } });
    expect(await reply.runStep(step(replyWorkflow))).toEqual({ done: { output: 'Hello.' }, cost: 0 });
    expect(reply.said).toEqual([{ key: 'answer', kind: 'text', text: 'Hello.' }]);
    const general = makeStepContext({ accountId, agentId: 'mdr' });
    expect(await general.runStep(step(notYetWorkflow))).toMatchObject({ cost: 0 });
    expect(general.said[0]?.text).toContain('I am Marta, EU MDR technical file.');
    for (const { reserve } of [replyWorkflow, notYetWorkflow, sampleWorkflow]) expect(reserve).toBe(0);
    expect([analyseWorkflow.reserve, answerWorkflow.reserve, mergeWorkflow.reserve]).toEqual([40, 10, 10]);
    expect(analyseWorkflow.exclusive?.noun).toBe('analysis');
    expect(Object.entries(analyseWorkflow.steps).filter(([, { brief }]) => brief)).toHaveLength(5);
  });
});

describe('the sample', () => {
  test('is put into the conversation, and into its parent conversation', async () => {
    const place = await inAccount(() => addConversation(accountId));
    const own = await inAccount(() => addConversation(accountId, { placeId: place._id, direct: true }));
    const other = await inAccount(() => addConversation(accountId));
    const { runStep, said } = makeStepContext({ accountId }, { conversation: own });
    for (const _again of [0, 1]) await inAccount(() => runStep(step(sampleWorkflow)));
    const files = await inAccount(() => StoredFile.find({}).sort({ key: 1 }).lean());
    expect(files.map(({ key, kind, type, name }) => [key, kind, type, name])).toEqual([
      [`sample:${own._id}:log`, 'hazard-log', SHEET_TYPES.xlsx, sample.log.fileName],
      [`sample:${own._id}:tickets`, 'tickets', 'text/csv', sample.tickets.fileName],
    ]);
    const read = async (row: ConversationRow) => {
      const now = await inAccount(() => Conversation.findById(row._id).lean());
      return now?.files;
    };
    const kept = { 'hazard-log': files[0]?._id, tickets: files[1]?._id };
    expect([await read(own), await read(place), await read(other)]).toEqual([kept, kept, {}]);
    expect(said[0]).toMatchObject({
      kind: 'upload',
      attachments: [{ name: files[0]?.name }, { name: files[1]?.name }],
    });
    const nowhere = makeStepContext({ accountId });
    expect(await inAccount(() => nowhere.runStep(step(sampleWorkflow)))).toEqual({ done: { output: '' } });
  });
});

describe('an export by name', () => {
  test('contains the proposals, or the decisions once there are any', async () => {
    const { row } = await addAnalysis();
    const make = (name: string, of = accountId) => runInAccount(of, () => makeExport(of, name));
    const proposed = await make(`proposed-hazards-${row._id}.xlsx`);
    expect(proposed).toMatchObject({
      name: `proposed-hazards-${row._id}.xlsx`,
      key: `analysis:${row._id}:proposed`,
      kind: 'export',
      type: SHEET_TYPES.xlsx,
    });
    expect(await make(`reviewed-hazards-${row._id}.xlsx`)).toBeNull();
    expect(await make(`proposed-hazards-${row._id}.xlsx`, nextNumber())).toBeNull();
    for (const name of [`proposed-hazards-${nextNumber()}.xlsx`, 'a.xlsx', `other-hazards-${row._id}.xlsx`])
      expect(await make(name)).toBeNull();
    const decisions: RowDecision[] = [{ id: String(computed.newHazards[0]?.id), outcome: 'accepted' }];
    await inAccount(() => HazardAnalysis.updateOne({ _id: row._id }, { $set: { decisions } }));
    const reviewed = await make(`reviewed-hazards-${row._id}.xlsx`);
    expect(reviewed).toMatchObject({ key: `analysis:${row._id}:reviewed` });
    expect(reviewed?.digest).not.toBe(proposed?.digest);
    // The proposals stay the same, whatever was decided.
    const decided = (await addAnalysis({}, { decisions })).row;
    expect((await make(`proposed-hazards-${decided._id}.xlsx`))?.size).toBe(proposed?.size);
    await inAccount(() => HazardAnalysis.updateOne({ _id: row._id }, { $set: { resultFileId: null } }));
    expect(await make(`proposed-hazards-${row._id}.xlsx`)).toBeNull();
    expect(await inAccount(() => loadCore({ ...row }))).toMatchObject({ existingHazards: [], tickets: [] });
  });
});

describe('an uploaded file', () => {
  const drop = (conversation: ConversationRow, part: 'log' | 'tickets', name = sample[part].fileName, id = 'd') =>
    inAccount(async () => {
      const { bytes } = sample[part];
      return acceptFile(conversation, { fileName: name, bytes, digest: await digestOf(bytes) }, id);
    });
  const said = async () => await inAccount(() => Message.find({}).sort({ _id: 1 }).lean());
  const filesOf = async (row: ConversationRow) => {
    const now = await inAccount(() => Conversation.findById(row._id).lean());
    return [now?.files['hazard-log'] ?? null, now?.files.tickets ?? null];
  };

  test('is stored by its kind, with a message about the next step', async () => {
    const conversation = await inAccount(() => addConversation(accountId));
    const { file, seen } = await drop(conversation, 'log', 'C:\\logs\\Our log.xlsx');
    expect(seen).toMatchObject({ kind: 'hazard-log', rowCount: 25 });
    expect(file).toMatchObject({
      name: 'Our log.xlsx',
      kind: 'hazard-log',
      type: SHEET_TYPES.xlsx,
      key: `upload:${conversation._id}:hazard-log:Our log.xlsx:${file.digest}`,
    });
    expect(await filesOf(conversation)).toEqual([file._id, null]);
    const [theirs, ours, ...more] = await said();
    expect(more).toEqual([]);
    expect(theirs).toMatchObject({
      key: 'drop:d:file',
      messageType: 'user',
      kind: 'upload',
      text: 'Our log.xlsx',
      agentName: null,
      attachments: [{ name: 'Our log.xlsx' }],
      derived: { reference: 'A hazard log.' },
    });
    const NEXT = ' You can add a ticket export, or start without one.';
    expect(ours).toMatchObject({
      key: 'drop:d:seen',
      messageType: 'assistant',
      agentName: 'Clara',
      text: expect.stringContaining(`Our log.xlsx is a hazard log with 25 data rows.${NEXT}`),
      derived: { reference: `A hazard log with 25 rows.${NEXT}` },
      card: { actions: [{ label: 'Start the analysis', action: 'send', value: 'Analyse my hazard log' }] },
    });
    await drop(conversation, 'log', 'Our log.xlsx');
    expect(await said()).toHaveLength(2);
  });

  test('of tickets waits for a log, unless the company has one', async () => {
    const first = await inAccount(() => addConversation(accountId));
    const { file } = await drop(first, 'tickets');
    expect(await filesOf(first)).toEqual([null, file._id]);
    const [theirs, ours] = await said();
    expect(theirs?.derived).toMatchObject({ reference: 'A ticket export.' });
    expect(ours?.text).toContain(
      'is a ticket export with 120 tickets. Now drop in the hazard log, and I can compare the two.',
    );
    expect(ours?.card).toEqual({ actions: [{ label: 'Add the hazard log', action: 'upload' }] });
    const second = await inAccount(() => addConversation(accountId));
    await drop(second, 'log', sample.log.fileName, 'e');
    const third = await inAccount(() => addConversation(accountId));
    await drop(third, 'tickets', sample.tickets.fileName, 'f');
    const last = (await said()).at(-1);
    expect(last?.text).toContain(`I’ll compare it with your company’s current hazard log, ${sample.log.fileName}.`);
    expect(last?.text).toContain('Say “analyse”, or press the button, and I’ll compare the log with the tickets.');
    expect(last?.card?.actions?.[0]?.label).toBe('Start the analysis');
  });

  test('replaces the earlier one, which is said', async () => {
    const other = await inAccount(() => addConversation(accountId));
    const place = await inAccount(() => addConversation(accountId));
    const own = await inAccount(() => addConversation(accountId, { placeId: place._id, direct: true }));
    const shared = await inAccount(() => addConversation(accountId, { placeId: place._id }));
    await drop(shared, 'log', 'shared.xlsx', '0');
    expect(await filesOf(place)).toEqual([null, null]);
    const instead = async (name: string, id: string, part: 'log' | 'tickets' = 'log') => {
      await drop(own, part, name, id);
      return /It replaces the earlier [a-z ]+/.exec((await said()).at(-1)?.text ?? '')?.[0] ?? null;
    };
    expect(await instead('one.xlsx', '1')).toBeNull();
    expect(await instead('one.xlsx', '2')).toBeNull();
    expect(await instead('two.xlsx', '3')).toBe('It replaces the earlier hazard log');
    expect(await instead('one.csv', '4', 'tickets')).toBeNull();
    expect(await instead('two.csv', '5', 'tickets')).toBe('It replaces the earlier ticket export');
    expect(await filesOf(place)).toEqual(await filesOf(own));
    expect((await filesOf(own)).every(Boolean)).toBe(true);
    expect(await filesOf(other)).toEqual([null, null]);
  });

  test('that can’t be used gets an answer in the conversation, and is not stored', async () => {
    const conversation = await inAccount(() => addConversation(accountId));
    const bytes = new Uint8Array(Buffer.from('no workbook'));
    const dropped = { fileName: 'a.xlsx', bytes, digest: await digestOf(bytes) };
    await expect(inAccount(() => acceptFile(conversation, dropped, 'd'))).rejects.toMatchObject({
      code: 'invalid_file',
    });
    const [theirs, ours] = await said();
    expect(theirs).toMatchObject({ key: 'drop:d:file', messageType: 'user', kind: 'upload', text: 'a.xlsx' });
    expect(ours).toMatchObject({
      key: 'drop:d:refused',
      messageType: 'assistant',
      kind: 'refused',
      agentName: 'Clara',
      derived: { reference: expect.stringContaining('I could not use that file.') },
    });
    expect(ours?.derived?.reference).toContain('(.xlsx, .xlsm, .xls, .csv, .docx or .md)');
    expect(await filesOf(conversation)).toEqual([null, null]);
    expect(await inAccount(() => StoredFile.countDocuments({}))).toBe(0);
  });

  test.each([
    ['log.xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.12'],
    ['log.XLSX', SHEET_TYPES.xlsx],
    ['log', 'application/octet-stream'],
  ])('has the content type of its name: %s is %s', async (name, type) => {
    const conversation = await inAccount(() => addConversation(accountId));
    expect((await drop(conversation, 'log', name)).file.type).toBe(type);
  });
});
