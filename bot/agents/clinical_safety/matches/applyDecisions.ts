import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';

/** The verdicts after decisions by ticket key: the hazard that covers it, or null where none of the possible ones does. */
export function applyDecisions(
  tickets: readonly TicketVerdict[],
  decided: ReadonlyMap<string, string | null>,
): TicketVerdict[] {
  return tickets.map((ticket) => {
    const hazardId = decided.get(ticket.key);
    const isOpen = ticket.coveredBy === null && (ticket.possibleHazardIds?.length ?? 0) > 0;
    if (hazardId === undefined || !isOpen) return ticket;
    const { possible: _possible, others: _others, choice: _choice, digest: _digest, ...rest } = ticket;
    const { possibleHazardIds: _ids, ...verdict } = rest;
    return hazardId === null
      ? { ...verdict, possibleHazardIds: [] }
      : { ...verdict, hazardIds: [hazardId], coveredBy: 'person' };
  });
}
