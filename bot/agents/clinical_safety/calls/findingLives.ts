import { Types } from 'mongoose';
import { FindingComment, FindingLife, type FindingLifeRow } from '../../../../models/clinical_safety/findingLife.ts';
import * as contract from '../../../../models/contracts/clinical_safety/findingLives.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { may } from '../../../../models/policies/actions.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { memberName, readMembers } from '../../../engine/accounts/members.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { carryOn, seenAs } from '../lives/carryLives.ts';
import { presentLife } from '../lives/presentLife.ts';
import { readLives } from '../lives/readLives.ts';
import { recordChange } from '../lives/recordChange.ts';
import { requireAnalysis } from '../results/findAnalysis.ts';
import { loadCore } from '../results/results.ts';

/** Whoever may answer a clinical question may also accept a finding. */
const mayAccept = (who: Who) => may(who, 'question.answer-clinical');
const mayAssign = (who: Who) => may(who, 'question.answer');

const list = defineCall(
  contract.listFindingLives,
  async ({ who, params }) => {
    const { accountId } = who;
    const row = await requireAnalysis(accountId, params.id);
    const [{ findings }, { members }] = await Promise.all([
      row.resultFileId ? loadCore(row) : { findings: [] },
      readMembers(accountId),
    ]);
    return {
      mayAccept: mayAccept(who),
      mayAssign: mayAssign(who),
      members: members.map((member) => ({ userId: member.userId, name: memberName(member) })),
      ...(await readLives(row, findings)),
    };
  },
  { topics: ['analysis', 'account'] },
);

/** The analysis and one of its findings. @throws AppError not_found */
async function requireFinding(who: Who, id: number, findingId: string) {
  const row = await requireAnalysis(who.accountId, id);
  const { findings } = row.resultFileId ? await loadCore(row) : { findings: [] };
  const finding = findings.find((one: Finding) => one.id === findingId);
  if (!finding) throw new AppError('not_found');
  return { row, finding };
}

/** The life of a finding; it begins with the first thing that is done. */
async function openLife(accountId: number, analysisId: number, findingId: string): Promise<FindingLifeRow> {
  const name = seenAs(analysisId, findingId);
  await onceByKey(() => FindingLife.create({ accountId, seenAs: [name], analyses: [analysisId] }));
  return requireRow(await FindingLife.findOne({ accountId, seenAs: name }).lean());
}

async function present(finding: Finding, accountId: number, lifeId: FindingLifeRow['_id']) {
  const life = requireRow(await FindingLife.findOne({ _id: lifeId, accountId }).lean());
  return presentLife(finding, life, await FindingComment.find({ accountId, lifeId }).sort({ at: 1 }).lean());
}

type Change = Pick<NonNullable<FindingLifeRow['unrecorded']>, 'event' | 'outcome'> & { set: Partial<FindingLifeRow> };

/** What a change writes. @throws AppError not_allowed, bad_request for an assignee who is no member */
async function readChange(
  who: Who,
  finding: Finding,
  change: { assignTo: number | null } | { accept: string } | { reopen: true },
): Promise<Change> {
  if ('assignTo' in change) {
    const { assignTo } = change;
    if (assignTo !== who.userId && !mayAssign(who)) throw new AppError('not_allowed');
    if (assignTo === null) return { event: 'finding.assigned', outcome: 'nobody', set: { assignee: null } };
    const { members } = await readMembers(who.accountId);
    const member = members.find(({ userId }) => userId === assignTo);
    if (!member) throw new AppError('not_found');
    const assignee = { userId: assignTo, name: memberName(member) };
    return { event: 'finding.assigned', outcome: `user:${assignTo}`, set: { assignee } };
  }
  if (!mayAccept(who)) throw new AppError('not_allowed');
  if ('reopen' in change) return { event: 'finding.reopened', outcome: 'open', set: { accepted: null } };
  const { found, expected } = finding;
  const by = { userId: who.userId, name: who.name };
  const accepted = { reason: change.accept, by, at: new Date(), found, expected };
  return { event: 'finding.accepted', outcome: 'accepted', set: { accepted } };
}

const change = defineCall(contract.changeFinding, async ({ who, params, body }) => {
  const { accountId, userId } = who;
  const { row, finding } = await requireFinding(who, params.id, body.findingId);
  const { event, outcome, set } = await readChange(who, finding, body.change);
  const life = await openLife(accountId, row._id, finding.id);
  // That of the change before, if its process ended before it was written.
  await recordChange(life);
  const { version } = body;
  const unrecorded = { event, outcome, userId, at: new Date(), version };
  const { matchedCount } = await changing(accountId, ['analysis'], () =>
    FindingLife.updateOne(
      { _id: life._id, accountId, version },
      { $set: { ...set, unrecorded }, $inc: { version: 1 } },
    ),
  );
  if (matchedCount === 0) throw new AppError('conflict');
  await recordChange({ ...life, unrecorded });
  await carryOn(row);
  return present(finding, accountId, life._id);
});

/**
 * @param more comments that are about to be written, beside those that are
 * @throws AppError too_many_comments
 */
async function requireRoom({ _id, accountId }: FindingLifeRow, more: number): Promise<void> {
  const count = contract.MAX_COMMENTS;
  if ((await FindingComment.countDocuments({ accountId, lifeId: _id })) + more > count)
    throw new AppError('too_many_comments', { count });
}

const comment = defineCall(contract.commentOnFinding, async ({ who, params, body }) => {
  const { accountId, userId, name } = who;
  const { row, finding } = await requireFinding(who, params.id, body.findingId);
  const life = await openLife(accountId, row._id, finding.id);
  await requireRoom(life, 1);
  const _id = new Types.ObjectId();
  const made = { _id, accountId, lifeId: life._id, by: { userId, name }, text: body.text };
  await changing(accountId, ['analysis'], () => FindingComment.create(made));
  await requireRoom(life, 0).catch(async (error: unknown) => {
    // Several were written in the same moment: each sees the others by now.
    await changing(accountId, ['analysis'], () => FindingComment.deleteOne({ _id, accountId }));
    throw error;
  });
  await recordEvent(accountId, 'finding.commented', { userId, subject: `finding:${life._id}`, outcome: 'commented' });
  await carryOn(row);
  return present(finding, accountId, life._id);
});

/** The calls for what people decide and say about findings. */
export const findingCalls: readonly Call[] = [list, change, comment];
