/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { currentFiles } from '../../../bot/agents/clinical_safety/files/currentFiles.ts';
import { clinicalSafety } from '../../../bot/agents/clinical_safety/index.ts';
import { findCompanyResult, findLatestAnalysis } from '../../../bot/agents/clinical_safety/results/findAnalysis.ts';
import { listHazards } from '../../../bot/agents/clinical_safety/results/listHazards.ts';
import {
  keepResult,
  loadCore,
  loadResult,
  readResultJson,
  readTicketsJson,
} from '../../../bot/agents/clinical_safety/results/results.ts';
import {
  digestOfProposal,
  markRejectedBefore,
} from '../../../bot/agents/clinical_safety/workflows/earlierRejections.ts';
import { findKeptDecisions } from '../../../bot/agents/clinical_safety/workflows/keptDecisions.ts';
import { requireMergeable } from '../../../bot/agents/clinical_safety/workflows/recordedReview.ts';
import { findDownload, readDownload } from '../../../bot/engine/agents/downloads.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../bot/engine/agents/requireAgentOf.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult } from '../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../models/contracts/clinical_safety/proposals.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { keepFile } from '../../../models/files.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { addConversation } from '../../factories/stepContext.ts';

connectTestStore();

let who: Who;
let accountId = 0;
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
beforeEach(() => {
  who = makeWho();
  accountId = who.accountId;
});

const at = (day: number) => new Date(Date.UTC(2126, 0, day));
const addFile = (change: Partial<FileRow> = {}): Promise<FileRow> => {
  const _id = new Types.ObjectId();
  const row = {
    _id,
    accountId,
    name: String(_id),
    originalName: 'log.xlsx',
    kind: 'hazard-log',
    type: 'x',
    size: 1,
    digest: '',
    key: `upload:${_id}`,
    ...change,
  };
  return inAccount(async () => (await StoredFile.create(row as never)) as unknown as FileRow);
};
const addAnalysis = (change: Partial<HazardAnalysisRow> = {}, of = accountId): Promise<HazardAnalysisRow> => {
  const row = {
    _id: nextNumber(),
    accountId: of,
    userAgentId: 1,
    runId: new Types.ObjectId(),
    status: 'reviewed',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
    ...change,
  };
  return runInAccount(of, async () => (await HazardAnalysis.create(row as never)) as unknown as HazardAnalysisRow);
};

describe('an agent named by a call', () => {
  const hire = (change: object = {}) =>
    inAccount(() =>
      UserAgent.create({
        _id: nextNumber(),
        accountId,
        userId: 1,
        agentId: 'mdr',
        status: 'onboarded',
        ...change,
      } as never),
    ) as Promise<{ _id: number }>;

  test('belongs to the account, is of that kind, and ready if it has to work', async () => {
    const [ready, hired] = [await hire(), await hire({ agentId: 'ops', status: 'hired' })];
    const require = (of: typeof requireAgentOf, id: number, by = who) =>
      codeOf(runInAccount(by.accountId, () => of(by, id, 'mdr')));
    for (const of of [requireAgentOf, requireReadyAgentOf]) {
      expect(await require(of, ready._id)).toBe('done');
      expect(await require(of, hired._id)).toBe('wrong_agent');
      expect(await require(of, nextNumber())).toBe('not_found');
      expect(await require(of, ready._id, makeWho())).toBe('not_found');
    }
    await inAccount(() => UserAgent.updateOne({ _id: ready._id }, { $set: { status: 'hired' } }));
    expect(await require(requireAgentOf, ready._id)).toBe('done');
    expect(await require(requireReadyAgentOf, ready._id)).toBe('agent_not_ready');
    await expect(inAccount(() => requireAgentOf(who, ready._id, 'clinical_safety'))).rejects.toThrow(
      'the agent “Clinical safety officer”',
    );
  });
});

