import type {
  AnalysisResult,
  ExistingHazard,
  MergeConflict,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard, ProposedValues } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { counted } from '../counted.ts';
import { HazardFileError } from '../errors.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { firstRowOf, makeIdLookup, sameId, sameName } from '../reading/readHazards.ts';
import { chosenProposal } from '../tickets/chosenProposal.ts';
import { nextIds } from '../tickets/nextIds.ts';
import type { MergeInput } from '../worker/jobs.ts';
import type { AddedSettled, MergePlan, PlannedHazard, Recorded, Settled } from './settled.ts';

const nameOf = ({ kbId, candidates, draftedBy }: NewHazard) =>
  draftedBy ?? [kbId, candidates.find((candidate) => candidate.kbId === kbId)?.title].filter(Boolean).join(' ');

const NO_VALUES: ProposedValues = {
  name: '',
  description: '',
  cause: '',
  clinicalImpact: '',
  controlDesign: '',
  controlTest: '',
  controlTraining: '',
  controlBusiness: '',
};

/**
 * Settles one row: the chosen candidate's draft with the reviewer's edits. Only edits make an outcome "edited"; a value
 * left as proposed gives way to that of another chosen candidate.
 */
export function settle(proposal: NewHazard, row: RowDecision): Settled {
  const choice = row.choice ?? proposal.proposedAs;
  const addition = proposal.additions?.find(({ id }) => id === choice);
  const chosen = choice && !addition ? chosenProposal(proposal, choice) : proposal;
  const values: ProposedValues = addition ? { ...NO_VALUES, ...addition.values } : { ...chosen.values };
  let edited = false;
  for (const field of Object.keys(values) as (keyof ProposedValues)[]) {
    const own = row.values?.[field];
    if (own === undefined || own === values[field] || (!addition && own === proposal.values[field])) continue;
    if (addition && addition.values[field] === undefined) continue;
    values[field] = own;
    edited = true;
  }
  return {
    proposal: chosen,
    values,
    outcome: row.outcome === 'rejected' ? 'rejected' : edited ? 'edited' : 'accepted',
    ...(addition ? { addition } : {}),
    knowledge: addition
      ? `${nameOf(proposal)} (${proposal.category}), as a new ${addition.as} of ${addition.hazardId}`
      : chosen === proposal
        ? `${nameOf(proposal)} (${proposal.category})`
        : `${nameOf(chosen)} (${chosen.category}), chosen instead of ${nameOf(proposal)}`,
    reason: row.reason?.trim() ?? '',
  };
}

const COMPARED: [keyof LogHazard & ('name' | 'description' | 'clinicalImpact'), string][] = [
  ['name', 'name'],
  ['description', 'description'],
  ['clinicalImpact', 'clinical impact'],
];
const MAX_CHANGES = 50;

