/** @environment store */
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { MatchRow } from '../../../../bot/agents/clinical_safety/matches/matchRow.ts';
import { loadDecisions, saveDecisions } from '../../../../bot/agents/clinical_safety/matches/ticketMatches.ts';
import { keepResult, loadResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { closePool } from '../../../../bot/agents/clinical_safety/worker/pool.ts';
import { analyseWorkflow } from '../../../../bot/agents/clinical_safety/workflows/analyse.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { TicketMatch } from '../../../../models/clinical_safety/ticketMatch.ts';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { keepFile } from '../../../../models/files.ts';
import { Interrupt, type InterruptRow } from '../../../../models/interrupt.ts';
import type { RunRow } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makePossible, makeResult, makeTicket } from '../../../factories/analysisResult.ts';
import { type HazardRow, makeWideLog } from '../../../factories/hazardLog.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';
import { makeMatchRow } from '../../../factories/matches.ts';
import { addConversation, makeStepContext } from '../../../factories/stepContext.ts';
import { ALLERGY, DOSE } from '../../../factories/tickets.ts';

connectTestStore();
afterAll(closePool);

let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});
afterEach(() => {
  jest.restoreAllMocks();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const AT = new Date(Date.UTC(2026, 4, 3));

type Asked = { ask: { prompt: string; context: { rows: MatchRow[] }; draft: RowDecision[]; kept?: string[] } };
type State = Record<string, unknown>;

/** Runs a step of an analysis; `answer` is the question that it waited for. */
async function runStep(run: Partial<RunRow>, state: State, name: string, answer?: InterruptRow) {
  const made = makeStepContext({ accountId, ...run, state }, answer ? { answer } : {});
  const result = await inAccount(() => made.runStep(analyseWorkflow.steps[name]?.run));
  return {
    result: result as unknown as Asked & { done?: { output: string }; next?: string; state?: State },
    said: made.said,
  };
}

/** The question as it was answered. */
const answered = (rows: MatchRow[], decided: RowDecision[], _id = nextNumber(), at = AT): InterruptRow =>
  makeInterrupt({
    _id,
    accountId,
    interruptType: 'match_review',
    status: 'resolved',
    context: { rows },
    userResponse: { rows: decided },
    resolution: { outcome: 'modified', by: { userId: 7, name: 'Ada' }, via: 'slack', at } as never,
  });

/** Analyses a log with tickets, and asks about its possible matches. */
async function analyse(rows: HazardRow[], tickets: [key: string, summary: string][]) {
  const csv = ['Key,Summary', ...tickets.map((cells) => cells.join(','))].join('\n');
  const keep = (kind: 'hazard-log' | 'tickets', name: string, bytes: Uint8Array) =>
    keepFile({ accountId, name, kind, key: String(nextNumber()), type: SHEET_TYPES.xlsx, bytes });
  const [log, export_] = await inAccount(async () => [
    await keep('hazard-log', 'log.xlsx', makeWideLog(rows)),
    await keep('tickets', 'tickets.csv', Buffer.from(csv)),
  ]);
  const run = { _id: new Types.ObjectId() };
  const opened = await runStep(run, { logFileId: log?._id, ticketsFileId: export_?._id }, 'open');
  const state = opened.result.state as State;
  await runStep(run, state, 'analyse');
  const { result } = await runStep(run, state, 'matches');
  return { run, state: { ...state, ...result.state }, result };
}
const coverageNow = async () => {
  const row = requireRow(await inAccount(() => HazardAnalysis.findOne({}).sort({ _id: -1 }).lean()));
  const { analysisMetadata, tickets } = await inAccount(() => loadResult(row));
  const { covered, possible, none, relevant } = analysisMetadata.coverage;
  return { covered, possible, none, relevant, score: analysisMetadata.coverageScore, headline: row.headline, tickets };
};

const FAILED = 'Allergy panel shows none known although the allergy service failed';
const TICKETS: [string, string][] = [
  ['EPS-1', FAILED],
  ['EPS-2', `${FAILED} at night`],
  ['EPS-3', `${FAILED} on ward 3`],
];
const DECIDED: RowDecision[] = [
  { id: 'EPS-1', outcome: 'accepted' },
  { id: 'EPS-2', outcome: 'edited', choice: 'HAZ02' },
  { id: 'EPS-3', outcome: 'rejected' },
];

test('coverage before and after a review of matches, and after the log and one ticket changed', async () => {
  const first = await analyse([ALLERGY, DOSE], TICKETS);
  const { rows } = first.result.ask.context;
  const byKey = [...rows].sort((a, b) => a.id.localeCompare(b.id));
  expect(byKey.map(({ id, possible, others }) => [id, possible[0]?.hazardId, others[0]?.id])).toEqual([
    ['EPS-1', 'HAZ01', 'HAZ02'],
    ['EPS-2', 'HAZ01', 'HAZ02'],
    ['EPS-3', 'HAZ01', 'HAZ02'],
  ]);
  expect(first.result.ask.prompt).toBe(
    'Please say which hazards of log.xlsx cover these 3 tickets. What they are about is near, which doesn’t count as covered until you confirm it.',
  );
  expect(await coverageNow()).toMatchObject({ covered: 0, possible: 3, none: 0, relevant: 3, score: 0 });

  const { result, said } = await runStep(first.run, first.state, 'confirm', answered(rows, DECIDED));
  expect(result).toMatchObject({ next: 'matches' });
  expect(said[0]?.text).toContain(
    'Matches recorded: 1 confirmed, 1 with another hazard, 1 with no hazard. Before, 0 of 3 relevant tickets were covered; now 2 are. Coverage 2 of 3 (67 per cent)',
  );
  const after = await coverageNow();
  expect(after).toMatchObject({ covered: 2, possible: 0, none: 1, relevant: 3, score: 67 });
  expect(after.headline).toContain('2 of 3 relevant tickets covered (0 possible, 1 none, 0 unsure)');
  expect(after.tickets.map(({ coveredBy, hazardIds }) => [coveredBy, ...hazardIds])).toEqual([
    ['person', 'HAZ01'],
    ['person', 'HAZ02'],
    [null],
  ]);
  expect((await runStep(first.run, { ...first.state, ...result.state }, 'matches')).result.done?.output).toMatch(
    /Matches: 1 confirmed, 1 with another hazard, 1 with no hazard\.$/,
  );

  // The second analysis asks nothing again.
  const second = await analyse([ALLERGY, DOSE], TICKETS);
  expect(second.result.done).toBeDefined();
  expect(await coverageNow()).toMatchObject({ covered: 2, possible: 0, none: 1, score: 67 });

  // The next version of the log, with one hazard and one ticket changed, asks about those, and says why.
  const changed: [string, string][] = TICKETS.map(([key, text]) => [key, key === 'EPS-2' ? `${text} again` : text]);
  const third = await analyse([{ ...ALLERGY, impact: 'Anaphylaxis' }, DOSE], changed);
  expect(third.result.ask.prompt).toContain(' 3 are asked again, because a text has changed.');
  const again = new Map(third.result.ask.context.rows.map((row) => [row.id, row]));
  expect(again.get('EPS-1')?.earlier).toBe('Ada confirmed HAZ01 on 3 May 2026; the hazard has changed since.');
  expect(again.get('EPS-2')?.earlier).toBe('Ada confirmed HAZ02 on 3 May 2026; the ticket has changed since.');
  expect(again.get('EPS-2')?.possible[0]?.hazardId).toBe('HAZ02');
  expect(again.get('EPS-3')?.earlier).toBe('Ada ruled out HAZ01 on 3 May 2026; the hazard has changed since.');
  expect(await coverageNow()).toMatchObject({ covered: 0, possible: 3, score: 0 });
}, 180_000);

test('a decision that is taken back while an analysis reads is not counted in its result', async () => {
  const first = await analyse([ALLERGY, DOSE], TICKETS);
  await runStep(first.run, first.state, 'confirm', answered(first.result.ask.context.rows, DECIDED));
  const publish = HazardAnalysis.updateOne.bind(HazardAnalysis) as (...given: unknown[]) => Promise<unknown>;
  jest.spyOn(HazardAnalysis, 'updateOne').mockImplementationOnce((async (...given: unknown[]) => {
    const takenBack = { userId: 8, name: 'Ben', at: AT };
    await TicketMatch.updateOne({ accountId, ticketKey: 'EPS-1', covers: true }, { $set: { takenBack } });
    return publish(...given);
  }) as never);
  await analyse([ALLERGY, DOSE], TICKETS);
  const { covered, possible, headline, tickets } = await coverageNow();
  expect([covered, possible]).toEqual([1, 1]);
  expect(headline).toContain('1 of 3 relevant tickets covered');
  expect(tickets[0]).toMatchObject({ key: 'EPS-1', coveredBy: null, possibleHazardIds: ['HAZ01'] });
}, 120_000);

test('the other account with the same files knows nothing of the decisions', async () => {
  const { run, state, result } = await analyse([ALLERGY, DOSE], TICKETS);
  await runStep(run, state, 'confirm', answered(result.ask.context.rows, DECIDED));
  accountId = nextNumber();
  const other = await analyse([ALLERGY, DOSE], TICKETS);
  expect(other.result.ask.context.rows.map(({ earlier }) => earlier)).toEqual([null, null, null]);
  expect(await coverageNow()).toMatchObject({ covered: 0, possible: 3 });
  expect(await inAccount(() => loadDecisions(accountId))).toEqual([]);
});

/** A stored analysis with these tickets. */
async function addAnalysis(tickets: TicketVerdict[]) {
  const runId = new Types.ObjectId();
  const kept = await inAccount(() => keepResult(accountId, runId, makeResult({ tickets, coverageScore: 0 })));
  const row = { _id: nextNumber(), accountId, userAgentId: 3, runId, status: 'reviewed', ...kept };
  const names = { logFileId: new Types.ObjectId(), logFileName: 'log.xlsx', headline: 'The headline' };
  await inAccount(() => HazardAnalysis.create({ ...row, ...names } as never));
  return { _id: runId };
}
const ticket = (key: string, more: Partial<TicketVerdict> = {}) =>
  makeTicket({
    key,
    digest: `digest of ${key}`,
    possibleHazardIds: ['H1'],
    possible: [makePossible()],
    others: [],
    ...more,
  });

describe('many possible matches', () => {
  test('are asked about in parts of 25, those asked again before the nearest, until none is left', async () => {
    const before = { covers: true, at: AT.toISOString(), changed: 'ticket' } as const;
    const tickets = Array.from({ length: 26 }, (_, at) =>
      ticket(`T-${at}`, { possible: [makePossible({ score: at + 1, ...(at === 3 ? { before } : {}) })] }),
    );
    const run = await addAnalysis([...tickets, ticket('T-99', { relevance: 'unsure' })]);
    const { result } = await runStep(run, {}, 'matches');
    const { rows } = result.ask.context;
    expect(rows).toHaveLength(25);
    expect(rows.slice(0, 2).map(({ id }) => id)).toEqual(['T-3', 'T-25']);
    expect(result.ask.prompt).toMatch(
      / 1 is asked again, because a text has changed\. 1 more ticket follows after these\.$/,
    );
    const none = rows.map(({ id }): RowDecision => ({ id, outcome: 'rejected' }));
    const recorded = await runStep(run, result.state as State, 'confirm', answered(rows, none));
    const left = await runStep(run, recorded.result.state as State, 'matches');
    expect(left.result.ask.context.rows.map(({ id }) => id)).toEqual(['T-0']);
    expect(left.result.ask.prompt).not.toContain('follow');
    // The answer to the second part is stored beside that to the first, not in its place.
    const lastRows = left.result.ask.context.rows;
    const accepted: RowDecision[] = [{ id: 'T-0', outcome: 'accepted' }];
    const last = await runStep(run, left.result.state as State, 'confirm', answered(lastRows, accepted));
    expect(last.said[0]?.text).toContain('Before, 0 of 26 relevant tickets were covered; now 1 are.');
    expect(await coverageNow()).toMatchObject({ covered: 1, possible: 0, none: 25, relevant: 26, score: 4 });
    expect((await runStep(run, last.result.state as State, 'matches')).result.done).toBeDefined();
  });

  test('end the run with its output where there are none', async () => {
    const run = await addAnalysis([ticket('T-1', { coveredBy: 'link' }), makeTicket({ key: 'T-2' })]);
    expect((await runStep(run, {}, 'matches')).result).toMatchObject({ done: { output: 'The headline' } });
    expect((await runStep(run, { output: 'So far.' }, 'matches')).result).toMatchObject({
      done: { output: 'So far.' },
    });
  });
});

describe('a crash', () => {
  test('between the answer and the record changes nothing twice', async () => {
    const run = await addAnalysis([ticket('T-1'), ticket('T-2')]);
    const { result } = await runStep(run, {}, 'matches');
    const { rows } = result.ask.context;
    const answer = answered(rows, [
      { id: 'T-1', outcome: 'accepted' },
      { id: 'T-2', outcome: 'rejected' },
    ]);
    // The process ends after the decisions were stored, and later after the verdicts were.
    await inAccount(() => saveDecisions(answer, (answer.userResponse as { rows: RowDecision[] }).rows));
    const stored = await inAccount(() => TicketMatch.find({}).sort({ ticketKey: 1 }).lean());
    expect(stored.map(({ ticketKey, hazardId, covers }) => [ticketKey, hazardId, covers])).toEqual([
      ['T-1', 'H1', true],
      ['T-2', 'H1', false],
    ]);
    const first = await runStep(run, result.state as State, 'confirm', answer);
    const row = await inAccount(() => HazardAnalysis.findOne({ runId: run._id }).lean());
    const second = await runStep(run, result.state as State, 'confirm', answer);
    expect(second.said).toEqual(first.said);
    expect(await inAccount(() => HazardAnalysis.findOne({ runId: run._id }).lean())).toEqual(row);
    expect(await inAccount(() => TicketMatch.find({}).sort({ ticketKey: 1 }).lean())).toEqual(stored);
  });

  test('between the answer and the record counts nothing that was taken back meanwhile', async () => {
    const run = await addAnalysis([ticket('T-1'), ticket('T-2')]);
    const { result } = await runStep(run, {}, 'matches');
    const both: RowDecision[] = ['T-1', 'T-2'].map((id) => ({ id, outcome: 'accepted' }));
    const answer = answered(result.ask.context.rows, both);
    await inAccount(() => saveDecisions(answer, both));
    const takenBack = { userId: 8, name: 'Ben', at: AT };
    await inAccount(() => TicketMatch.updateOne({ accountId, ticketKey: 'T-1' }, { $set: { takenBack } }));
    const { said } = await runStep(run, result.state as State, 'confirm', answer);
    expect(said[0]?.text).toContain('Before, 0 of 2 relevant tickets were covered; now 1 are.');
    const { tickets } = await coverageNow();
    expect(tickets.map(({ key, coveredBy }) => [key, coveredBy])).toEqual([
      ['T-1', null],
      ['T-2', 'person'],
    ]);
  });

  test('halfway through the decisions of an answer writes the rest the second time', async () => {
    const rows = ['T-1', 'T-2', 'T-3'].map((id) => makeMatchRow({ id }));
    const all: RowDecision[] = rows.map(({ id }) => ({ id, outcome: 'accepted' }));
    const answer = answered(rows, all);
    await inAccount(() => saveDecisions(answer, all));
    await inAccount(() => TicketMatch.deleteOne({ ticketKey: 'T-2' }));
    await inAccount(() => saveDecisions(answer, all));
    const stored = await inAccount(() => TicketMatch.find({}).sort({ ticketKey: 1 }).lean());
    expect(stored.map(({ ticketKey }) => ticketKey)).toEqual(['T-1', 'T-2', 'T-3']);
  });

  test('leaves decisions of two answers on one ticket at the same time, the later one counting', async () => {
    const row = makeMatchRow({ id: 'T-1' });
    const decide = (outcome: RowDecision['outcome'], minute: number) => {
      const at = new Date(AT.getTime() + minute * 60_000);
      return inAccount(() => saveDecisions(answered([row], [], nextNumber(), at), [{ id: 'T-1', outcome }]));
    };
    await Promise.all([decide('accepted', 2), decide('rejected', 1)]);
    expect((await inAccount(() => TicketMatch.find({}).lean())).map(({ covers }) => covers)).toEqual([true]);
  });

  test('a late retry of an earlier answer leaves the later one, whichever question was asked first', async () => {
    const row = makeMatchRow({ id: 'T-1' });
    const [first, second] = [nextNumber(), nextNumber()];
    const decide = (outcome: RowDecision['outcome'], number: number, minute: number) => {
      const at = new Date(AT.getTime() + minute * 60_000);
      return inAccount(() => saveDecisions(answered([row], [], number, at), [{ id: 'T-1', outcome }]));
    };
    await decide('rejected', first, 2);
    await decide('accepted', second, 1);
    const [kept, ...more] = await inAccount(() => TicketMatch.find({}).lean());
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ covers: false, interruptId: first, by: { userId: 7, name: 'Ada' }, via: 'slack' });
    await decide('accepted', second, 3);
    expect((await inAccount(() => TicketMatch.find({}).lean())).map(({ covers }) => covers)).toEqual([true]);
  });
});