describe('the files of a conversation', () => {
  const filesOf = async (
    { log, tickets }: { log?: FileRow; tickets?: FileRow } = {},
    place: Partial<ConversationRow> = {},
  ) => {
    const files = { ...(log ? { 'hazard-log': log._id } : {}), ...(tickets ? { tickets: tickets._id } : {}) };
    const given = { accountId, files, ...place };
    const { logFileId, ticketsFileId, companyLog } = await inAccount(() => currentFiles(given));
    return [logFileId, ticketsFileId, companyLog?._id ?? null].map((id) => id && String(id));
  };
  const ids = (...files: (FileRow | null)[]) => files.map((file) => file && String(file._id));

  test('are its own if it has a log, never with another’s tickets', async () => {
    const [log, tickets] = [await addFile(), await addFile({ kind: 'tickets' })];
    await addFile({ createdAt: at(9) });
    expect(await filesOf({ log })).toEqual(ids(log, null, null));
    expect(await filesOf({ log, tickets })).toEqual(ids(log, tickets, null));
  });

  test('are the chat’s in a thread of a direct chat, by kind, until the thread has a log', async () => {
    const [log, tickets, own] = [
      await addFile(),
      await addFile({ kind: 'tickets' }),
      await addFile({ kind: 'tickets' }),
    ];
    const files = { 'hazard-log': log._id, tickets: tickets._id };
    const thread = { placeId: (await inAccount(() => addConversation(accountId, { files })))._id, direct: true };
    expect(await filesOf({}, thread)).toEqual(ids(log, tickets, null));
    expect(await filesOf({ tickets: own }, thread)).toEqual(ids(log, own, null));
    // With a log of its own, it does not use the chat's tickets.
    const another = await addFile();
    expect(await filesOf({ log: another }, thread)).toEqual(ids(another, null, null));
    expect(await filesOf({ log: another, tickets: own }, thread)).toEqual(ids(another, own, null));
    // In a channel each thread has its own uploads, or else the company's.
    expect((await filesOf({ tickets: own }, { ...thread, direct: false })).slice(0, 2)).toEqual(ids(another, own));
  });

  test('are the company’s newest upload of each kind if it has none', async () => {
    expect(await filesOf()).toEqual([null, null, null]);
    const own = await addFile({ kind: 'tickets' });
    expect(await filesOf()).toEqual([null, null, null]);
    expect(await filesOf({ tickets: own })).toEqual(ids(null, own, null));
    const log = await addFile({ createdAt: at(2) });
    await addFile({ createdAt: at(1) });
    const tickets = await addFile({ kind: 'tickets', createdAt: at(2) });
    await addFile({ kind: 'tickets', createdAt: at(1) });
    await addFile({ kind: 'export', createdAt: at(3) });
    expect(await filesOf()).toEqual(ids(log, tickets, log));
    expect(await filesOf({ tickets: own })).toEqual(ids(log, own, log));
    accountId = makeWho().accountId;
    who = { ...who, accountId };
    expect(await filesOf()).toEqual([null, null, null]);
  });

  test.each<[string, Partial<FileRow>]>([
    ['the sample', { key: 'sample:1:log' }],
    ['a document', { key: 'document:log.xlsx:1' }],
    ['files that were not uploaded', { key: 'uploads:1' }],
    ['one that was removed', { removed: true }],
    ['an expired file', { expiresAt: new Date(0) }],
  ])('are never %s', async (_what, change) => {
    const file = await addFile(change);
    expect(await filesOf()).toEqual([null, null, null]);
    await addAnalysis({ logFileId: file._id, createdAt: at(9) });
    expect(await filesOf()).toEqual([null, null, null]);
    const log = await addFile({ expiresAt: at(1), createdAt: new Date(0) });
    expect(await filesOf()).toEqual(change.expiresAt ? [null, null, null] : ids(log, null, log));
  });

  test('are the company’s log with the tickets that it was analysed with, until others are uploaded', async () => {
    const [log, other] = [await addFile({ createdAt: at(1) }), await addFile({ createdAt: at(2) })];
    const analysedWith = await addFile({ kind: 'tickets', key: `sample:${accountId}:tickets` });
    await addAnalysis({ logFileId: other._id, createdAt: at(3) });
    const { _id } = await addAnalysis({ logFileId: log._id, ticketsFileId: analysedWith._id, createdAt: at(4) });
    expect(await filesOf()).toEqual(ids(log, analysedWith, log));
    const own = await addFile({ kind: 'tickets', key: `sample:${accountId}:own` });
    expect(await filesOf({ tickets: own })).toEqual(ids(log, own, log));
    await inAccount(() => StoredFile.updateOne({ _id: analysedWith._id }, { $set: { removed: true } }));
    expect(await filesOf()).toEqual(ids(log, null, log));
    await inAccount(() => StoredFile.updateOne({ _id: analysedWith._id }, { $set: { removed: false } }));
    const uploaded = await addFile({ kind: 'tickets', createdAt: at(0) });
    expect(await filesOf()).toEqual(ids(log, uploaded, log));
    await inAccount(() => StoredFile.updateOne({ _id: uploaded._id }, { $set: { removed: true } }));
    // A log uploaded since was never analysed with any.
    const since = await addFile({ createdAt: at(5) });
    expect(await filesOf()).toEqual(ids(since, null, since));
    await inAccount(() => HazardAnalysis.deleteOne({ _id }));
  });

  test('include the log that was last analysed or uploaded', async () => {
    const [old, analysed] = [await addFile({ createdAt: at(1) }), await addFile({ createdAt: at(2) })];
    await addAnalysis({ logFileId: old._id, createdAt: at(2) });
    await addAnalysis({ logFileId: analysed._id, createdAt: at(4) });
    await addAnalysis({ logFileId: old._id, createdAt: at(3) });
    expect(await filesOf()).toEqual(ids(analysed, null, analysed));
    const between = await addFile({ createdAt: at(4) });
    expect(await filesOf()).toEqual(ids(analysed, null, analysed));
    await inAccount(() => StoredFile.updateOne({ _id: analysed._id }, { $set: { removed: true } }));
    expect(await filesOf()).toEqual(ids(between, null, between));
    const since = await addFile({ createdAt: at(5) });
    expect(await filesOf()).toEqual(ids(since, null, since));
  });
});

