import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { TicketMatch, type TicketMatchRow } from '../../../../models/clinical_safety/ticketMatch.ts';
import * as contract from '../../../../models/contracts/clinical_safety/matchDecisions.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { may } from '../../../../models/policies/actions.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { makeIdFinder } from '../matches/findIdNow.ts';
import { restore } from '../matches/takeBack.ts';
import { inNewestResult, uncover } from '../matches/uncover.ts';
import { changeVerdicts } from '../results/changeVerdicts.ts';
import { loadResult } from '../results/results.ts';

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

/** Counts a restored decision in a result, where it was counted before. */
async function coverAgain(analysis: HazardAnalysisRow, row: TicketMatchRow): Promise<void> {
  const { existingHazards } = await loadResult(analysis);
  const decision = { ticketKey: row.ticketKey, hazardId: makeIdFinder(existingHazards)(row) };
  await changeVerdicts(analysis, `restored-${row._id}`, (tickets) => restore(tickets, decision));
}

const change = defineCall(contract.changeMatchDecision, async ({ who, params, body }) => {
  const { accountId, userId, name } = who;
  const { interruptId, isTakenBack } = body;
  if (!mayChange(who)) throw new AppError('not_allowed');
  const row = await TicketMatch.findOne({ _id: params.id, accountId }).lean();
  if (!row) throw new AppError('not_found');
  if (row.interruptId !== interruptId) throw new AppError('conflict');
  await recordEvent(accountId, 'match.changed', {
    userId,
    subject: `match:${params.id}`,
    outcome: isTakenBack ? 'taken-back' : 'restored',
  });
  // If the process ends in between, the result counts fewer covered tickets than were decided, never more.
  if (isTakenBack) await inNewestResult(accountId, (newest) => uncover(newest, row._id));
  // Of two people who take it back at once, the first is named.
  const standing = { _id: params.id, accountId, interruptId, ...(isTakenBack ? { takenBack: null } : {}) };
  const takenBack = isTakenBack ? { userId, name, at: new Date() } : null;
  await changing(accountId, ['analysis'], () => TicketMatch.updateOne(standing, { $set: { takenBack } }));
  if (!isTakenBack && row.covers) await inNewestResult(accountId, (newest) => coverAgain(newest, row));
  // A result that was written meanwhile may count it, and somebody may have taken back what was just restored.
  await inNewestResult(accountId, (newest) => uncover(newest));
  const after = requireRow(await TicketMatch.findOne({ _id: params.id, accountId }).lean());
  if (after.interruptId !== interruptId) throw new AppError('conflict');
  return present(after);
});

/** The calls for what people decided on possible matches. */
export const matchDecisionCalls: readonly Call[] = [list, change];
