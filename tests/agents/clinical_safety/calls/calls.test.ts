/** @environment store */
import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { calls } from '../../../../bot/agents/clinical_safety/calls/index.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { closePool } from '../../../../bot/agents/clinical_safety/worker/pool.ts';
import type { FileAnswer, JsonText } from '../../../../bot/engine/calls/call.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { analyse } from '../../../../models/contracts/clinical_safety/assessment.ts';
import * as contract from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { parseCscr } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { UserAgent } from '../../../../models/userAgent.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../../factories/account.ts';
import { makeResult, makeTicket } from '../../../factories/analysisResult.ts';
import { makeCaller } from '../../../factories/caller.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';
import { hireFor } from '../../../factories/turns.ts';

connectTestStore();
afterAll(closePool);

let who: Who;
beforeEach(() => {
  who = makeWho();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
const makeCall = makeCaller(calls);
const call = <Answer>(endpoint: unknown, { by = who, ...given }: { by?: Who; params?: object; body?: object }) =>
  makeCall<Answer>(by, endpoint, given);

const RESULT = makeResult({ tickets: [makeTicket()], coverageScore: 50 });
/** An analysis of this account, with a result if one is given. */
async function addAnalysis(more: object = {}, result: typeof RESULT | null = RESULT) {
  const row = {
    _id: nextNumber(),
    accountId: who.accountId,
    userAgentId: 3,
    runId: new Types.ObjectId(),
    status: 'reviewed',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
    ticketsFileName: 'tickets.csv',
    headline: 'One hazard',
    createdAt: new Date(Date.UTC(2026, 0, 2)),
    newHazardsFileName: 'proposed.xlsx',
    mergedFileName: 'merged.xlsx',
    decisions: [{ id: 'p1', outcome: 'accepted' }],
    ...more,
  };
  const kept = result ? await inAccount(() => keepResult(who.accountId, row.runId, result)) : {};
  await inAccount(() => HazardAnalysis.create({ ...row, ...kept } as never));
  return row;
}

describe('the newest analysis', () => {
  const latest = (userId = who.userId, by = who) =>
    call<JsonText | null>(contract.latestAnalysis, { by, params: { userId } });
  const read = async () => JSON.parse(String((await latest())?.bytes));

  test('is read with its result, its files and its question, only by its user', async () => {
    expect(await latest()).toBeNull();
    await addAnalysis({ createdAt: new Date(Date.UTC(2026, 0, 1)) });
    const row = await addAnalysis();
    const asked = (change: object) =>
      inAccount(() =>
        Interrupt.create(
          makeInterrupt({
            accountId: who.accountId,
            interruptType: 'hazard_review',
            askKey: String(nextNumber()),
            runId: row.runId,
            ...change,
          }) as never,
        ),
      );
    await asked({ _id: nextNumber(), interruptType: 'approval' });
    await asked({ _id: nextNumber(), runId: new Types.ObjectId() });
    const { tickets: _, ...result } = RESULT;
    const view = {
      id: row._id,
      status: 'reviewed',
      createdAt: '2026-01-02T00:00:00.000Z',
      userAgentId: 3,
      logFileName: 'log.xlsx',
      ticketsFileName: 'tickets.csv',
      headline: 'One hazard',
      decisions: [{ id: 'p1', outcome: 'accepted' }],
      interruptId: null,
      matchesInterruptId: null,
      files: { newHazards: 'proposed.xlsx', merged: 'merged.xlsx' },
      conflicts: [],
      readAs: null,
      ...JSON.parse(JSON.stringify(result)),
    };
    expect(await read()).toEqual(view);
    const _id = nextNumber();
    await asked({ _id });
    expect(await read()).toEqual({ ...view, interruptId: _id });
    // A question about its possible matches is named while it is open.
    const matches = nextNumber();
    await asked({ _id: matches, interruptType: 'match_review' });
    expect(await read()).toEqual({ ...view, interruptId: _id, matchesInterruptId: matches });
    await inAccount(() => Interrupt.updateOne({ _id: matches }, { $set: { status: 'resolved' } }));
    expect((await read()).matchesInterruptId).toBeNull();
    expect(await codeOf(latest(nextNumber()))).toBe('not_found');
    const other = makeWho();
    expect(await latest(other.userId, other)).toBeNull();
  });

  test('has empty lists until it has a result', async () => {
    await addAnalysis({ status: 'running', decisions: null }, null);
    expect(await read()).toMatchObject({
      status: 'running',
      existingHazards: [],
      newHazards: [],
      findings: [],
      analysisMetadata: null,
    });
  });

  test('is read again after an analysis or a question has changed', () => {
    const topicsOf = (endpoint: unknown) => calls.find((one) => one.contract === endpoint)?.topics;
    expect(topicsOf(contract.latestAnalysis)).toEqual(['analysis', 'interrupts']);
    expect(topicsOf(contract.analysisTickets)).toEqual(['analysis']);
  });
});

describe('the tickets of an analysis', () => {
  const tickets = (id: number, by = who) => call<JsonText>(contract.analysisTickets, { by, params: { id } });
  const file = (id: number, by = who) => call<FileAnswer>(contract.exportTickets, { by, params: { id } });

  test('are read only by their account, for the named analysis', async () => {
    const row = await addAnalysis();
    await addAnalysis({}, makeResult());
    expect(JSON.parse(String((await tickets(row._id)).bytes))).toEqual(JSON.parse(JSON.stringify(RESULT.tickets)));
    for (const read of [tickets, file]) {
      expect(await codeOf(read(row._id, makeWho()))).toBe('not_found');
      expect(await codeOf(read(nextNumber()))).toBe('not_found');
    }
    expect(await codeOf(tickets((await addAnalysis({}, null))._id))).toBe('file_not_found');
  });

  test('are exported as a file, which is recorded with its digest', async () => {
    const row = await addAnalysis();
    const { bytes, contentType } = await file(row._id);
    expect(contentType).toContain('csv');
    expect(Buffer.from(bytes).toString()).toContain(RESULT.tickets[0]?.key);
    expect(await inAccount(() => AuditEvent.find({ event: 'file.exported' }).lean())).toMatchObject([
      {
        userId: who.userId,
        subject: `analysis:${row._id}:tickets`,
        outcome: 'downloaded',
        shownDigest: createHash('sha256').update(bytes).digest('hex'),
      },
    ]);
  });
});

describe('a call that starts work', () => {
  test('needs an agent of this kind, with the files for an analysis', async () => {
    const own = await hireFor(who.accountId, 'clinical_safety');
    const wrong = await hireFor(who.accountId, 'developer');
    const colder = makeWho();
    const unready = await hireFor(colder.accountId, 'clinical_safety', 'hired');
    const ask = (endpoint: unknown, id: number, by = who) =>
      codeOf(call(endpoint, { by, params: { id }, body: { message: 'x' } }));
    for (const endpoint of [analyse, parseCscr]) {
      expect(await ask(endpoint, unready, colder)).toBe('agent_not_ready');
      expect(await ask(endpoint, wrong)).toBe('wrong_agent');
      expect(await ask(endpoint, unready)).toBe('not_found');
    }
    expect(await ask(contract.analyseHazardLog, own)).toBe('no_log');
    expect(await ask(contract.analyseHazardLog, unready, colder)).toBe('agent_not_ready');
    expect(await ask(contract.analyseHazardLog, wrong)).toBe('wrong_agent');
  });

  const merge = (analysisResultId: number) =>
    codeOf(call(contract.createMergedHazardLog, { body: { analysisResultId } }));

  test('says that its tool is off before anything else that is missing', async () => {
    const userAgentId = await hireFor(who.accountId, 'clinical_safety');
    const { _id } = await addAnalysis({ decisions: null, userAgentId });
    await inAccount(() => UserAgent.updateOne({ _id: userAgentId }, { $set: { tools: [] } }));
    expect(await merge(_id)).toBe('tool_off');
    expect(await codeOf(call(contract.analyseHazardLog, { params: { id: userAgentId }, body: {} }))).toBe('tool_off');
  });

  test('does not merge without a review', async () => {
    const userAgentId = await hireFor(who.accountId, 'clinical_safety');
    expect(await merge((await addAnalysis({ decisions: null, userAgentId }))._id)).toBe('review_pending');
    expect(await merge(nextNumber())).toBe('no_analysis');
    const other = makeWho();
    const theirs = call(contract.createMergedHazardLog, {
      by: other,
      body: { analysisResultId: (await addAnalysis({ userAgentId }))._id },
    });
    expect(await codeOf(theirs)).toBe('no_analysis');
    // The run's agent no longer exists.
    expect(await merge((await addAnalysis({ userAgentId: nextNumber() }))._id)).toBe('not_found');
  });
});