const rejected = (id: string, reason?: string): RowDecision => ({
  id,
  outcome: 'rejected',
  ...(reason ? { reason } : {}),
});
const accepted = (id: string): RowDecision => ({ id, outcome: 'accepted' });

describe('an earlier rejection of a proposal', () => {
  const decidedBy = (name: string, day = 1) => ({ name, at: at(day), via: 'inbox' });
  const mark = (...proposals: string[]) =>
    inAccount(async () =>
      (
        await markRejectedBefore(
          accountId,
          proposals.map((id) => makeProposal({ id })),
        )
      ).map(({ id, rejectedBefore }) => [id, rejectedBefore ?? null]),
    );

  test('says by whom, when and why, by the account’s last decision', async () => {
    await addAnalysis({
      decisions: [rejected('a', 'Not ours.'), rejected('b'), rejected('c')],
      decidedBy: decidedBy('Ada'),
      createdAt: at(9),
    });
    await addAnalysis({ decisions: [accepted('b'), rejected('d')], decidedBy: decidedBy('Ben', 2) });
    await addAnalysis({ decisions: [rejected('e')], decidedBy: null });
    await addAnalysis({ decisions: [rejected('f')], decidedBy: decidedBy('Cara') }, makeWho().accountId);
    const by = (name: string, day: number, reason: string | null) => ({
      ...{ by: name, at: at(day).toISOString(), reason },
      day: `${day} Jan 2126`,
    });
    expect(await mark('a', 'b', 'd', 'e', 'f', 'g')).toEqual([
      ['a', by('Ada', 1, 'Not ours.')],
      ['b', null],
      ['d', by('Ben', 2, null)],
      ['e', null],
      ['f', null],
      ['g', null],
    ]);
  });

  test('is looked for in the proposal’s last hundred reviews', async () => {
    await addAnalysis({ decisions: [rejected('a'), rejected('b')], decidedBy: decidedBy('Ada') });
    const later = { decisions: [accepted('a')], decidedBy: decidedBy('Ben', 2) };
    for (let review = 0; review < 99; review += 1) await addAnalysis(later);
    expect(await mark('b')).toEqual([['b', expect.objectContaining({ by: 'Ada' })]]);
    expect((await mark('a', 'b')).map(([, before]) => before)).toEqual([null, expect.objectContaining({ by: 'Ada' })]);
    await addAnalysis(later);
    expect((await mark('a', 'b')).map(([, before]) => before)).toEqual([null, null]);
  });
});

