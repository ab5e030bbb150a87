/** @environment store */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { calls } from '../../../../bot/agents/clinical_safety/calls/index.ts';
import { restore, takeBack } from '../../../../bot/agents/clinical_safety/matches/takeBack.ts';
import {
  loadDecisions,
  loadEarlier,
  saveDecisions,
} from '../../../../bot/agents/clinical_safety/matches/ticketMatches.ts';
import { uncover } from '../../../../bot/agents/clinical_safety/matches/uncover.ts';
import { changeVerdicts } from '../../../../bot/agents/clinical_safety/results/changeVerdicts.ts';
import { keepResult, loadResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { digestHazard } from '../../../../bot/agents/clinical_safety/tickets/matchEvidence.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { TicketMatch } from '../../../../models/clinical_safety/ticketMatch.ts';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import * as contract from '../../../../models/contracts/clinical_safety/matchDecisions.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { StoredFile } from '../../../../models/file.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../../factories/account.ts';
import { makeHazard, makePossible, makeResult, makeTicket } from '../../../factories/analysisResult.ts';
import { makeCaller } from '../../../factories/caller.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';
import { makeMatchRow } from '../../../factories/matches.ts';

connectTestStore();

let who: Who;
beforeEach(() => {
  who = makeWho();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
const call = makeCaller(calls);
type Listed = { mayChange: boolean; decisions: contract.MatchDecisionShown[] };
const list = (by = who) => call<Listed>(by, contract.listMatchDecisions);
const change = ({ id, interruptId }: { id: string; interruptId: number }, isTakenBack: boolean, by = who) =>
  call<contract.MatchDecisionShown>(by, contract.changeMatchDecision, {
    params: { id },
    body: { interruptId, isTakenBack },
  });

/** A verdict that a person confirmed. */
const confirmed = (key: string, ...hazardIds: string[]): TicketVerdict =>
  makeTicket({ key, hazardIds, coveredBy: 'person' });
/** A verdict without a hazard, whose possible one was taken back or is asked about. */
const open = (key: string, more: Partial<TicketVerdict> = {}): TicketVerdict =>
  makeTicket({ key, hazardIds: [], coveredBy: null, ...more });

describe('a verdict', () => {
  const H1 = { ticketKey: 'T-1', hazardId: 'H1' };

  test('is open again, with its hazard as possible, once the decision is taken back', () => {
    const [own, other] = takeBack([confirmed('t-1', 'H1'), confirmed('T-2', 'H1')], H1, []);
    expect(own).toMatchObject({ hazardIds: [], coveredBy: null, possibleHazardIds: ['H1'] });
    expect(other).toMatchObject({ hazardIds: ['H1'], coveredBy: 'person' });
  });

  test('stays covered where another hazard covers the ticket, by a person or by a link', () => {
    const both = [confirmed('T-1', 'H1', 'H2')];
    expect(takeBack(both, H1, ['H2'])[0]).toMatchObject({ hazardIds: ['H2'], coveredBy: 'person' });
    expect(takeBack(both, H1, ['H3'])[0]).toMatchObject({ hazardIds: ['H2'], coveredBy: 'link' });
  });

  test('is the same where the decision did not count in it', () => {
    const verdicts = [
      confirmed('T-1', 'H2'),
      makeTicket({ key: 'T-1', hazardIds: ['H1'], coveredBy: 'link' }),
      open('T-1', { possibleHazardIds: ['H1'] }),
    ];
    for (const [at, verdict] of takeBack(verdicts, H1, []).entries()) expect(verdict).toBe(verdicts[at]);
  });

  test('is covered again once the decision is restored, unless the ticket was asked about since', () => {
    const before = [confirmed('T-1', 'H 1')];
    expect(restore(takeBack(before, H1, []), H1)).toEqual(before);
    const others = [
      open('T-1', { possibleHazardIds: ['H1'], possible: [makePossible()] }),
      open('T-1', { possibleHazardIds: ['H2'] }),
      open('T-2', { possibleHazardIds: ['H1'] }),
      makeTicket({ key: 'T-1', hazardIds: ['H3'], coveredBy: 'link', possibleHazardIds: ['H1'] }),
    ];
    for (const [at, verdict] of restore(others, H1).entries()) expect(verdict).toBe(others[at]);
  });
});

/** Stores a result of this account. */
async function addResult(tickets: TicketVerdict[], hazards = [makeHazard()]): Promise<HazardAnalysisRow> {
  const runId = new Types.ObjectId();
  const result = makeResult({ tickets, hazards, coverageScore: 0 });
  const kept = await inAccount(() => keepResult(who.accountId, runId, result));
  const row = { _id: nextNumber(), accountId: who.accountId, userAgentId: 3, runId, status: 'reviewed', ...kept };
  const names = { logFileId: new Types.ObjectId(), logFileName: 'log.xlsx', headline: 'The headline' };
  await inAccount(() => HazardAnalysis.create({ ...row, ...names } as never));
  return analysisNow(row._id);
}
const analysisNow = async (_id: number): Promise<HazardAnalysisRow> =>
  requireRow(await inAccount(() => HazardAnalysis.findOne({ _id }).lean()));
const resultNow = async ({ _id }: HazardAnalysisRow) => {
  const row = await analysisNow(_id);
  const { tickets, analysisMetadata } = await inAccount(() => loadResult(row));
  const { covered, possible } = analysisMetadata.coverage;
  return { tickets, covered, possible, score: analysisMetadata.coverageScore, headline: row.headline };
};
/** Ada decides on a ticket whose only possible hazard is H1. */
const decide = (
  key: string,
  outcome: RowDecision['outcome'],
  _id = nextNumber(),
  at = Date.UTC(2026, 4, 3),
  possible = makePossible({ hazardId: 'H1' }),
) =>
  inAccount(() =>
    saveDecisions(
      makeInterrupt({
        _id,
        accountId: who.accountId,
        context: { rows: [makeMatchRow({ id: key, possible: [possible] })] },
        resolution: { outcome: 'modified', by: { userId: 7, name: 'Ada' }, via: 'slack', at: new Date(at) } as never,
      }),
      [{ id: key, outcome }],
    ),
  );
const storeDecision = TicketMatch.updateOne.bind(TicketMatch) as (...given: unknown[]) => Promise<unknown>;
/** Does something just before the next change of a decision is stored. */
const beforeNextDecision = (work: () => Promise<unknown>) =>
  jest.spyOn(TicketMatch, 'updateOne').mockImplementationOnce((async (...given: unknown[]) => {
    await work();
    return storeDecision(...given);
  }) as never);
/** The same just after it. */
const afterNextDecision = (work: () => Promise<unknown>) =>
  jest.spyOn(TicketMatch, 'updateOne').mockImplementationOnce((async (...given: unknown[]) => {
    const stored = await storeDecision(...given);
    await work();
    return stored;
  }) as never);
afterEach(() => {
  jest.restoreAllMocks();
});
const first = async () => requireRow((await list()).decisions[0] ?? null);

describe('what was decided on matches', () => {
  /** @shows GET /api/match-decisions */
  test('is listed for the account, the latest first, with who, when and where', async () => {
    await decide('T-1', 'accepted', nextNumber(), Date.UTC(2026, 4, 3));
    await decide('T-2', 'rejected', nextNumber(), Date.UTC(2026, 4, 4));
    expect(await list()).toEqual({
      mayChange: true,
      decisions: [
        expect.objectContaining({ ticketKey: 'T-2', hazardId: 'H1', covers: false, at: '2026-05-04T00:00:00.000Z' }),
        expect.objectContaining({
          ticketKey: 'T-1',
          hazardId: 'H1',
          covers: true,
          by: 'Ada',
          via: 'slack',
          takenBack: null,
        }),
      ],
    });
    expect((await list(makeWho())).decisions).toEqual([]);
  });

  /** @shows PATCH /api/match-decisions/:id */
  test('is taken back and restored, and the newest result counts it or not', async () => {
    const older = await addResult([confirmed('T-1', 'H1')]);
    const newest = await addResult([confirmed('T-1', 'H1'), open('T-2')]);
    await decide('T-1', 'accepted');
    const decision = await first();
    const by = makeWho({ accountId: who.accountId, userId: 8, name: 'Ben' });

    expect((await change(decision, true, by)).takenBack).toMatchObject({ by: 'Ben' });
    expect(await resultNow(newest)).toMatchObject({ covered: 0, possible: 1, score: 0 });
    expect((await resultNow(newest)).headline).toContain('0 of 2 relevant tickets covered (1 possible');
    expect(await resultNow(older)).toMatchObject({ headline: 'The headline', tickets: [{ coveredBy: 'person' }] });
    expect(await inAccount(() => loadDecisions(who.accountId))).toEqual([]);
    const told = await inAccount(() => loadEarlier(who.accountId, [open('T-1')]));
    const day = '\\d+ \\w+ \\d{4}';
    expect(told(open('T-1'))).toMatch(new RegExp(`^Ada confirmed H1 on 3 May 2026; Ben took it back on ${day}\\.$`));
    // Once more changes neither the person nor the result.
    const files = (await analysisNow(newest._id)).ticketsResultFileId;
    expect((await change(decision, true)).takenBack).toMatchObject({ by: 'Ben' });
    expect((await analysisNow(newest._id)).ticketsResultFileId).toEqual(files);

    expect((await change(decision, false)).takenBack).toBeNull();
    expect(await resultNow(newest)).toMatchObject({ covered: 1, possible: 0, score: 50 });
    expect(await inAccount(() => loadDecisions(who.accountId))).toMatchObject([{ ticketKey: 'T-1', covers: true }]);
    await change(decision, true);
    expect(await resultNow(newest)).toMatchObject({ covered: 0, possible: 1 });
    const events = await inAccount(() => AuditEvent.find({ event: 'match.changed' }).sort({ _id: 1 }).lean());
    const outcomes = events.map(({ outcome, subject, userId }) => [outcome, subject, userId]);
    expect(outcomes).toEqual([
      ['taken-back', `match:${decision.id}`, 8],
      ['taken-back', `match:${decision.id}`, who.userId],
      ['restored', `match:${decision.id}`, who.userId],
      ['taken-back', `match:${decision.id}`, who.userId],
    ]);
  });

  test('that no hazard covers a ticket is taken back without a word of coverage', async () => {
    const analysis = await addResult([open('T-1', { possibleHazardIds: [] })]);
    await decide('T-1', 'rejected');
    await change(await first(), true);
    expect(await inAccount(() => loadDecisions(who.accountId))).toEqual([]);
    expect(await analysisNow(analysis._id)).toEqual(analysis);
  });

  test('anew holds, whatever was taken back before; its retry does not bring back what was taken back since', async () => {
    const again = nextNumber();
    await decide('T-1', 'accepted', again);
    await change(await first(), true);
    await decide('T-1', 'accepted', again);
    expect((await first()).takenBack).not.toBeNull();
    const shown = await first();
    await decide('T-1', 'accepted', nextNumber(), Date.UTC(2026, 4, 3) + 1);
    expect((await first()).takenBack).toBeNull();
    // Whoever still sees the earlier decision changes nothing: no decision, no result, no line of the audit.
    const analysis = await addResult([confirmed('T-1', 'H1')]);
    const recorded = () => inAccount(() => AuditEvent.countDocuments({ event: 'match.changed' }));
    const before = await recorded();
    expect(await codeOf(change(shown, true))).toBe('conflict');
    expect((await first()).takenBack).toBeNull();
    expect(await analysisNow(analysis._id)).toEqual(analysis);
    expect(await recorded()).toBe(before);
  });

  test('is changed by nobody of another account, and by no one who may not answer clinical questions', async () => {
    const analysis = await addResult([confirmed('T-1', 'H1')]);
    await decide('T-1', 'accepted');
    const decision = await first();
    expect(await codeOf(change(decision, true, makeWho()))).toBe('not_found');
    const { accountId } = who;
    const refused = [
      makeWho({ accountId, roles: ['approver'] }),
      makeWho({ accountId, roles: ['owner'], hasOfficer: true }),
    ];
    for (const by of refused) {
      expect((await list(by)).mayChange).toBe(false);
      expect(await codeOf(change(decision, true, by))).toBe('not_allowed');
    }
    expect((await first()).takenBack).toBeNull();
    expect(await analysisNow(analysis._id)).toEqual(analysis);
    expect(await inAccount(() => AuditEvent.countDocuments({ event: 'match.changed' }))).toBe(0);
    await change(decision, true, makeWho({ accountId, roles: ['deputy'], hasOfficer: true }));
    expect((await first()).takenBack).not.toBeNull();
  });

  test('is taken back and restored also where its hazard has another id by now, and its own is another hazard’s', async () => {
    const [moved, other] = [makeHazard({ id: 'H7' }), makeHazard({ id: 'H1', name: 'Late result' })];
    const analysis = await addResult([confirmed('T-1', 'H7'), confirmed('T-2', 'H7', 'H1')], [other, moved]);
    const possible = makePossible({ hazardId: 'H1', hazardDigest: digestHazard(moved) });
    for (const key of ['T-1', 'T-2']) await decide(key, 'accepted', nextNumber(), Date.UTC(2026, 4, 3), possible);
    const { decisions } = await list();
    for (const decision of decisions) await change(decision, true);
    expect((await resultNow(analysis)).tickets).toMatchObject([
      { hazardIds: [], coveredBy: null, possibleHazardIds: ['H7'] },
      { hazardIds: ['H1'], coveredBy: 'link' },
    ]);
    for (const decision of decisions) await change(decision, false);
    expect((await resultNow(analysis)).tickets[0]).toMatchObject({ hazardIds: ['H7'], coveredBy: 'person' });
  });

  test('is taken back after the result expired, which counts nothing any more', async () => {
    await addResult([confirmed('T-1', 'H1')]);
    await decide('T-1', 'accepted');
    await inAccount(() => StoredFile.updateMany({}, { $set: { removed: true } }));
    await change(await first(), true);
    expect(await inAccount(() => loadDecisions(who.accountId))).toEqual([]);
    expect((await change(await first(), false)).takenBack).toBeNull();
  });

  test('is counted less, never more, if the process ends before it is stored as taken back', async () => {
    const analysis = await addResult([confirmed('T-1', 'H1')]);
    await decide('T-1', 'accepted');
    const decision = await first();
    jest.spyOn(TicketMatch, 'updateOne').mockImplementationOnce((() => Promise.reject(new Error('The end.'))) as never);
    await expect(change(decision, true)).rejects.toThrow('The end.');
    expect((await first()).takenBack).toBeNull();
    expect(await resultNow(analysis)).toMatchObject({ covered: 0, possible: 1 });
  });

  test('is not said to be taken back where the result that counts it cannot be read', async () => {
    const { _id } = await addResult([confirmed('T-1', 'H1')]);
    await decide('T-1', 'accepted');
    await inAccount(() => HazardAnalysis.updateOne({ _id }, { $set: { hazardsFileId: null } }));
    expect(await codeOf(change(await first(), true))).toBe('file_not_found');
    expect((await first()).takenBack).toBeNull();
  });

  test('that two people take back at once names the first', async () => {
    await decide('T-1', 'accepted');
    const decision = await first();
    const [ben, cy] = ['Ben', 'Cy'].map((name) => makeWho({ accountId: who.accountId, userId: nextNumber(), name }));
    beforeNextDecision(() => change(decision, true, ben));
    expect((await change(decision, true, cy)).takenBack).toMatchObject({ by: 'Ben' });
    expect((await first()).takenBack).toMatchObject({ by: 'Ben' });
  });

  test('that is taken back while somebody restores it is not counted', async () => {
    const analysis = await addResult([confirmed('T-1', 'H1')]);
    await decide('T-1', 'accepted');
    const decision = await first();
    await change(decision, true);
    afterNextDecision(() => change(decision, true));
    await change(decision, false);
    expect((await first()).takenBack).not.toBeNull();
    expect(await resultNow(analysis)).toMatchObject({ covered: 0, possible: 1 });
  });

  test('that is taken back while a result with it is written is not counted there', async () => {
    await decide('T-1', 'accepted');
    const written: HazardAnalysisRow[] = [];
    afterNextDecision(async () => written.push(await addResult([confirmed('T-1', 'H1')])));
    await change(await first(), true);
    expect(await resultNow(requireRow(written[0] ?? null))).toMatchObject({ covered: 0, possible: 1 });
  });

  test('that was ruled out by a later answer is not counted, beside one that holds only if a link names it', async () => {
    const analysis = await addResult([confirmed('T-1', 'H1'), confirmed('T-2', 'H1', 'H2'), confirmed('T-3', 'H1')]);
    for (const key of ['T-1', 'T-2']) await decide(key, 'rejected');
    const second = makePossible({ hazardId: 'H2' });
    await decide('T-2', 'accepted', nextNumber(), Date.UTC(2026, 4, 3), second);
    await decide('T-3', 'accepted');
    await inAccount(async () => uncover(await analysisNow(analysis._id)));
    expect((await resultNow(analysis)).tickets).toMatchObject([
      { hazardIds: [], coveredBy: null },
      { hazardIds: ['H1', 'H2'], coveredBy: 'person' },
      { hazardIds: ['H1'], coveredBy: 'person' },
    ]);
  });

  test('that was taken back under an earlier id still counts where the same hazard was confirmed under its new one', async () => {
    const moved = makeHazard({ id: 'H7' });
    const at = Date.UTC(2026, 4, 3);
    const asH1 = makePossible({ hazardId: 'H1', hazardDigest: digestHazard(moved) });
    await decide('T-1', 'accepted', nextNumber(), at, asH1);
    await change(await first(), true);
    const analysis = await addResult([confirmed('T-1', 'H7')], [moved]);
    await decide('T-1', 'accepted', nextNumber(), at + 1, makePossible({ hazardId: 'H7' }));
    await inAccount(async () => uncover(await analysisNow(analysis._id)));
    expect((await resultNow(analysis)).tickets).toMatchObject([{ hazardIds: ['H7'], coveredBy: 'person' }]);
  });

  test('lists the latest two thousand', async () => {
    const { accountId } = who;
    const rows = Array.from({ length: contract.MAX_DECISIONS_SHOWN + 1 }, (_, at) => ({
      accountId,
      ticketKey: `T-${at}`,
      hazardKey: 'H1',
      hazardId: 'H1',
      covers: true,
      ticketDigest: '',
      hazardDigest: '',
      by: { userId: 7, name: 'Ada' },
      at: new Date(Date.UTC(2026, 0, 1) + at),
      via: 'inbox',
      interruptId: 1,
    }));
    await inAccount(() => TicketMatch.insertMany(rows as never[]));
    const { decisions } = await list();
    expect(decisions).toHaveLength(2000);
    expect(decisions.at(-1)?.ticketKey).toBe('T-1');
  });
});

test('of two changes of one result at once neither is lost', async () => {
  const analysis = await addResult([confirmed('T-1', 'H1'), confirmed('T-2', 'H1')]);
  const without = (ticketKey: string) => (tickets: readonly TicketVerdict[]) =>
    takeBack(tickets, { ticketKey, hazardId: 'H1' }, []);
  const both = ['T-1', 'T-2'].map((key) => inAccount(() => changeVerdicts(analysis, key, without(key))));
  await Promise.all(both);
  expect(await resultNow(analysis)).toMatchObject({ covered: 0, possible: 2 });
});
