import { describeNotCounted } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import type { FindingLives } from '../../../../models/contracts/clinical_safety/findingLives.ts';
import { countFindings } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { countProposals, describeAdditions } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { Part } from './shownParts.ts';

type Figure = { value: string; of?: string; label: string; note?: string | null; tab: Part };

/**
 * The figures above a result, each with the tab that has its rows. Findings that people accepted are counted apart.
 * @param lives what people decided on the findings; undefined while it is read
 */
export function resultFigures(
  { existingHazards, findings, newHazards }: HazardAnalysis,
  { coverage, jiraAnalysis }: NonNullable<HazardAnalysis['analysisMetadata']>,
  lives: FindingLives | undefined,
): Figure[] {
  const accepted = new Set(lives?.lives.filter(({ accepted: it }) => it?.holds).map(({ findingId }) => findingId));
  const number = (level: 'fix' | 'check') => countFindings(findings, level, (id) => accepted.has(id));
  const besides = (count: number) => (count > 0 ? `${count} accepted` : null);
  const [toFix, toCheck, proposed] = [number('fix'), number('check'), countProposals(newHazards)];
  const hazards = existingHazards.length;
  return [
    { value: String(hazards), label: hazards === 1 ? 'hazard' : 'hazards', tab: 'hazards' },
    {
      value: String(toFix.open),
      label: toFix.open === 1 ? 'finding to fix' : 'findings to fix',
      note: besides(toFix.accepted),
      tab: 'findings',
    },
    { value: String(toCheck.open), label: 'to check', note: besides(toCheck.accepted), tab: 'findings' },
    jiraAnalysis.ticketsAnalyzed > 0
      ? {
          value: String(coverage.covered),
          of: ` of ${coverage.relevant}`,
          label: 'relevant tickets covered',
          note: describeNotCounted(coverage),
          tab: 'tickets',
        }
      : { value: '0', label: 'tickets analysed', tab: 'tickets' },
    {
      value: String(proposed.hazards),
      label: proposed.hazards === 1 ? 'new hazard proposed' : 'new hazards proposed',
      note: describeAdditions(newHazards),
      tab: 'proposed',
    },
  ];
}