describe('decisions of withdrawn reviews', () => {
  const conversationId = new Types.ObjectId();
  const review = (
    change: Partial<InterruptRow>,
    proposals: NewHazard[],
    rows: RowDecision[],
    chosen?: Record<string, string>,
  ) =>
    runInAccount(change.accountId ?? accountId, () =>
      Interrupt.create(
        makeInterrupt({
          _id: nextNumber(),
          accountId,
          conversationId,
          askKey: String(nextNumber()),
          interruptType: 'hazard_review',
          status: 'cancelled',
          context: { rows: proposals },
          draft: { rows, version: 1, savedAt: null, savedBy: null, ...(chosen ? { chosen } : {}) },
          ...change,
        }) as never,
      ),
    );
  const [a, b, c] = ['a', 'b', 'c'].map((id) => makeProposal({ id })) as [NewHazard, NewHazard, NewHazard];
  const kept = (proposals: NewHazard[], of: Types.ObjectId | null = conversationId) =>
    inAccount(() =>
      findKeptDecisions(
        { accountId, conversationId: of },
        {
          interruptType: 'hazard_review',
          rows: proposals,
          digestOf: digestOfProposal,
          isPreselected: ({ rejectedBefore }, { outcome }) => outcome === 'rejected' && rejectedBefore !== undefined,
        },
      ),
    );
  const NONE = { rows: [], chosen: {}, by: [] };

  test('are kept for unchanged proposals, the newest of each', async () => {
    await review({}, [a, b, c], [rejected('a'), accepted('b')], { a: 'MED-01', c: 'MED-02' });
    await review({}, [a, b], [accepted('a')], { a: 'MED-03' });
    expect(await kept([a, b, c])).toEqual({
      rows: [accepted('a'), accepted('b')],
      chosen: { a: 'MED-03', c: 'MED-02' },
      by: [],
    });
    expect(await kept([makeProposal({ id: 'd' })])).toEqual(NONE);
    expect(await kept([a], null)).toEqual(NONE);
    expect(await kept([a], new Types.ObjectId())).toEqual(NONE);
    // The number that a hazard would get in the log is not part of the decision.
    expect((await kept([{ ...a, proposedId: 'H99' }])).rows).toEqual([accepted('a')]);
  });

  test.each([
    ['another entry of the knowledge base', { kbId: 'MED-09' }],
    ['another text', { values: { ...a.values, cause: 'Another' } }],
    ['another candidate', { candidates: [{ kbId: 'MED-09', title: 'B', category: 'M', score: 2 }] }],
  ])('are not kept for a proposal with %s', async (_what, change) => {
    await review({}, [a], [accepted('a')]);
    expect(await kept([{ ...a, ...change }])).toEqual(NONE);
  });

  test('are kept only since the last completed review', async () => {
    await review({}, [a], [accepted('a')]);
    await review({ status: 'resolved' }, [b], [accepted('b')]);
    await review({}, [c], [accepted('c')]);
    expect((await kept([a, b, c])).rows).toEqual([accepted('c')]);
    await review({ status: 'resolved' }, [c], [accepted('c')]);
    expect(await kept([a, b, c])).toEqual(NONE);
  });

  test('come from closed reviews of this conversation and account', async () => {
    await review({ status: 'pending' }, [a], [accepted('a')]);
    await review({ interruptType: 'approval' }, [a], [accepted('a')]);
    await review({ conversationId: new Types.ObjectId() }, [a], [accepted('a')]);
    await review({ accountId: makeWho().accountId }, [a], [accepted('a')]);
    await review({ context: {}, draft: null }, [], []);
    await review({ draft: null }, [a], []);
    expect(await kept([a])).toEqual(NONE);
  });

  test('are not kept for a proposal outside the review, or a run outside a conversation', async () => {
    await review({}, [b], [accepted('a')], { a: 'MED-03' });
    await review({ conversationId: null }, [a], [accepted('a')]);
    expect(await kept([a])).toEqual(NONE);
    expect(await kept([a], null)).toEqual(NONE);
  });

  test('leave out rejections that the review started with', async () => {
    const before = { ...a, rejectedBefore: { by: 'Ada', at: at(1).toISOString(), reason: null } };
    await review({}, [before, b], [rejected('a'), rejected('b')]);
    expect((await kept([before, b])).rows).toEqual([rejected('b')]);
    await review({}, [before], [accepted('a')]);
    expect((await kept([before])).rows).toEqual([accepted('a')]);
  });

  test('are looked for in the last twenty reviews', async () => {
    await review({}, [a], [accepted('a')]);
    for (let more = 0; more < 19; more += 1) await review({}, [b], []);
    expect((await kept([a])).rows).toEqual([accepted('a')]);
    await review({}, [b], []);
    expect((await kept([a])).rows).toEqual([]);
  });
});

