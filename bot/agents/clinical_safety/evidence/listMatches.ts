import type { TicketMatchRow } from '../../../../models/clinical_safety/ticketMatch.ts';
import type { EvidenceMatch } from '../../../../models/contracts/clinical_safety/evidence.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeIdFinder } from '../matches/findIdNow.ts';
import { sameId } from '../reading/readHazards.ts';
import { digestHazard } from '../tickets/matchEvidence.ts';

const iso = (at: Date) => new Date(at).toISOString();

/**
 * The possible matches of an analysis in the order of its tickets, each with what a person decided, and the decisions
 * on these tickets that no possible match stands for.
 * @param decided the account's decisions, of any analysis
 */
export function listMatches(
  { tickets, existingHazards }: Pick<AnalysisResult, 'tickets' | 'existingHazards'>,
  decided: readonly TicketMatchRow[],
): EvidenceMatch[] {
  const byTicket = new Map<string, TicketMatchRow[]>();
  for (const row of decided) byTicket.set(row.ticketKey, [...(byTicket.get(row.ticketKey) ?? []), row]);
  const idNow = makeIdFinder(existingHazards);
  const standing = new Set(decided.length > 0 ? existingHazards.map(digestHazard) : []);
  return tickets.flatMap(({ key, digest, possible = [] }) => {
    const decisionOf = (row: TicketMatchRow): EvidenceMatch['decision'] => ({
      by: row.by.name,
      at: iso(row.at),
      via: row.via,
      covers: row.covers,
      takenBack: row.takenBack && { by: row.takenBack.name, at: iso(row.takenBack.at) },
      isStale: (digest !== undefined && digest !== row.ticketDigest) || !standing.has(row.hazardDigest),
    });
    const rows = (byTicket.get(key.toUpperCase()) ?? []).map((row) => ({ row, hazardId: idNow(row) }));
    const shown = possible.map(({ hazardId, hazardName, score, ticketQuote, hazardQuote, place }): EvidenceMatch => {
      const own = rows.find((one) => sameId(one.hazardId) === sameId(hazardId));
      const basis = { hazardName, score, ticketQuote, hazardQuote, place };
      return { ticketKey: key, hazardId, basis, decision: own ? decisionOf(own.row) : null };
    });
    const others = rows
      .filter((one) => !possible.some(({ hazardId }) => sameId(hazardId) === sameId(one.hazardId)))
      .map(
        ({ row, hazardId }): EvidenceMatch => ({ ticketKey: key, hazardId, basis: null, decision: decisionOf(row) }),
      );
    return [...shown, ...others];
  });
}
