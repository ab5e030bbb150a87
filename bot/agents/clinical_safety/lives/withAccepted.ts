import type { Comparison } from '../../../../models/contracts/clinical_safety/comparison.ts';
import { readAccepted } from './readAccepted.ts';

/** A comparison in which the findings that people accepted no longer count as open. */
export async function withAccepted(accountId: number, comparison: Comparison): Promise<Comparison> {
  const { open } = comparison.findings;
  const accepted = await readAccepted({ accountId, _id: comparison.after.id }, { findings: open });
  return {
    ...comparison,
    findings: {
      ...comparison.findings,
      open: open.filter(({ id }) => accepted[id] === undefined),
      accepted: open.filter(({ id }) => accepted[id] !== undefined),
    },
  };
}
