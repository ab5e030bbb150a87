import type { LogHazard } from '../reading/logModel.ts';
import { sameId } from '../reading/readHazards.ts';
import type { ScoredTicket } from './relevance.ts';

/** Matches a possible hazard id in a text. It starts at the start of a word, which keeps the search fast. */
const ID_LIKE = /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{0,30}-?\d{1,6}/g;

/**
 * Makes a lookup of the hazards linked to a ticket: the hazard names the ticket's key, or the ticket the hazard's id.
 */
export function makeLinkLookup(hazards: LogHazard[]): (scored: Pick<ScoredTicket, 'ticket'>) => LogHazard[] {
  const byTicket = new Map<string, LogHazard[]>();
  const byId = new Map<string, LogHazard>();
  for (const hazard of hazards) {
    for (const key of hazard.ticketKeys)
      byTicket.set(key.toUpperCase(), [...(byTicket.get(key.toUpperCase()) ?? []), hazard]);
    // "12" or "H1" can occur in any text by chance; "NRL01" or "HAZ-12" hardly can.
    if (hazard.hasId && /[A-Za-z]/.test(hazard.id) && /\d/.test(hazard.id) && hazard.id.length >= 4)
      byId.set(sameId(hazard.id), hazard);
  }
  return ({ ticket }) => {
    const linked = new Set(byTicket.get(ticket.key.toUpperCase()) ?? []);
    if (byId.size > 0)
      for (const [word] of `${ticket.summary} ${ticket.description}`.matchAll(ID_LIKE)) {
        const hazard = byId.get(sameId(word));
        if (hazard && sameId(word) !== sameId(ticket.key)) linked.add(hazard);
      }
    return [...linked];
  };
}
