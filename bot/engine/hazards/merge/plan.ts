import type {
  AnalysisResult,
  MergeConflict,
  NewHazard,
  ProposedValues,
  ReviewRow,
} from '../../../../models/contracts/hazards.ts';
import type { MergeInput } from '../jobs.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { sameId, sameName } from '../reading/readHazards.ts';
import { chosenProposal } from '../tickets/chosenProposal.ts';
import { nextIds } from '../tickets/nextIds.ts';

/** A proposal that a person accepted, as it goes into the log. */
export type PlannedHazard = Settled & { hazardId: string };
export type MergePlan = { hazards: PlannedHazard[]; conflicts: MergeConflict[] };

/** What a reviewer settled: the proposal with the candidate that was chosen, and the values with the reviewer's own words over them. */
export type Settled = {
  proposal: NewHazard;
  outcome: ReviewRow['outcome'];
  values: ProposedValues;
  /** The entry and its title; which one it was chosen instead of, where it was. */
  knowledge: string;
};

const nameOf = ({ kbId, candidates }: NewHazard) =>
  [kbId, candidates.find((candidate) => candidate.kbId === kbId)?.title].filter(Boolean).join(' ');

/**
 * Settles one row: the chosen candidate's draft, with the reviewer's own words over it. Only own words make an outcome
 * "edited"; words that were left as proposed do not stand in the way of another candidate's.
 */
export function settle(proposal: NewHazard, row: ReviewRow): Settled {
  const chosen = row.kbId ? chosenProposal(proposal, row.kbId) : proposal;
  const values = { ...chosen.values };
  let edited = false;
  for (const field of Object.keys(values) as (keyof ProposedValues)[]) {
    const own = row.values?.[field];
    if (own === undefined || own === proposal.values[field] || own === values[field]) continue;
    values[field] = own;
    edited = true;
  }
  return {
    proposal: chosen,
    values,
    outcome: row.outcome === 'rejected' ? 'rejected' : edited ? 'edited' : 'accepted',
    knowledge:
      chosen === proposal
        ? `${nameOf(proposal)} (${proposal.category})`
        : `${nameOf(chosen)} (${chosen.category}), chosen instead of ${nameOf(proposal)}`,
  };
}

const COMPARED: [keyof LogHazard & ('name' | 'description' | 'clinicalImpact'), string][] = [
  ['name', 'name'],
  ['description', 'description'],
  ['clinicalImpact', 'clinical impact'],
];
const MOST_CHANGES = 50;

/** What moved in the log since the analysis: hazards that changed, went or came. */
function changedHazards(log: ReadLog, result: AnalysisResult): MergeConflict[] {
  const conflicts: MergeConflict[] = [];
  const now = new Map(log.hazards.map((hazard) => [sameId(hazard.id), hazard]));
  for (const before of result.existingHazards) {
    const hazard = now.get(sameId(before.id));
    if (!hazard) {
      conflicts.push({
        hazardId: before.id,
        kind: 'hazard-changed',
        message: `${before.id} was in the log when it was analysed and is gone now.`,
        place: null,
      });
      continue;
    }
    const changed = COMPARED.filter(([field]) => sameName(hazard[field]) !== sameName(before[field])).map(
      ([, label]) => label,
    );
    for (const phase of ['initial', 'residual'] as const)
      if (
        hazard[phase].severity !== before[phase].severity ||
        hazard[phase].likelihood !== before[phase].likelihood ||
        hazard[phase].risk !== before[phase].risk
      )
        changed.push(`${phase} rating`);
    if (hazard.status !== before.status) changed.push('status');
    if (changed.length > 0)
      conflicts.push({
        hazardId: before.id,
        kind: 'hazard-changed',
        message: `${before.id} changed since the analysis: ${changed.join(', ')}. Its row was left as it is now.`,
        place: log.place(hazard.rows.first, 'id'),
      });
  }
  return conflicts.slice(0, MOST_CHANGES);
}

function lostColumns(log: ReadLog, result: AnalysisResult, hazardId: string): MergeConflict[] {
  return result.analysisMetadata.log.columns
    .filter(({ canonical }) => !log.has(canonical))
    .map(({ canonical, header }) => ({
      hazardId,
      kind: 'column-missing' as const,
      message: `The column “${header}” (${canonical.replaceAll('_', ' ')}) was there when the log was analysed and is gone now. What would have gone into it stands in the Change log.`,
      place: null,
    }));
}

/** Settles which accepted rows are written, under which ids, and what a person should know about it. */
export function planMerge(log: ReadLog, { log: file, result, rows }: MergeInput, mergedBefore: Set<string>): MergePlan {
  const conflicts = file.digest === result.analysisMetadata.logDigest ? [] : changedHazards(log, result);
  const answers = new Map(rows.map((row) => [row.id, row]));
  const wanted: Settled[] = [];
  for (const proposal of result.newHazards) {
    const row = answers.get(proposal.id);
    if (!row || row.outcome === 'rejected') continue;
    const settled = settle(proposal, row);
    const { values } = settled;
    const twin = log.hazards.find(
      (hazard) => sameId(hazard.id) === sameId(proposal.proposedId) && sameName(hazard.name) === sameName(values.name),
    );
    if (mergedBefore.has(proposal.id) || twin) {
      conflicts.push({
        hazardId: twin?.id ?? proposal.proposedId,
        kind: 'already-merged',
        message: `“${values.name}” was merged into this log before and was not written again.`,
        place: twin ? log.place(twin.rows.first, 'id') : null,
      });
      continue;
    }
    wanted.push(settled);
  }
  const taken = log.hazards.filter(({ hasId }) => hasId).map(({ id }) => id);
  const used = new Set(taken.map(sameId));
  const hazards = wanted.map((entry): PlannedHazard => {
    let hazardId = entry.proposal.proposedId;
    if (used.has(sameId(hazardId))) {
      const owner = log.hazards.find(({ id }) => sameId(id) === sameId(hazardId));
      const others = wanted.filter((other) => other !== entry).map(({ proposal }) => proposal.proposedId);
      const [free = hazardId] = nextIds([...taken, ...others], 1);
      conflicts.push({
        hazardId,
        kind: 'id-taken',
        message: `${hazardId} is taken in the log now; “${entry.values.name}” was written as ${free}.`,
        place: owner ? log.place(owner.rows.first, 'id') : null,
      });
      hazardId = free;
    }
    used.add(sameId(hazardId));
    taken.push(hazardId);
    return { ...entry, hazardId };
  });
  if (file.digest !== result.analysisMetadata.logDigest)
    conflicts.push(...lostColumns(log, result, hazards[0]?.hazardId ?? ''));
  return { hazards, conflicts };
}