describe('results', () => {
  const proposal = makeProposal();
  const RESULT = {
    existingHazards: [{ id: 'NRL01', name: 'Wrong dose', description: 'A dose' }],
    newHazards: [proposal, makeProposal({ id: 'p2', proposedId: 'H2', candidates: [] as never })],
    tickets: [{ key: 'EX-1' }],
    findings: [],
    analysisMetadata: { logDigest: 'd' },
  } as unknown as AnalysisResult;
  const keep = async (change: Partial<HazardAnalysisRow> = {}, result = RESULT) => {
    const runId = new Types.ObjectId();
    const kept = await inAccount(() => keepResult(accountId, runId, result));
    return addAnalysis({ runId, ...kept, ...change });
  };

  test('are stored in three parts, once, and read as a whole or without their lists', async () => {
    const row = await keep();
    const again = await inAccount(() => keepResult(accountId, row.runId, RESULT));
    expect(again.resultFileId).toEqual(row.resultFileId);
    const files = await inAccount(() => StoredFile.find({}).sort({ key: 1 }).lean());
    expect(files.map(({ key, name, kind, type }) => [key, name, kind, type])).toEqual(
      ['hazards', 'result', 'tickets'].map((part) => [
        `analysis:${row.runId}:${part}`,
        `analysis-${row.runId}-${part}.json.gz`,
        'result',
        'application/json+gzip',
      ]),
    );
    const json = await inAccount(() => readResultJson(row));
    const { tickets, ...rest } = RESULT;
    expect(JSON.parse(json.toString('utf8'))).toEqual(rest);
    expect(JSON.parse((await inAccount(() => readTicketsJson(row))).toString('utf8'))).toEqual(tickets);
    expect(await inAccount(() => loadCore(row))).toEqual({ ...RESULT, existingHazards: [], tickets: [] });
    expect(await inAccount(() => loadResult(row))).toEqual(RESULT);
    expect(await codeOf(inAccount(() => readTicketsJson({ ...row, ticketsResultFileId: null } as never)))).toBe(
      'file_not_found',
    );
  });

  test('are cached, eight small ones at most', async () => {
    const rows: HazardAnalysisRow[] = [];
    for (let count = 0; count < 9; count += 1) rows.push(await keep());
    for (const row of rows) await inAccount(() => loadResult(row));
    await inAccount(() => StoredFile.deleteMany({}));
    const outcomes: string[] = [];
    for (const row of rows) outcomes.push(await codeOf(inAccount(() => loadResult(row))));
    expect(outcomes).toEqual(['file_not_found', ...Array.from({ length: 8 }, () => 'done')]);
  });

  test.each([
    [3998, 'done'],
    [3999, 'file_not_found'],
  ])('with one hazard and %d tickets are read again: %s', async (count, code) => {
    const tickets = Array.from({ length: count }, (_, key) => ({ key })) as never;
    const row = await keep({}, { ...RESULT, tickets });
    await inAccount(() => loadResult(row));
    await inAccount(() => StoredFile.deleteMany({}));
    expect(await codeOf(inAccount(() => loadResult(row)))).toBe(code);
  });

  test('are found through the newest analysis that has one', async () => {
    const read = () =>
      inAccount(async () => [
        (await findCompanyResult(accountId))?._id ?? null,
        (await findLatestAnalysis({ accountId, userId: 1 }))?._id ?? null,
      ]);
    expect(await read()).toEqual([null, null]);
    await keep({ createdAt: at(1) });
    const row = await keep({ createdAt: at(2) });
    await keep({ createdAt: at(1) });
    const running = await addAnalysis({ createdAt: at(3) });
    await addAnalysis({ createdAt: at(4), resultFileId: new Types.ObjectId() }, makeWho().accountId);
    announce(accountId, ['analysis']);
    expect(await read()).toEqual([row._id, running._id]);
  });

  test.each<[ConsentMode, string | null, string | null]>([
    ['full', 'New cause of NRL01: Wrong dose', 'Unit lost'],
    ['redacted', 'New cause of NRL01', null],
    ['reference-only', null, null],
  ])('list an addition by its hazard under %s, never with a new id', async (mode, title, text) => {
    const values = { name: 'New cause of NRL01: Wrong dose', cause: 'Unit lost' };
    const cause = { id: 'cause:NRL01', as: 'cause' as const, hazardId: 'NRL01', hazardName: 'Wrong dose', says: null };
    const newHazards = [{ ...proposal, proposedAs: cause.id, additions: [{ ...cause, values }] }];
    await keep({}, { ...RESULT, newHazards });
    announce(accountId, ['analysis']);
    const listed = await inAccount(() => listHazards(accountId, mode));
    expect(listed.slice(1)).toEqual([{ id: 'NRL01', title, text, state: 'Proposed addition, for review' }]);
  });

  test('list their hazards, the log’s first, without content that needs consent', async () => {
    const list = (mode: ConsentMode) => inAccount(() => listHazards(accountId, mode));
    expect(await list('full')).toEqual([]);
    await keep();
    announce(accountId, ['analysis']);
    const { name: title, description: text } = proposal.values;
    const [logged, proposed] = [{ state: 'In the hazard log' }, { state: 'Proposed, for review' }];
    expect(await list('full')).toEqual([
      { id: 'NRL01', title: 'Wrong dose', text: 'A dose', ...logged },
      { id: 'H1', title, text, ...proposed },
      { id: 'H2', title, text, ...proposed },
    ]);
    expect(await list('redacted')).toEqual([
      { id: 'NRL01', title: null, text: null, ...logged },
      { id: 'H1', title: 'Wrong dose', text: null, ...proposed },
      { id: 'H2', title: null, text: null, ...proposed },
    ]);
    expect(await list('reference-only')).toEqual([
      { id: 'NRL01', title: null, text: null, ...logged },
      { id: 'H1', title: null, text: null, ...proposed },
      { id: 'H2', title: null, text: null, ...proposed },
    ]);
  });

  test('count as merged once a review accepted something', async () => {
    const merge = (_id: number, of = who) =>
      codeOf(runInAccount(of.accountId, () => requireMergeable(of.accountId, _id)));
    const row = await keep({ decisions: [rejected('p1'), accepted('p2')] });
    expect(await merge(row._id)).toBe('done');
    expect(await merge(row._id, makeWho())).toBe('no_analysis');
    expect(await merge(nextNumber())).toBe('no_analysis');
    expect(await merge((await addAnalysis({ decisions: [accepted('p1')] }))._id)).toBe('no_analysis');
    expect(await merge((await keep())._id)).toBe('review_pending');
    expect(await merge((await keep({ decisions: [{ id: 'p1', outcome: 'edited' }] }))._id)).toBe('done');
    for (const decisions of [[], [rejected('p1')]]) {
      const { _id } = await keep({ decisions });
      await expect(inAccount(() => requireMergeable(accountId, _id))).rejects.toMatchObject({
        code: 'not_available',
        message: 'No proposal was accepted, so there is nothing to merge.',
      });
    }
  });

  test('are internal: no download returns them', async () => {
    const bytes = Buffer.from('a');
    await keep();
    const [result] = await inAccount(() => StoredFile.find({ kind: 'result' }).lean());
    const kept = await inAccount(() =>
      keepFile({ accountId, name: 'a.csv', kind: 'tickets', key: 'k', type: 'text/csv', bytes }),
    );
    const find = (name: string, of = accountId) => runInAccount(of, () => findDownload(of, name));
    expect(await find('a.csv')).toMatchObject({ _id: kept._id });
    expect(await find('a.csv', makeWho().accountId)).toBeNull();
    expect(await find(String(result?.name))).toBeNull();
    expect(await find('b.csv')).toBeNull();
    expect(await inAccount(() => readDownload(accountId, 'a.csv'))).toEqual({
      row: expect.objectContaining({ _id: kept._id }),
      bytes,
    });
    expect(await inAccount(() => readDownload(accountId, 'b.csv'))).toBeNull();
  });

  describe('requests in words:', () => {
    let tools = [{ id: 'hazardanalysis', enabled: true }];
    beforeEach(() => {
      tools = [{ id: 'hazardanalysis', enabled: true }];
    });
    const route = (text: string, conversation: object = {}) =>
      inAccount(async () =>
        clinicalSafety.route({
          text,
          conversation: { accountId, files: {}, ...conversation },
          userAgent: { accountId, agentId: 'clinical_safety', tools },
          messageId: 'm',
        } as never),
      );
    const refusal = (text: string) => codeOf(route(text));

    test('a tool that is off is said before anything else that is missing', async () => {
      tools = [{ id: 'hazardanalysis', enabled: false }];
      for (const text of ['Analyse my log', 'Merge']) expect(await refusal(text)).toBe('tool_off');
    });

    test('an analysis needs a log, even if the words also withdraw a question', async () => {
      expect(await refusal('Analyse my log')).toBe('no_log');
      const [logFileId, ticketsFileId] = [new Types.ObjectId(), new Types.ObjectId()];
      expect(await route('Analyse my log', { files: { 'hazard-log': logFileId, tickets: ticketsFileId } })).toEqual({
        workflow: 'hazard-analysis',
        goal: 'Analyse my log',
        state: { logFileId, ticketsFileId, fromCompany: false },
      });
      const company = await addFile();
      const text = 'Start a new analysis and withdraw question 18';
      expect(await route(text)).toEqual({
        workflow: 'hazard-analysis',
        goal: text,
        state: { logFileId: company._id, ticketsFileId: null, fromCompany: true },
      });
    });

    test('a merge needs a review', async () => {
      expect(await refusal('merge')).toBe('no_analysis');
      const row = await keep();
      announce(accountId, ['analysis']);
      expect(await refusal('merge')).toBe('review_pending');
      await inAccount(() => HazardAnalysis.updateOne({ _id: row._id }, { $set: { decisions: [accepted('p1')] } }));
      expect(await route('merge')).toEqual({ workflow: 'hazard-merge', goal: 'merge', state: { analysisId: row._id } });
    });

    test('a file of proposals needs proposals', async () => {
      const words = 'Download new hazards';
      expect(await refusal(words)).toBe('no_analysis');
      await keep();
      announce(accountId, ['analysis']);
      expect(await refusal(words)).toBe('no_analysis');
      await keep({ newHazardsFileName: 'proposed-hazards-1.xlsx', createdAt: at(1) });
      announce(accountId, ['analysis']);
      expect(await route(words)).toEqual({
        workflow: 'clinical-safety-answer',
        goal: words,
        state: { intent: 'new-hazards' },
      });
    });

    test.each([
      ['Try it with a sample', 'clinical-safety-sample', {}],
      ['help', 'clinical-safety-reply', { answer: expect.stringContaining('hazard log') }],
      ['What could go wrong when a dose is shown in the wrong unit?', 'clinical-safety-answer', { fromLog: false }],
    ])('“%s” is %s', async (words, workflow, state) => {
      expect(await route(words)).toMatchObject({ workflow, goal: words, state });
    });
  });
});
