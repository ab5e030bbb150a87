import { FindingLife, type FindingLifeRow } from '../../../../models/clinical_safety/findingLife.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { findingPath, ownFindingsPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { stateOf } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { AssignedWork } from '../../../../models/contracts/desk.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { readKept } from '../comparison/findEarlier.ts';
import { counted } from '../counted.ts';
import { seenAs } from '../lives/carryLives.ts';
import { presentLife } from '../lives/presentLife.ts';

/** The newest analysis that a finding was looked for in. */
const newestOf = ({ analyses }: FindingLifeRow): number => Math.max(...analyses);

/** The findings of some lives that are still open in the newest analysis of their log. */
async function findOpen(accountId: number, analysisId: number, lives: readonly FindingLifeRow[]): Promise<string[]> {
  const row = await HazardAnalysis.findOne({ accountId, _id: analysisId, resultFileId: { $ne: null } }).lean();
  const result = row && (await readKept(row));
  return (result?.findings ?? []).flatMap((finding) => {
    const life = lives.find((one) => one.seenAs.includes(seenAs(analysisId, finding.id)));
    return life && stateOf(finding, presentLife(finding, life, []), null) === 'open' ? [finding.id] : [];
  });
}

/**
 * The findings that are assigned to a member and still open: not those that the newest analysis of the log no longer
 * found, nor those that were accepted. The path leads to those of the newest analysis that has some.
 */
export async function assignedFindings({ accountId, userId }: Who): Promise<AssignedWork | null> {
  const lives = await FindingLife.find({ accountId, 'assignee.userId': userId }).lean();
  const analyses = [...new Set(lives.map(newestOf))].sort((one, other) => other - one);
  const found = await Promise.all(
    analyses.map(async (id) => ({
      id,
      findings: await findOpen(
        accountId,
        id,
        lives.filter((life) => newestOf(life) === id),
      ),
    })),
  );
  const open = found.filter(({ findings }) => findings.length > 0);
  const [newest] = open;
  if (!newest) return null;
  const [first = ''] = newest.findings;
  return {
    text: `${counted(open.flatMap(({ findings }) => findings).length, 'finding')} assigned to you`,
    path: newest.findings.length === 1 ? findingPath(newest.id, first) : ownFindingsPath(newest.id),
  };
}
