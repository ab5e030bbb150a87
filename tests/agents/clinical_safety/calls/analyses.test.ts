/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { calls } from '../../../../bot/agents/clinical_safety/calls/index.ts';
import { figuresOf, logVersionOf } from '../../../../bot/agents/clinical_safety/results/figures.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import type { JsonText } from '../../../../bot/engine/calls/call.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import * as contract from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../../factories/account.ts';
import { makeFinding, makeHazard, makeResult, makeTicket } from '../../../factories/analysisResult.ts';
import { makeCaller } from '../../../factories/caller.ts';
import { addMember } from '../../../factories/members.ts';

connectTestStore();

let who: Who;
beforeEach(async () => {
  who = await addMember({ name: 'Ada Okafor' });
});
const makeCall = makeCaller(calls);
const list = (by = who) => makeCall<contract.AnalysisSummary[]>(by, contract.listAnalyses);

/** An analysis of the account. */
async function addAnalysis(more: object = {}) {
  const row = {
    _id: nextNumber(),
    accountId: who.accountId,
    userAgentId: 3,
    userId: who.userId,
    runId: new Types.ObjectId(),
    status: 'reviewed',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
    createdAt: new Date(Date.UTC(2026, 0, 2)),
    ...more,
  };
  await runInAccount(who.accountId, () => HazardAnalysis.create(row as never));
  return row;
}

describe('the list of analyses', () => {
  test('has every analysis of the company, the newest first, with who started it', async () => {
    const figures = { hazards: 11, toFix: 4, toCheck: 2, covered: 21, relevant: 30, ticketsAnalysed: 120 };
    const first = await addAnalysis({ figures, logVersion: '1.7', ticketsFileName: 'tickets.csv' });
    const second = await addAnalysis({
      createdAt: new Date(Date.UTC(2026, 0, 3)),
      status: 'running',
      userId: null,
      isSample: true,
    });
    expect(await list()).toEqual([
      {
        id: second._id,
        createdAt: '2026-01-03T00:00:00.000Z',
        status: 'running',
        logFileName: 'log.xlsx',
        logVersion: null,
        ticketsFileName: null,
        isSample: true,
        headline: '',
        figures: null,
        by: null,
      },
      expect.objectContaining({
        id: first._id,
        logVersion: '1.7',
        ticketsFileName: 'tickets.csv',
        isSample: false,
        figures,
        by: 'Ada Okafor',
      }),
    ]);
  });

  test('is the same for every member, and empty for another company', async () => {
    const { _id } = await addAnalysis();
    const colleague = await addMember({ accountId: who.accountId, name: 'Bo Lind', roles: ['member'] });
    expect((await list(colleague)).map(({ id, by }) => [id, by])).toEqual([[_id, 'Ada Okafor']]);
    expect(await list(makeWho())).toEqual([]);
  });

  test('names nobody who is no member', async () => {
    await addAnalysis({ userId: nextNumber() });
    expect((await list()).map(({ by }) => by)).toEqual([null]);
  });

  test('of one moment lists the later id first, and ends at its limit', async () => {
    for (let at = 0; at <= contract.MAX_ANALYSES_LISTED; at += 1) await addAnalysis();
    const ids = (await list()).map(({ id }) => id);
    expect(ids).toHaveLength(contract.MAX_ANALYSES_LISTED);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });
});

describe('one analysis', () => {
  const read = (id: number, by = who) => makeCall<JsonText>(by, contract.readAnalysis, { params: { id } });

  test('is read with its result by its id, not the newest', async () => {
    const row = await addAnalysis();
    const result = makeResult({ hazards: [makeHazard({ id: 'H-old' })] });
    const kept = await runInAccount(who.accountId, () => keepResult(who.accountId, row.runId, result));
    await runInAccount(who.accountId, () => HazardAnalysis.updateOne({ _id: row._id }, { $set: kept }));
    await addAnalysis({ createdAt: new Date(Date.UTC(2026, 0, 3)) });
    const view = JSON.parse(String((await read(row._id)).bytes));
    expect(view).toMatchObject({ id: row._id, existingHazards: [{ id: 'H-old' }] });
  });

  test('of another company does not exist', async () => {
    const { _id } = await addAnalysis();
    expect(await codeOf(read(_id, makeWho()))).toBe('not_found');
    expect(await codeOf(read(nextNumber()))).toBe('not_found');
  });
});

describe('the figures of an analysis', () => {
  test('count hazards, findings to fix and to check, covered tickets and tickets', () => {
    const levels = ['fix', 'fix', 'check', 'note'] as const;
    const result = makeResult({
      hazards: [makeHazard(), makeHazard({ id: 'H2' }), makeHazard({ id: 'H3' })],
      findings: levels.map((level, at) => makeFinding({ id: `f${at}`, level })),
      tickets: Array.from({ length: 5 }, (_, at) => makeTicket({ key: `T-${at}` })),
      coverage: { covered: 3, relevant: 4 },
    });
    expect(figuresOf(result)).toEqual({
      hazards: 3,
      toFix: 2,
      toCheck: 1,
      covered: 3,
      relevant: 4,
      ticketsAnalysed: 5,
    });
  });

  const stated = (...versions: string[]) =>
    logVersionOf(
      makeResult({ log: { versions: versions.map((version) => ({ source: 'cover', version, place: null })) } }),
    );
  test('give the version that most places of the log state, and none where they are divided', () => {
    expect(stated()).toBeNull();
    expect(stated('1.8')).toBe('1.8');
    expect(stated('1.8', '1.8.0')).toBe('1.8');
    expect(stated('1.8', '1.7')).toBeNull();
    expect(stated('2.3', '2.2', '2.3')).toBe('2.3');
    expect(stated('2.3', '2.2', '2.1')).toBeNull();
    expect(stated('2.3', '2.2', '2.3', '2.2')).toBeNull();
  });
});
