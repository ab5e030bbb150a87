import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { describeResult } from '../answers/describe.ts';
import { withOpenFindings } from '../lives/openFindings.ts';
import { countCoverage } from '../tickets/coverage.ts';
import { figuresOf } from './figures.ts';
import { keepVerdicts, loadResult, rememberResult } from './results.ts';

/**
 * Changes the verdicts of an analysis and counts its coverage again. Nothing is written where nothing changes; of two
 * changes at once the second is made to the outcome of the first.
 * @param key names the change, so that a retry stores it once
 * @param change returns the same object for a verdict that stays
 * @param noted the result's new note on a language model
 * @param drafted proposals to add
 * @returns the result after the change
 */
export async function changeVerdicts(
  analysis: HazardAnalysisRow,
  key: string,
  change: (tickets: readonly TicketVerdict[]) => TicketVerdict[],
  noted: Partial<Pick<AnalysisResult['analysisMetadata'], 'modelUsed' | 'modelChoices' | 'modelDrafts'>> = {},
  drafted: readonly NewHazard[] = [],
): Promise<AnalysisResult> {
  const { _id, accountId, runId, ticketsResultFileId } = analysis;
  const before = await loadResult(analysis);
  const tickets = change(before.tickets);
  const isSame = tickets.every((verdict, at) => verdict === before.tickets[at]);
  if (isSame && Object.keys(noted).length === 0) return before;
  const newHazards = [...before.newHazards, ...drafted];
  const counts = countCoverage(tickets, newHazards);
  const result = {
    ...before,
    newHazards,
    tickets,
    analysisMetadata: { ...before.analysisMetadata, ...counts, ...noted },
  };
  const files = await keepVerdicts(accountId, runId, `${key}:${ticketsResultFileId}`, result);
  const { headline } = describeResult(await withOpenFindings({ accountId, _id }, result));
  const { matchedCount } = await changing(accountId, ['analysis'], () =>
    HazardAnalysis.updateOne(
      { _id, ticketsResultFileId },
      { $set: { ...files, headline, figures: figuresOf(result) } },
    ),
  );
  if (matchedCount === 1) {
    rememberResult(String(files.ticketsResultFileId), result);
    return result;
  }
  return changeVerdicts(
    requireRow(await HazardAnalysis.findOne({ _id, accountId }).lean()),
    key,
    change,
    noted,
    drafted,
  );
}
