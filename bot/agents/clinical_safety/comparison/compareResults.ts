import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ComparedSide, Comparison, Rerated } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { AnalysisResult, ExistingHazard, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { isSameRating } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { sameId } from '../reading/readHazards.ts';
import { logVersionOf } from '../results/figures.ts';
import { compareFindings } from './compareFindings.ts';
import { inSlices } from './inSlices.ts';
import { type HazardPair, pairHazards } from './pairHazards.ts';

type Row = Pick<HazardAnalysisRow, '_id' | 'createdAt' | 'logFileName'>;
/** An analysis with its result. */
export type Compared = { row: Row; result: AnalysisResult };

function describeSide({ row, result }: Compared): ComparedSide {
  const { coverage, coverageScore, engineVersion } = result.analysisMetadata;
  return {
    id: row._id,
    createdAt: row.createdAt.toISOString(),
    logFileName: row.logFileName,
    logVersion: logVersionOf(result),
    engineVersion,
    coverage: coverageScore === null ? null : { covered: coverage.covered, relevant: coverage.relevant },
  };
}

const isSameWord = (one: string | null, other: string | null) =>
  one === other || (one !== null && other !== null && isSameRating(one, other));
const isSame = (one: Rating, other: Rating) =>
  one.risk === other.risk &&
  isSameWord(one.riskWord ?? null, other.riskWord ?? null) &&
  isSameWord(one.severity, other.severity) &&
  isSameWord(one.likelihood, other.likelihood);

const rerate = ({ before, after }: HazardPair): Rerated[] =>
  (['initial', 'residual'] as const).flatMap((stage) =>
    isSame(before[stage], after[stage])
      ? []
      : [{ id: after.id, name: after.name, stage, before: before[stage], after: after[stage] }],
  );

const named = ({ id, name }: ExistingHazard) => ({ id, name });

/** What changed between two results, the earlier one first. */
export const compareResults = async (earlier: Compared, later: Compared): Promise<Comparison> =>
  (await followFindings(earlier, later)).comparison;

/** What changed between two results, and as which findings the earlier ones continue, by their ids. */
export async function followFindings(
  earlier: Compared,
  later: Compared,
): Promise<{ comparison: Comparison; continued: { before: string; after: string }[] }> {
  const { pairs, removed, added } = await pairHazards(earlier.result.existingHazards, later.result.existingHazards);
  const [before, after] = [new Map<ExistingHazard, string>(), new Map<ExistingHazard, string>()];
  for (const [at, pair] of pairs.entries()) {
    before.set(pair.before, `pair ${at}`);
    after.set(pair.after, `pair ${at}`);
  }
  for (const [at, hazard] of removed.entries()) before.set(hazard, `removed ${at}`);
  for (const [at, hazard] of added.entries()) after.set(hazard, `added ${at}`);
  const partsOf = ({ result }: Compared, identity: ReadonlyMap<ExistingHazard, string>) => ({
    findings: result.findings,
    hazards: result.existingHazards,
    identity,
  });
  const { findings, continued } = await compareFindings(partsOf(earlier, before), partsOf(later, after));
  const comparison = {
    before: describeSide(earlier),
    after: describeSide(later),
    hazards: {
      added: added.map(named),
      removed: removed.map(named),
      rerated: (await inSlices(pairs, rerate)).flat(),
      renumbered: pairs.flatMap(({ before: one, after: other }) =>
        sameId(one.id) === sameId(other.id) || /^row \d+$/.test(one.id) ? [] : [{ ...named(other), idBefore: one.id }],
      ),
      renamed: pairs.flatMap(({ before: one, after: other }) =>
        one.name === other.name ? [] : [{ ...named(other), nameBefore: one.name }],
      ),
    },
    findings,
  };
  return { comparison, continued };
}