test('what an earlier analysis’s review rules out is not counted in the newest result', async () => {
  const run = await addAnalysis([ticket('T-1')]);
  const { result } = await runStep(run, {}, 'matches');
  await addAnalysis([makeTicket({ key: 'T-1', hazardIds: ['H1'], coveredBy: 'person' })]);
  const { rows } = result.ask.context;
  await runStep(run, result.state as State, 'confirm', answered(rows, [{ id: 'T-1', outcome: 'rejected' }]));
  expect(await coverageNow()).toMatchObject({ covered: 0, possible: 1 });
});

test('decisions of a withdrawn question are kept for unchanged rows', async () => {
  const conversation = await inAccount(() => addConversation(accountId));
  const run = await addAnalysis([ticket('T-1'), ticket('T-2'), ticket('T-3')]);
  const ask = async () => {
    const made = makeStepContext({ accountId, ...run, state: {} }, { conversation });
    return (await inAccount(() => made.runStep(analyseWorkflow.steps.matches?.run))) as unknown as Asked;
  };
  const { rows } = (await ask()).ask.context;
  const draft = rows.map(({ id }): RowDecision => ({ id, outcome: 'rejected' }));
  const withdrawn = makeInterrupt({
    _id: nextNumber(),
    accountId,
    conversationId: conversation._id,
    askKey: String(nextNumber()),
    interruptType: 'match_review',
    status: 'cancelled',
    context: {
      rows: rows.map((row) => {
        if (row.id === 'T-2') return { ...row, ticketDigest: 'as it was' };
        return row.id === 'T-3' ? { ...row, possible: [makePossible({ hazardDigest: 'as it was' })] } : row;
      }),
    },
    draft: { rows: draft, version: 1, savedAt: null, savedBy: null },
  });
  await inAccount(() => Interrupt.create(withdrawn as never));
  const { ask: again } = await ask();
  expect(again).toMatchObject({ draft: [{ id: 'T-1', outcome: 'rejected' }], kept: ['T-1'] });
  expect(again.prompt).toMatch(/ 1 decision is kept from the withdrawn review\. Check it before you send this one\.$/);
});

