/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { calls } from '../../../../bot/agents/clinical_safety/calls/index.ts';
import { assignedFindings } from '../../../../bot/agents/clinical_safety/desk/assignedFindings.ts';
import { auditSubjects } from '../../../../bot/agents/clinical_safety/lives/auditSubjects.ts';
import { carryLives, carryOn } from '../../../../bot/agents/clinical_safety/lives/carryLives.ts';
import { withOpenFindings } from '../../../../bot/agents/clinical_safety/lives/openFindings.ts';
import { requireAnalysis } from '../../../../bot/agents/clinical_safety/results/findAnalysis.ts';
import { keepResult, loadResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { answerFromRecords, askAgain } from '../../../../bot/agents/clinical_safety/tools/records.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import { FindingComment, FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { type AnalysisSummary, listAnalyses } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { type Comparison, compareAnalyses } from '../../../../models/contracts/clinical_safety/comparison.ts';
import * as contract from '../../../../models/contracts/clinical_safety/findingLives.ts';
import type { AnalysisResult, ExistingHazard, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Role } from '../../../../models/member.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../../factories/account.ts';
import { makeFinding, makeHazard, makeResult } from '../../../factories/analysisResult.ts';
import { makeCaller } from '../../../factories/caller.ts';
import { addMember } from '../../../factories/members.ts';

connectTestStore();

let officer: Who;
let accountId: number;
beforeEach(async () => {
  officer = await addMember({ name: 'Ada Okafor', roles: ['clinical-safety-officer'], hasOfficer: true });
  ({ accountId } = officer);
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const colleague = (name: string, role: Role) => addMember({ accountId, name, roles: [role], hasOfficer: true });
const makeCall = makeCaller(calls);
const list = (id: number, by = officer) =>
  makeCall<contract.FindingLives>(by, contract.listFindingLives, { params: { id } });
const lifeOf = async (id: number, findingId: string) =>
  (await list(id)).lives.find((life) => life.findingId === findingId);
const change = (id: number, findingId: string, version: number, what: object, by = officer) =>
  makeCall<contract.FindingLife>(by, contract.changeFinding, {
    params: { id },
    body: { findingId, version, change: what },
  });
const comment = (id: number, findingId: string, text: string, by = officer) =>
  makeCall<contract.FindingLife>(by, contract.commentOnFinding, { params: { id }, body: { findingId, text } });

const hazard = (id: string, name: string, row: number): ExistingHazard =>
  makeHazard({ id, name, rows: { sheet: 'Log', first: row, last: row } });
const finding = (rule: string, hazardId: string | null, cells: string[], more: Partial<Finding> = {}): Finding =>
  makeFinding({
    id: [rule, hazardId ?? 'log', cells[0]].join(':'),
    rule,
    hazardId,
    places: cells.map((cell) => ({ sheet: 'Log', cell })),
    ...more,
  });
const CHANGES = ['finding.assigned', 'finding.accepted', 'finding.reopened'];
const HAZARDS = [hazard('H1', 'Wrong dose', 2), hazard('H2', 'Wrong patient', 3)];
const NO_OWNER = finding('no-owner', 'H1', ['C2']);
const WRONG_RISK = finding('wrong-risk', 'H2', ['F3'], { found: '3', expected: '4' });

/** An analysis with these findings; with an earlier one it is the next of its log. */
async function add(findings: Finding[], earlierId: number | null = null, hazards = HAZARDS): Promise<number> {
  const row = {
    _id: nextNumber(),
    accountId,
    userAgentId: 3,
    userId: officer.userId,
    runId: new Types.ObjectId(),
    status: 'complete',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
    logVersion: earlierId === null ? '1.7' : '1.8',
    earlierId,
  };
  const result = makeResult({ hazards, findings });
  const kept = await inAccount(() => keepResult(accountId, row.runId, result));
  await inAccount(() => HazardAnalysis.create({ ...row, ...kept } as never));
  return row._id;
}
const carry = (from: number, to: number) =>
  inAccount(async () => {
    const read = async (id: number) => {
      const row = await requireAnalysis(accountId, id);
      return { row, result: (await loadResult(row)) as AnalysisResult };
    };
    await carryLives(accountId, await read(from), await read(to));
  });

/** What the chat says to a question. */
const chatSays = (question: string) =>
  inAccount(async () => (await answerFromRecords(accountId, question, null)).answer.text);

describe('a finding', () => {
  test('that is accepted is no longer to fix in the chat, until it is open again', async () => {
    const id = await add([NO_OWNER, WRONG_RISK]);
    const both = await chatSays('What needs fixing?');
    expect(both).toMatch(/^2 to fix/);
    await change(id, NO_OWNER.id, 0, { accept: 'Owned by the ward' });
    expect(await chatSays('What needs fixing?')).toMatch(/^1 to fix, .* 1 more is accepted with a reason\./);
    const asked = { entity: 'findings', where: null, onlyCount: false };
    expect(await inAccount(async () => (await askAgain(accountId, asked, id))?.text)).toContain('to fix, accepted');
    await change(id, WRONG_RISK.id, 0, { accept: 'By design' });
    expect(await chatSays('What needs fixing?')).toMatch(/^0 to fix, .* 2 more are accepted with a reason\./);
    await change(id, NO_OWNER.id, 1, { reopen: true });
    await change(id, WRONG_RISK.id, 1, { reopen: true });
    expect(await chatSays('What needs fixing?')).toBe(both);
  });

  test('begins open, and is assigned, commented on, accepted with a reason and opened again', async () => {
    const id = await add([NO_OWNER, WRONG_RISK]);
    expect(await list(id)).toMatchObject({ mayAccept: true, mayAssign: true, lives: [], next: null });
    const bo = await colleague('Bo Lind', 'member');
    const assignee = { userId: bo.userId, name: 'Bo Lind' };
    const assigned = await change(id, NO_OWNER.id, 0, { assignTo: bo.userId });
    expect(assigned).toMatchObject({ findingId: NO_OWNER.id, version: 1, assignee, accepted: null, comments: [] });
    expect((await comment(id, NO_OWNER.id, 'Who owns it?', bo)).comments).toMatchObject([
      { by: 'Bo Lind', text: 'Who owns it?' },
    ]);
    const accepted = await change(id, NO_OWNER.id, 1, { accept: 'Owned by the ward' });
    expect(accepted).toMatchObject({
      version: 2,
      assignee,
      accepted: { reason: 'Owned by the ward', by: 'Ada Okafor', holds: true },
    });
    expect((await list(id, bo)).lives).toEqual([{ ...accepted }]);
    expect(await change(id, NO_OWNER.id, 2, { reopen: true })).toMatchObject({ version: 3, accepted: null, assignee });
    expect(await change(id, NO_OWNER.id, 3, { assignTo: null })).toMatchObject({ version: 4, assignee: null });
    const events = await inAccount(() => AuditEvent.find({ accountId }).sort({ seq: 1 }).lean());
    expect(events.map(({ event, userId, outcome }) => [event, userId, outcome])).toEqual([
      ['finding.assigned', officer.userId, `user:${bo.userId}`],
      ['finding.commented', bo.userId, 'commented'],
      ['finding.accepted', officer.userId, 'accepted'],
      ['finding.reopened', officer.userId, 'open'],
      ['finding.assigned', officer.userId, 'nobody'],
    ]);
    const [subject = '', ...others] = new Set(events.map((one) => one.subject));
    expect(others).toEqual([]);
    // The audit page names it by its hazard, rule and cell, for this account alone.
    const lifeId = subject.slice('finding:'.length);
    const named = (of: number) => runInAccount(of, async () => await auditSubjects.finding?.(of, [lifeId, 'no id']));
    expect([...((await named(accountId)) ?? [])]).toEqual([
      [lifeId, { text: 'H1, no owner, C2', path: `/analyses/${id}` }],
    ]);
    expect(await named(nextNumber())).toEqual(new Map());
  });

  test.each([
    ['the log as a whole', finding('no-version', null, []), 'The log, no version'],
    ['the second of its kind in a cell', { ...NO_OWNER, id: `${NO_OWNER.id}:2` }, 'H1, no owner, C2'],
    ['a hazard whose id is a number', finding('no-owner', '7', ['C2']), '7, no owner, C2'],
    ['a hazard whose id has a colon', finding('no-owner', 'H:7', ['C2']), 'H:7, no owner, C2'],
  ])('of %s is named in the audit', async (_, one, text) => {
    const id = await add([one]);
    await comment(id, one.id, 'Why?');
    const life = await inAccount(() => FindingLife.findOne({ accountId, analyses: id }).lean());
    const named = await inAccount(async () => await auditSubjects.finding?.(accountId, [String(life?._id)]));
    expect([...(named?.values() ?? [])]).toEqual([{ text, path: `/analyses/${id}` }]);
  });

  test.each([
    ['next read', (id: number) => list(id)],
    ['next changed', (id: number) => change(id, NO_OWNER.id, 1, { reopen: true })],
  ])('whose change was stored before a crash gets its audit row, once, when it is %s', async (_, touch) => {
    const id = await add([NO_OWNER]);
    await change(id, NO_OWNER.id, 0, { accept: 'Known' });
    const at = new Date('2026-01-02T10:00:00Z');
    const unrecorded = { event: 'finding.accepted', outcome: 'accepted', userId: officer.userId, at, version: 7 };
    await inAccount(() => FindingLife.updateOne({ accountId, analyses: id }, { $set: { unrecorded } }));
    await touch(id);
    await list(id);
    const rows = await inAccount(() =>
      AuditEvent.find({ accountId, event: 'finding.accepted' }).sort({ seq: 1 }).lean(),
    );
    expect(rows.map((row) => row.at.getTime() === at.getTime())).toEqual([false, true]);
    expect(await inAccount(() => FindingLife.findOne({ accountId, analyses: id }).lean())).toMatchObject({
      unrecorded: null,
    });
  });

  test('that two change at once keeps the first, and the comments of both', async () => {
    const id = await add([NO_OWNER]);
    const deputy = await colleague('Cy Mora', 'deputy');
    const both = [
      change(id, NO_OWNER.id, 0, { assignTo: officer.userId }).then(
        () => 'done',
        (error) => error.code,
      ),
      change(id, NO_OWNER.id, 0, { accept: 'Known' }, deputy).then(
        () => 'done',
        (error) => error.code,
      ),
      comment(id, NO_OWNER.id, 'One').then(() => 'said'),
      comment(id, NO_OWNER.id, 'Two', deputy).then(() => 'said'),
    ];
    expect((await Promise.all(both)).sort()).toEqual(['conflict', 'done', 'said', 'said']);
    // A refused change is in no audit row.
    const audited = await inAccount(() => AuditEvent.find({ accountId, event: { $in: CHANGES } }).lean());
    expect(audited).toHaveLength(1);
    const life = await lifeOf(id, NO_OWNER.id);
    expect(life?.version).toBe(1);
    expect(life?.comments.map(({ text }) => text).sort()).toEqual(['One', 'Two']);
  });

  test.each<[Role, boolean, boolean]>([
    ['clinical-safety-officer', true, true],
    ['deputy', true, true],
    ['approver', false, true],
    ['owner', false, true],
    ['member', false, false],
  ])('is accepted and assigned by a %s as the table of roles says', async (role, mayAccept, mayAssign) => {
    const id = await add([NO_OWNER]);
    const by = await colleague('Di Noor', role);
    expect(await list(id, by)).toMatchObject({ mayAccept, mayAssign });
    const code = (what: object) => codeOf(change(id, NO_OWNER.id, 9, what, by));
    // A version that nobody has seen: who may gets a conflict, nobody changes anything.
    expect(await code({ accept: 'Known' })).toBe(mayAccept ? 'conflict' : 'not_allowed');
    expect(await code({ reopen: true })).toBe(mayAccept ? 'conflict' : 'not_allowed');
    expect(await code({ assignTo: officer.userId })).toBe(mayAssign ? 'conflict' : 'not_allowed');
    expect(await code({ assignTo: null })).toBe(mayAssign ? 'conflict' : 'not_allowed');
    expect(await code({ assignTo: by.userId })).toBe('conflict');
    expect((await comment(id, NO_OWNER.id, 'Seen', by)).comments).toHaveLength(1);
  });

  test('of another company, or that is not there, does not exist; nor does an assignee who is no member', async () => {
    const id = await add([NO_OWNER]);
    const stranger = makeWho();
    expect(await codeOf(list(id, stranger))).toBe('not_found');
    expect(await codeOf(change(id, NO_OWNER.id, 0, { accept: 'x' }, stranger))).toBe('not_found');
    expect(await codeOf(comment(id, NO_OWNER.id, 'x', stranger))).toBe('not_found');
    expect(await codeOf(comment(id, 'made-up', 'x'))).toBe('not_found');
    expect(await codeOf(change(id, NO_OWNER.id, 0, { assignTo: stranger.userId }))).toBe('not_found');
  });

  test('has as many comments as it may, and not one more', async () => {
    const id = await add([NO_OWNER]);
    for (let at = 1; at < contract.MAX_COMMENTS; at += 1) await comment(id, NO_OWNER.id, `${at}`);
    expect((await comment(id, NO_OWNER.id, 'last')).comments).toHaveLength(contract.MAX_COMMENTS);
    expect(await codeOf(comment(id, NO_OWNER.id, 'one more'))).toBe('too_many_comments');
  });

  test('has no more comments than it may when several are written at once', async () => {
    const id = await add([NO_OWNER]);
    await comment(id, NO_OWNER.id, 'first');
    const { _id: lifeId } = (await inAccount(() => FindingLife.findOne({ accountId }).lean())) ?? {};
    const by = { userId: officer.userId, name: officer.name };
    const more = Array.from({ length: contract.MAX_COMMENTS - 2 }, () => ({ accountId, lifeId, by, text: 'x' }));
    await inAccount(() => FindingComment.insertMany(more));
    await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => comment(id, NO_OWNER.id, text)));
    expect((await lifeOf(id, NO_OWNER.id))?.comments.length).toBeLessThanOrEqual(contract.MAX_COMMENTS);
  });
});

describe('what is assigned to a member', () => {
  const assigned = (by: Who) => inAccount(() => assignedFindings(by));

  test('waits for them alone, until it is accepted, given to another, or no longer found', async () => {
    const bo = await colleague('Bo Lind', 'member');
    expect(await assigned(bo)).toBeNull();
    const first = await add([NO_OWNER, WRONG_RISK]);
    await change(first, NO_OWNER.id, 0, { assignTo: bo.userId });
    await change(first, WRONG_RISK.id, 0, { assignTo: bo.userId });
    expect(await assigned(bo)).toEqual({
      text: '2 findings assigned to you',
      path: `/analyses/${first}?show=findings&mine`,
    });
    expect(await assigned(officer)).toBeNull();
    await change(first, WRONG_RISK.id, 1, { accept: 'By design' });
    expect(await assigned(bo)).toEqual({
      text: '1 finding assigned to you',
      path: `/analyses/${first}?${new URLSearchParams({ show: 'findings', finding: NO_OWNER.id })}`,
    });

    // The next version changes the accepted value: that finding is open again, and the other one is fixed.
    const changed = { ...WRONG_RISK, found: '5' };
    const second = await add([changed], first);
    await carry(first, second);
    expect(await assigned(bo)).toEqual({
      text: '1 finding assigned to you',
      path: `/analyses/${second}?${new URLSearchParams({ show: 'findings', finding: changed.id })}`,
    });
    await change(second, changed.id, 2, { assignTo: officer.userId });
    expect(await assigned(bo)).toBeNull();
    expect(await assigned(officer)).toMatchObject({ text: '1 finding assigned to you' });
  });

  test('is counted over all logs, and leads to the newest', async () => {
    const [one, two] = [await add([NO_OWNER]), await add([NO_OWNER])];
    for (const id of [one, two]) await change(id, NO_OWNER.id, 0, { assignTo: officer.userId });
    expect(await assigned(officer)).toMatchObject({
      text: '2 findings assigned to you',
      path: expect.stringContaining(`/analyses/${two}?`),
    });
  });
});

describe('in the next analysis of the log', () => {
  const MOVED = [hazard('H1', 'Wrong dose', 7), hazard('H2', 'Wrong patient', 8)];
  const NO_OWNER_MOVED = finding('no-owner', 'H1', ['C7']);

  test('what was decided goes on, and what is no longer found is fixed by it', async () => {
    const first = await add([NO_OWNER, WRONG_RISK]);
    await change(first, NO_OWNER.id, 0, { assignTo: officer.userId });
    await comment(first, NO_OWNER.id, 'Look');
    const second = await add([NO_OWNER_MOVED], first, MOVED);
    await carry(first, second);
    await carry(first, second);
    expect(await lifeOf(second, NO_OWNER_MOVED.id)).toMatchObject({
      version: 1,
      assignee: { name: 'Ada Okafor' },
      comments: [{ text: 'Look' }],
    });
    expect((await list(first)).next).toMatchObject({ id: second, logVersion: '1.8', fixed: [WRONG_RISK.id], gone: [] });
    await comment(second, NO_OWNER_MOVED.id, 'Still');
    expect((await lifeOf(first, NO_OWNER.id))?.comments.map(({ text }) => text)).toEqual(['Look', 'Still']);
  });

  test('what is decided later on the earlier one goes on too, through every analysis after', async () => {
    const first = await add([NO_OWNER]);
    const second = await add([NO_OWNER_MOVED], first, MOVED);
    const third = await add([NO_OWNER], second);
    await comment(first, NO_OWNER.id, 'Late');
    expect((await lifeOf(second, NO_OWNER_MOVED.id))?.comments).toHaveLength(1);
    expect((await lifeOf(third, NO_OWNER.id))?.comments).toHaveLength(1);
    await inAccount(async () => carryOn(await requireAnalysis(accountId, third)));
  });

  test('an accepted finding is open again where the log has another value', async () => {
    const first = await add([WRONG_RISK]);
    await change(first, WRONG_RISK.id, 0, { accept: 'By design' });
    const second = await add([WRONG_RISK], first);
    const third = await add([{ ...WRONG_RISK, found: '5' }], second);
    await carry(first, second);
    await carry(second, third);
    expect((await lifeOf(second, WRONG_RISK.id))?.accepted?.holds).toBe(true);
    expect((await lifeOf(third, WRONG_RISK.id))?.accepted).toMatchObject({ reason: 'By design', holds: false });
  });

  test('an accepted finding no longer counts as still open, until the log has another value', async () => {
    const compare = async (id: number) => {
      const { findings } = await makeCall<Comparison>(officer, compareAnalyses, { params: { id } });
      return { open: findings.open.map(({ id: one }) => one), accepted: findings.accepted.map(({ id: one }) => one) };
    };
    const first = await add([WRONG_RISK, NO_OWNER]);
    const second = await add([WRONG_RISK, NO_OWNER], first);
    const third = await add([{ ...WRONG_RISK, found: '5' }, NO_OWNER], second);
    const fourth = await add([{ ...WRONG_RISK, expected: '5' }, NO_OWNER], third);
    const both = [WRONG_RISK.id, NO_OWNER.id];
    expect(await compare(second)).toEqual({ open: both, accepted: [] });
    await change(second, WRONG_RISK.id, 0, { accept: 'By design' });
    expect(await compare(second)).toEqual({ open: [NO_OWNER.id], accepted: [WRONG_RISK.id] });
    expect(await compare(third)).toEqual({ open: both, accepted: [] });
    // The same value in the log, where the matrix now gives another one.
    expect(await compare(fourth)).toEqual({ open: both, accepted: [] });
  });

  test('what was accepted for one hazard never holds for a finding that covers more', async () => {
    const first = await add([NO_OWNER]);
    await change(first, NO_OWNER.id, 0, { accept: 'Known' });
    const group = finding('no-owner', null, ['C2', 'C3']);
    const second = await add([group], first);
    await carry(first, second);
    expect((await list(second)).lives).toEqual([]);
    expect((await list(first)).next).toMatchObject({ fixed: [], gone: [] });
  });

  test('two lives that meet in one finding stay two', async () => {
    const [one, two] = [finding('no-evidence', 'H1', ['F2']), finding('no-evidence', 'H1', ['G2'])];
    const first = await add([one, two]);
    await comment(first, one.id, 'First');
    await comment(first, two.id, 'Second');
    const second = await add([one], first);
    await carry(first, second);
    expect((await list(second)).lives.map(({ comments }) => comments.map(({ text }) => text))).toEqual([['First']]);
  });

  test('a finding that two continue as has the life of the first alone', async () => {
    const group = finding('no-owner', null, ['C2', 'C3']);
    const first = await add([group, NO_OWNER]);
    await comment(first, group.id, 'First');
    await comment(first, NO_OWNER.id, 'Second');
    const second = await add([NO_OWNER], first);
    await carry(first, second);
    expect((await list(second)).lives.map(({ comments }) => comments.map(({ text }) => text))).toEqual([['First']]);
  });
});

describe('accepted findings', () => {
  test('are not counted as to fix in the list of analyses, which keeps the stored figures of all others', async () => {
    const [id, other] = [await add([NO_OWNER, WRONG_RISK]), await add([WRONG_RISK])];
    const figures = { hazards: 2, toFix: 2, toCheck: 0, covered: 0, relevant: 0, ticketsAnalysed: 0 };
    // The other analysis's figure is not counted anew.
    await inAccount(() => HazardAnalysis.updateOne({ _id: id }, { $set: { figures } }));
    await inAccount(() => HazardAnalysis.updateOne({ _id: other }, { $set: { figures: { ...figures, toFix: 9 } } }));
    await change(id, NO_OWNER.id, 0, { accept: 'Known' });
    const listed = await makeCall<AnalysisSummary[]>(officer, listAnalyses, {});
    const toFix = (of: number) => listed.find((one) => one.id === of)?.figures?.toFix;
    expect([toFix(id), toFix(other)]).toEqual([1, 9]);
  });

  test('are left out of words and figures, for this company alone', async () => {
    const id = await add([NO_OWNER, WRONG_RISK]);
    await change(id, NO_OWNER.id, 0, { accept: 'Known' });
    const result = { findings: [NO_OWNER, WRONG_RISK] };
    const open = (of: number) => runInAccount(of, () => withOpenFindings({ accountId: of, _id: id }, result));
    expect((await open(accountId)).findings).toEqual([WRONG_RISK]);
    expect((await open(makeWho().accountId)).findings).toEqual([NO_OWNER, WRONG_RISK]);
  });
});
