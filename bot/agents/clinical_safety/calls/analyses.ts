import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import * as contract from '../../../../models/contracts/clinical_safety/analyses.ts';
import { compareAnalyses, readHazardHistory } from '../../../../models/contracts/clinical_safety/comparison.ts';
import { memberName, readMembers } from '../../../engine/accounts/members.ts';
import { type Call, defineCall, JsonText } from '../../../engine/calls/call.ts';
import { compareResults } from '../comparison/compareResults.ts';
import { findEarlier } from '../comparison/findEarlier.ts';
import { readHistory } from '../comparison/hazardHistory.ts';
import { countOpen } from '../lives/openFindings.ts';
import { withAccepted } from '../lives/withAccepted.ts';
import { requireAnalysis } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { presentAnalysis } from './presentAnalysis.ts';

type Listed = Omit<HazardAnalysisRow, 'decisions' | 'conflicts'>;

const present = (
  row: Listed,
  names: ReadonlyMap<number, string>,
  figures: Listed['figures'] = row.figures,
): contract.AnalysisSummary => ({
  id: row._id,
  createdAt: row.createdAt.toISOString(),
  status: row.status,
  logFileName: row.logFileName,
  logVersion: row.logVersion ?? null,
  ticketsFileName: row.ticketsFileName,
  isSample: row.isSample ?? false,
  headline: row.headline,
  figures: figures ?? null,
  by: row.userId === null ? null : (names.get(row.userId) ?? null),
});

const list = defineCall(
  contract.listAnalyses,
  async ({ who: { accountId } }) => {
    const [rows, { members }] = await Promise.all([
      HazardAnalysis.find({ accountId }, { decisions: 0, conflicts: 0 })
        .sort({ createdAt: -1, _id: -1 })
        .limit(contract.MAX_ANALYSES_LISTED)
        .lean(),
      readMembers(accountId),
    ]);
    const names = new Map(members.map((member) => [member.userId, memberName(member)]));
    const open = await countOpen(accountId, rows);
    return rows.map((row) => present(row, names, open.get(row._id)));
  },
  { topics: ['analysis', 'account'] },
);

const read = defineCall(
  contract.readAnalysis,
  async ({ who, params }) => new JsonText(await presentAnalysis(await requireAnalysis(who.accountId, params.id))),
  { topics: ['analysis', 'interrupts'] },
);

const compare = defineCall(
  compareAnalyses,
  async ({ who: { accountId }, params, query }) => {
    const row = await requireAnalysis(accountId, params.id);
    const other = query.with === undefined ? null : await requireAnalysis(accountId, query.with);
    if (!row.resultFileId || other?.resultFileId === null) return null;
    const result = await loadResult(row);
    const earlier = other ? { row: other, result: await loadResult(other) } : await findEarlier(row, result);
    return earlier && withAccepted(accountId, await compareResults(earlier, { row, result }));
  },
  { topics: ['analysis'] },
);

const history = defineCall(
  readHazardHistory,
  async ({ who, params, query }) => readHistory(await requireAnalysis(who.accountId, params.id), query),
  { topics: ['analysis'] },
);

/** The calls for the list of analyses and for one of them. */
export const analysisCalls: readonly Call[] = [list, read, compare, history];
