import { TicketMatch, type TicketMatchRow } from '../../../../models/clinical_safety/ticketMatch.ts';
import * as contract from '../../../../models/contracts/clinical_safety/matchDecisions.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { may } from '../../../../models/policies/actions.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { restore, takeBack } from '../matches/takeBack.ts';
import { changeVerdicts } from '../results/changeVerdicts.ts';
import { findLatestResult } from '../results/results.ts';

const iso = (at: Date) => new Date(at).toISOString();

const present = (row: TicketMatchRow): contract.MatchDecisionShown => ({
  id: String(row._id),
  ticketKey: row.ticketKey,
  hazardId: row.hazardId,
  covers: row.covers,
  by: row.by.name,
  at: iso(row.at),
  via: row.via,
  interruptId: row.interruptId,
  takenBack: row.takenBack ? { by: row.takenBack.name, at: iso(row.takenBack.at) } : null,
});

/** Whoever may answer the question may also take back its answer. */
const mayChange = (who: Who) => may(who, 'question.answer-clinical');

const list = defineCall(
  contract.listMatchDecisions,
  async ({ who }) => {
    const rows = await TicketMatch.find({ accountId: who.accountId })
      .sort({ at: -1, ticketKey: 1 })
      .limit(contract.MAX_DECISIONS_SHOWN)
      .lean();
    return { mayChange: mayChange(who), decisions: rows.map(present) };
  },
  { topics: ['analysis'] },
);

/** Changes the verdicts of the newest result that rest on a decision. */
async function changeResult(row: TicketMatchRow, isTakenBack: boolean): Promise<void> {
  const { _id, accountId, ticketKey, covers } = row;
  const analysis = await findLatestResult(accountId);
  if (!covers || !analysis) return;
  const standing = await TicketMatch.find({ accountId, ticketKey, covers: true, takenBack: null }).lean();
  const others = standing.filter((other) => String(other._id) !== String(_id)).map(({ hazardId }) => hazardId);
  await changeVerdicts(analysis, `${isTakenBack ? 'taken-back' : 'restored'}-${_id}`, (tickets) =>
    isTakenBack ? takeBack(tickets, row, others) : restore(tickets, row),
  );
}

const change = defineCall(contract.changeMatchDecision, async ({ who, params, body }) => {
  const { accountId, userId, name } = who;
  if (!mayChange(who)) throw new AppError('not_allowed');
  const filter = { _id: params.id, accountId, interruptId: body.interruptId };
  const row = await TicketMatch.findOne({ _id: params.id, accountId }).lean();
  if (!row) throw new AppError('not_found');
  if (row.interruptId !== body.interruptId) throw new AppError('conflict');
  await recordEvent(accountId, 'match.changed', {
    userId,
    subject: `match:${params.id}`,
    outcome: body.isTakenBack ? 'taken-back' : 'restored',
  });
  // If the process ends in between, the result counts fewer covered tickets than were decided, never more.
  if (body.isTakenBack) await changeResult(row, true);
  const takenBack = body.isTakenBack ? (row.takenBack ?? { userId, name, at: new Date() }) : null;
  const { matchedCount } = await changing(accountId, ['analysis'], () =>
    TicketMatch.updateOne(filter, { $set: { takenBack } }),
  );
  if (matchedCount !== 1) throw new AppError('conflict');
  if (!body.isTakenBack) await changeResult(row, false);
  return present(requireRow(await TicketMatch.findOne({ _id: params.id, accountId }).lean()));
});

/** The calls for what people decided on possible matches. */
export const matchDecisionCalls: readonly Call[] = [list, change];