describe('what was decided before', () => {
  const kept = async () =>
    (await inAccount(() => TicketMatch.find({}).sort({ hazardKey: 1 }).lean())).map(({ hazardKey, covers }) => [
      hazardKey,
      covers,
    ]);
  const decide = (row: MatchRow, decided: Omit<RowDecision, 'id'>) =>
    inAccount(() => saveDecisions(answered([row], []), [{ id: row.id, ...decided }]));
  const confirmed = { covers: true, at: AT.toISOString(), changed: 'hazard' } as const;

  test('of a log without ids goes by the texts: the same row may be another hazard in its next version', async () => {
    const rowOf = (hazardDigest: string) =>
      makeMatchRow({ possible: [makePossible({ hazardId: 'row 4', hazardDigest })] });
    await decide(rowOf('one'), { outcome: 'accepted' });
    await decide(rowOf('other'), { outcome: 'rejected' });
    expect(await kept()).toEqual([
      ['one', true],
      ['other', false],
    ]);
  });

  test('once another hazard is chosen: one that covered the ticket no longer does, the rest is left open', async () => {
    const possible = [
      makePossible({ hazardId: 'H1', before: confirmed }),
      makePossible({ hazardId: 'H3', before: { ...confirmed, covers: false } }),
      makePossible({ hazardId: 'H4' }),
    ];
    await decide(makeMatchRow({ possible }), { outcome: 'edited', choice: 'H2' });
    expect(await kept()).toEqual([
      ['H1', false],
      ['H2', true],
    ]);
  });

  test('is said of each hazard with what changed since, also where it has another id by now', async () => {
    const two = [
      makePossible({ hazardId: 'H1', hazardDigest: 'one' }),
      makePossible({ hazardId: 'H2', hazardDigest: 'two' }),
    ];
    await decide(makeMatchRow({ id: 'T-1', possible: two }), { outcome: 'rejected' });
    const since = (changed: 'ticket' | 'both') => ({ covers: false, at: AT.toISOString(), changed });
    const possible = [
      makePossible({ hazardId: 'H2', hazardDigest: 'changed', before: since('both') }),
      makePossible({ hazardId: 'H9', hazardDigest: 'one', before: since('ticket') }),
    ];
    const run = await addAnalysis([ticket('T-1', { possible })]);
    const [row] = (await runStep(run, {}, 'matches')).result.ask.context.rows;
    const sentences = row?.earlier?.split(/(?<=\.) /);
    expect(sentences?.sort()).toEqual([
      'Ada ruled out H1 (now H9) on 3 May 2026; the ticket has changed since.',
      'Ada ruled out H2 on 3 May 2026; the ticket and the hazard have changed since.',
    ]);
  });
});

