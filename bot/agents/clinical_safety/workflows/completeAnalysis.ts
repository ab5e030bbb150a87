import { HazardAnalysis, statusByDecisions } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { MessageCard } from '../../../../models/contracts/chat.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { AnalysisResult, Coverage } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { countProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import type { StepContext, StepResult } from '../../../engine/workflows/workflow.ts';
import { coverageInWords, describeNoCoverage, describeResult } from '../answers/describe.ts';
import { compareResults } from '../comparison/compareResults.ts';
import { countChanges, describeChanges, describeComparison } from '../comparison/describeComparison.ts';
import { findEarlier } from '../comparison/findEarlier.ts';
import { exportName } from '../export/makeExport.ts';
import { carryLives } from '../lives/carryLives.ts';
import { withOpenFindings } from '../lives/openFindings.ts';
import { withAccepted } from '../lives/withAccepted.ts';
import { uncover } from '../matches/uncover.ts';
import { figuresOf, logVersionOf } from '../results/figures.ts';
import { workOn } from '../results/findAnalysis.ts';
import { analysisOf } from './analysisOf.ts';
import type { AnalysisState, Complete } from './analysisState.ts';
import { onlyReference } from './derived.ts';
import { describeReadAs } from './settleReading.ts';

const COST = LIMITS.credits.step;

/** Ends the reading: writes the headline and the status, and prepares the message that the analysis is complete. */
export async function completeAnalysis(context: StepContext<AnalysisState>): Promise<StepResult<AnalysisState>> {
  const { run } = context;
  const row = await analysisOf(context);
  // A decision may have been taken back while the analysis read.
  const result = await uncover(await analysisOf(context));
  const description = describeResult(result);
  const earlier = await findEarlier(row, result);
  const comparison = earlier && (await compareResults(earlier, { row, result }));
  const fileName = result.newHazards.length > 0 ? exportName('proposed', row._id) : null;
  await changing(run.accountId, ['analysis'], () =>
    HazardAnalysis.updateOne(
      { _id: row._id },
      {
        $set: {
          headline: description.headline,
          earlierId: earlier?.row._id ?? null,
          changes: comparison && countChanges(comparison),
          logVersion: logVersionOf(result),
          figures: figuresOf(result),
          newHazardsFileName: fileName,
          status: result.newHazards.length > 0 ? 'in-review' : statusByDecisions([]),
          ...(result.newHazards.length > 0 ? {} : { decisions: [] }),
        },
      },
    ),
  );
  if (run.conversationId) await workOn(run.accountId, run.conversationId, row._id);
  if (earlier) await carryLives(run.accountId, earlier, { row, result });
  // What people accepted in the version before is not to fix in this one either.
  const open = await withOpenFindings(row, result);
  const said = describeResult(open);
  if (said.headline !== description.headline)
    await changing(run.accountId, ['analysis'], () =>
      HazardAnalysis.updateOne({ _id: row._id }, { $set: { headline: said.headline } }),
    );
  const compared = comparison && (await withAccepted(run.accountId, comparison));
  const changed = comparison
    ? ` ${describeChanges(countChanges(comparison), coverageInWords(result.analysisMetadata))}.`
    : '';
  // Sent by the next step, because people may start another analysis once they read that this one is complete.
  const complete: Complete = {
    key: 'complete',
    kind: 'analysis-complete',
    text: [
      `Analysis complete: ${said.headline}.`,
      ...(await describeReadAs(row)).map((line) => `• ${line}`),
      ...said.lines.map((line) => `• ${line}`),
      ...(compared ? describeComparison(compared, await readTimeZone(run.accountId)) : []).map((line) => `• ${line}`),
    ].join('\n'),
    // Only counts are sent to platforms in every mode; names of sheets and files are not.
    derived: onlyReference(`Analysis complete: ${said.headline}.${changed} ${linkToChat()}`),
    card: {
      ...resultCard(row._id, open, said.headline),
      table: findingsTable(open),
      actions: fileName ? [{ label: 'Download New Hazards', action: 'download', value: fileName }] : [],
    },
  };
  return { next: 'review', state: { complete }, cost: COST };
}

const resultCard = (hazardAnalysisId: number, result: AnalysisResult, headline: string): NonNullable<MessageCard> => ({
  hazardAnalysisId,
  page: analysisPath(hazardAnalysisId),
  headline,
  figures: resultFigures(result),
});

type Figures = NonNullable<NonNullable<MessageCard>['figures']>;

/** The figures of a result, as its card shows them. */
export function resultFigures(
  result: Pick<AnalysisResult, 'existingHazards' | 'findings' | 'newHazards' | 'analysisMetadata'>,
): Figures {
  const { coverage, coverageScore, jiraAnalysis } = result.analysisMetadata;
  const toFix = result.findings.filter(({ level }) => level === 'fix').length;
  const { hazards, additions } = countProposals(result.newHazards);
  return [
    { label: 'Hazards', value: String(result.existingHazards.length) },
    { label: 'Findings to fix', value: String(toFix) },
    { label: 'Tickets analysed', value: String(jiraAnalysis.ticketsAnalyzed) },
    {
      label: 'Coverage',
      value: coverageScore === null ? describeNoCoverage(jiraAnalysis) : `${coverage.covered} of ${coverage.relevant}`,
    },
    ...(coverageScore === null ? [] : notCounted(coverage)),
    { label: 'New hazards proposed', value: String(hazards) },
    ...(additions > 0 ? [{ label: 'Additions to existing ones', value: String(additions) }] : []),
  ];
}

/** The figures beside the coverage; none in results of an earlier version. */
function notCounted({ possible, none, unsure }: Coverage): Figures {
  if (possible === undefined) return [];
  const figures = { 'Possible, not counted': possible, 'With no hazard': none ?? 0, Unsure: unsure };
  return Object.entries(figures).map(([label, value]) => ({ label, value: String(value) }));
}

const MAX_ROWS = 20;

/** The findings to fix with their places and expected values, for channels that show a table. */
function findingsTable({ findings }: AnalysisResult): NonNullable<NonNullable<MessageCard>['table']> {
  const toFix = findings.filter(({ level }) => level === 'fix').slice(0, MAX_ROWS);
  return {
    columns: ['Where', 'Finding', 'Recorded', 'Expected'],
    rows: toFix.map(({ places, title, found, expected }) => [
      places[0] ? `${places[0].sheet}!${places[0].cell}${places.length > 1 ? ` +${places.length - 1}` : ''}` : '–',
      title,
      found ?? '–',
      expected ?? '–',
    ]),
  };
}