/** The hazards that changed in the log or were removed from it since the analysis. */
function findChangedHazards(log: ReadLog, result: AnalysisResult): MergeConflict[] {
  const conflicts: MergeConflict[] = [];
  const now = new Map(log.hazards.map((hazard) => [sameId(hazard.id), hazard]));
  for (const before of result.existingHazards) {
    const hazard = now.get(sameId(before.id));
    if (!hazard) {
      conflicts.push({
        hazardId: before.id,
        kind: 'hazard-changed',
        message: `${before.id} was in the log when it was analysed and is no longer there.`,
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
        place: log.place(firstRowOf(hazard), 'id'),
      });
  }
  return conflicts.slice(0, MAX_CHANGES);
}

function findLostColumns(log: ReadLog, result: AnalysisResult, hazardId: string): MergeConflict[] {
  return result.analysisMetadata.log.columns
    .filter(({ canonical }) => !log.has(canonical))
    .map(({ canonical, header }) => ({
      hazardId,
      kind: 'column-missing' as const,
      message: `The column “${header}” (${canonical.replaceAll('_', ' ')}) was there when the log was analysed and is no longer there. Its values are in the Change log instead.`,
      place: null,
    }));
}

/**
 * Whether an analysed hazard is still in the log. Many logs count from H01, so an equal id is not enough: one of its
 * texts must also be equal. In a log without ids, where ids were made up from row numbers, the name decides.
 */
function isInLog(before: ExistingHazard, now: Map<string, LogHazard>, names: Set<string>): boolean {
  const hazard = now.get(sameId(before.id));
  if (/^row \d+(?: \(\d+\))?$/.test(before.id)) return names.has(sameName(before.name));
  return (
    hazard !== undefined &&
    (['name', 'description', 'clinicalImpact'] as const).some(
      (field) => sameName(hazard[field]) === sameName(before[field]) && before[field] !== '',
    )
  );
}

/** @throws HazardFileError not_the_analysed_log where fewer than half of the analysed hazards are in the log */
function requireAnalysedLog(log: ReadLog, { existingHazards }: AnalysisResult): void {
  const now = new Map(log.hazards.map((hazard) => [sameId(hazard.id), hazard]));
  const names = new Set(log.hazards.map(({ name }) => sameName(name)));
  const count = existingHazards.filter((hazard) => isInLog(hazard, now, names)).length;
  if (count * 2 >= existingHazards.length) return;
  throw new HazardFileError(
    'not_the_analysed_log',
    `This log is not the one that was analysed: only ${count} of ${counted(existingHazards.length, 'hazard')} ${count === 1 ? 'is' : 'are'} in it. Analyse it first, or upload the analysed log again.`,
  );
}

/**
 * Plans which accepted hazards are written, with which ids, and lists the conflicts.
 * @throws HazardFileError not_the_analysed_log
 */
export function planMerge(log: ReadLog, { log: file, result, rows }: MergeInput, before: Recorded): MergePlan {
  const hasChanged = file.digest !== result.analysisMetadata.logDigest;
  if (hasChanged) requireAnalysedLog(log, result);
  const conflicts = hasChanged ? findChangedHazards(log, result) : [];
  const answers = new Map(rows.map((row) => [row.id, row]));
  const findById = makeIdLookup(log.hazards);
  const wanted: Settled[] = [];
  const rejected: Settled[] = [];
  const additions: AddedSettled[] = [];
  for (const proposal of result.newHazards) {
    const row = answers.get(proposal.id);
    if (!row) continue;
    const settled = settle(proposal, row);
    if (settled.outcome === 'rejected') {
      if (!before.rejected.has(proposal.id)) rejected.push(settled);
      continue;
    }
    const { values, addition } = settled;
    if (addition && !before.merged.has(proposal.id)) {
      additions.push({ ...settled, addition });
      continue;
    }
    const existingHazard = findById(proposal.proposedId).find(({ name }) => sameName(name) === sameName(values.name));
    if (before.merged.has(proposal.id) || existingHazard) {
      conflicts.push({
        hazardId: existingHazard?.id ?? proposal.proposedId,
        kind: 'already-merged',
        message: `“${values.name}” has already been merged into this log and was not written again.`,
        place: existingHazard ? log.place(firstRowOf(existingHazard), 'id') : null,
      });
      continue;
    }
    wanted.push(settled);
  }
  const taken = log.hazards.filter(({ hasId }) => hasId).flatMap(({ id, furtherIds = [] }) => [id, ...furtherIds]);
  const used = new Set(taken.map(sameId));
  const hazards = wanted.map((entry): PlannedHazard => {
    let hazardId = entry.proposal.proposedId;
    if (used.has(sameId(hazardId))) {
      const [owner] = findById(hazardId);
      const others = wanted.filter((other) => other !== entry).map(({ proposal }) => proposal.proposedId);
      const [free = hazardId] = nextIds([...taken, ...others], 1);
      conflicts.push({
        hazardId,
        kind: 'id-taken',
        message: `${hazardId} is now used in the log, so “${entry.values.name}” was written as ${free}.`,
        place: owner ? log.place(firstRowOf(owner), 'id') : null,
      });
      hazardId = free;
    }
    used.add(sameId(hazardId));
    taken.push(hazardId);
    return { ...entry, hazardId };
  });
  if (hasChanged) conflicts.push(...findLostColumns(log, result, hazards[0]?.hazardId ?? ''));
  return { hazards, additions, rejected, conflicts };
}
