import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { TicketMatch, type TicketMatchRow } from '../../../../models/clinical_safety/ticketMatch.ts';
import type { AnalysisResult, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { digestOf } from '../../../engine/interrupts/digest.ts';
import { sameId } from '../reading/readHazards.ts';
import { changeVerdicts } from '../results/changeVerdicts.ts';
import { readCompanyResult, readSampleResult } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';
import { makeIdFinder } from './findIdNow.ts';
import { takeBack } from './takeBack.ts';

/** A decision that a result must not count, and the hazards of that ticket that people confirmed. */
type Lapsed = { ticketKey: string; hazardId: string; others: string[] };

/**
 * Makes a result count no ticket as covered by a decision that does not hold: one that was taken back, or that a later
 * answer replaced. Whoever writes a result calls it afterwards, and whoever takes a decision back calls it after that,
 * so that of two at once one sees the other.
 * @param alsoTakenBack a decision that is about to be taken back
 * @returns the result after the change
 * @throws AppError expired where the result is no longer kept
 */
export async function uncover(
  analysis: HazardAnalysisRow,
  alsoTakenBack?: TicketMatchRow['_id'],
): Promise<AnalysisResult> {
  const { accountId } = analysis;
  const result = await loadResult(analysis);
  const covered = result.tickets.filter(({ coveredBy }) => coveredBy === 'person');
  if (covered.length === 0) return result;
  const ticketKeys = covered.map(({ key }) => key.toUpperCase());
  const rows = await TicketMatch.find({ accountId, ticketKey: { $in: ticketKeys } }).lean();
  const holds = ({ _id, covers, takenBack }: TicketMatchRow) =>
    covers && !takenBack && String(_id) !== String(alsoTakenBack);
  if (rows.every(holds)) return result;
  const byTicket = new Map<string, TicketMatchRow[]>();
  for (const row of rows) byTicket.set(row.ticketKey, [...(byTicket.get(row.ticketKey) ?? []), row]);
  const findIdNow = makeIdFinder(result.existingHazards);
  const lapsed = covered.flatMap((ticket) =>
    findLapsed(ticket, byTicket.get(ticket.key.toUpperCase()) ?? [], holds, findIdNow),
  );
  if (lapsed.length === 0) return result;
  return changeVerdicts(analysis, `uncovered-${digestOf(lapsed)}`, (tickets) =>
    lapsed.reduce<TicketVerdict[]>((verdicts, one) => takeBack(verdicts, one, one.others), [...tickets]),
  );
}

function findLapsed(
  { key, hazardIds }: TicketVerdict,
  own: readonly TicketMatchRow[],
  holds: (row: TicketMatchRow) => boolean,
  findIdNow: (row: TicketMatchRow) => string,
): Lapsed[] {
  const others = own.filter(holds).map(findIdNow);
  const confirmed = new Set(others.map(sameId));
  const isConfirmed = hazardIds.some((id) => confirmed.has(sameId(id)));
  return own.flatMap((row) => {
    const hazardId = findIdNow(row);
    // A hazard that was ruled out may be named by a link, beside the one that was confirmed.
    const isLapsed = !holds(row) && !confirmed.has(sameId(hazardId)) && (row.covers || !isConfirmed);
    return isLapsed ? [{ ticketKey: key, hazardId, others }] : [];
  });
}

/**
 * Works on the newest result, and on the newest one of a sample, whose tickets people decide on too. Where there is none,
 * or it is no longer kept, nothing counts a decision.
 */
export async function inNewestResult(
  accountId: number,
  work: (newest: HazardAnalysisRow) => Promise<unknown>,
): Promise<void> {
  const [own, sample] = await Promise.all([readCompanyResult(accountId), readSampleResult(accountId)]);
  for (const row of sample && sample._id !== own?._id ? [own, sample] : [own]) {
    if (!row) continue;
    await work(row).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'expired') throw error;
    });
  }
}
