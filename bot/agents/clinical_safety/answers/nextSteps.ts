import { isAccepted, type StandingResult } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { HazardAnalysisStatus } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { counted } from '../counted.ts';
import { OWN_TEXTS } from './plainAnswers.ts';

const AGAIN = 'When the log changes, drop in its new version and say “analyse my hazard log”.';
const MERGE = 'Say “merge”: the accepted hazards are written into a new copy of the log.';
const PACK = 'Keep the result: Evidence pack on its page, as a PDF, a workbook or a release file.';

/** What comes after each state of the newest result, in its order; none where the first steps hold. */
const BY_STATUS: Partial<Record<HazardAnalysisStatus, readonly string[]>> = {
  'in-review': ['Decide on the proposals in the review, then say “merge”.'],
  reviewed: [MERGE, PACK, AGAIN],
  'none-accepted': [PACK, AGAIN],
  merged: ['Download the merged log, and make it the current one.', PACK, AGAIN],
  complete: [PACK, AGAIN],
  cancelled: ['Say “analyse my hazard log” to start a new review; its earlier one was withdrawn.', PACK],
};

/**
 * The next steps by what the company has: the first ones without a result, and after one what its state asks for, with
 * the open findings to fix in front of what follows the review.
 */
export function nextSteps(
  latest: { status: HazardAnalysisStatus; result: Pick<StandingResult, 'findings' | 'accepted'> } | null,
): readonly string[] {
  const steps = latest && BY_STATUS[latest.status];
  if (!latest || !steps) return OWN_TEXTS.next ?? [];
  const { result } = latest;
  const toFix = result.findings.filter((finding) => finding.level === 'fix' && !isAccepted(result, finding)).length;
  const [first = '', ...others] = steps;
  const findings = toFix > 0 ? [`Look at the ${counted(toFix, 'finding')} to fix in the log.`] : [];
  return latest.status === 'in-review' ? [first, ...findings, ...others] : [...findings, first, ...others];
}
