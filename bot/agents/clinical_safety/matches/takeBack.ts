import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { sameId } from '../reading/readHazards.ts';

/** A decision that a hazard covers a ticket. */
type Covering = { ticketKey: string; hazardId: string };

const isTicket = ({ key }: TicketVerdict, { ticketKey }: Covering) => key.toUpperCase() === ticketKey.toUpperCase();

/**
 * The verdicts after a decision was taken back: its hazard no longer covers the ticket, and is possible again. A ticket
 * that another hazard covers too stays covered.
 * @param others further hazards that people confirmed for the ticket
 */
export function takeBack(
  tickets: readonly TicketVerdict[],
  decision: Covering,
  others: readonly string[],
): TicketVerdict[] {
  const isIt = (id: string) => sameId(id) === sameId(decision.hazardId);
  return tickets.map((ticket) => {
    if (!isTicket(ticket, decision) || ticket.coveredBy !== 'person' || !ticket.hazardIds.some(isIt)) return ticket;
    const hazardIds = ticket.hazardIds.filter((id) => !isIt(id));
    if (hazardIds.length === 0)
      return { ...ticket, hazardIds, coveredBy: null, possibleHazardIds: ticket.hazardIds.filter(isIt) };
    const isConfirmed = hazardIds.some((id) => others.some((other) => sameId(other) === sameId(id)));
    return { ...ticket, hazardIds, coveredBy: isConfirmed ? 'person' : 'link' };
  });
}

/**
 * The verdicts after the same decision was restored: its hazard covers the ticket again. A ticket with evidence was asked
 * about since, and waits for its answer.
 */
export function restore(tickets: readonly TicketVerdict[], decision: Covering): TicketVerdict[] {
  return tickets.map((ticket) => {
    const { possibleHazardIds, ...verdict } = ticket;
    const possible = possibleHazardIds?.find((id) => sameId(id) === sameId(decision.hazardId));
    const isTakenBack = possible !== undefined && ticket.coveredBy === null && ticket.possible === undefined;
    if (!isTicket(ticket, decision) || !isTakenBack) return ticket;
    return { ...verdict, hazardIds: [possible], coveredBy: 'person' };
  });
}
