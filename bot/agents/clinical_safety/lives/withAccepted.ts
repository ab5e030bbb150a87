import { FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
import type { Comparison } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { seenAs } from './carryLives.ts';

/** Ids of the findings of an analysis that are accepted, and whose value is still the accepted one. */
async function readAccepted(accountId: number, analysisId: number, findings: readonly Finding[]): Promise<Set<string>> {
  const lives = await FindingLife.find({ accountId, analyses: analysisId, accepted: { $ne: null } }).lean();
  const byName = new Map(
    lives.flatMap(({ seenAs: names, accepted }) => names.map((name) => [name, accepted] as const)),
  );
  return new Set(
    findings.flatMap(({ id, found, expected }) => {
      const accepted = byName.get(seenAs(analysisId, id));
      return accepted && accepted.found === found && accepted.expected === expected ? [id] : [];
    }),
  );
}

/** A comparison in which the findings that people accepted no longer count as open. */
export async function withAccepted(accountId: number, comparison: Comparison): Promise<Comparison> {
  const { open } = comparison.findings;
  const accepted = await readAccepted(accountId, comparison.after.id, open);
  return {
    ...comparison,
    findings: {
      ...comparison.findings,
      open: open.filter(({ id }) => !accepted.has(id)),
      accepted: open.filter(({ id }) => accepted.has(id)),
    },
  };
}