test('an analysis that was reviewed stays so when its question about matches is withdrawn', async () => {
  const run = await addAnalysis([ticket('T-1')]);
  const end = (status: 'failed' | 'cancelled') =>
    inAccount(async () => analyseWorkflow.ended?.({ run: { accountId, _id: run._id } as RunRow, status }));
  const statusNow = async () => (await inAccount(() => HazardAnalysis.findOne({ runId: run._id }).lean()))?.status;
  await end('cancelled');
  expect(await statusNow()).toBe('reviewed');
  await inAccount(() => HazardAnalysis.updateOne({ runId: run._id }, { $set: { status: 'in-review' } }));
  await end('cancelled');
  expect(await statusNow()).toBe('cancelled');
});

test('an analysis whose question about matches is withdrawn is completed with its review, one before that is not', () => {
  const outputOf = (state: Record<string, unknown>) => analyseWorkflow.recordedOutput?.(state);
  expect(outputOf({ output: '2 hazards. Review: 1 accepted.' })).toBe(
    '2 hazards. Review: 1 accepted. The open review of possible matches was withdrawn.',
  );
  expect(outputOf({ output: '2 hazards, no relevant tickets' })).toBe(
    '2 hazards, no relevant tickets. The open review of possible matches was withdrawn.',
  );
  expect(outputOf({ headline: '2 hazards' })).toBeNull();
});
