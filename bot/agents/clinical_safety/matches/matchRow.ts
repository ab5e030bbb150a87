import type { ExistingHazard, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { MatchChoice, PossibleMatch } from '../../../../models/contracts/clinical_safety/matches.ts';
import { digestHazard } from '../tickets/matchEvidence.ts';

/** A ticket with possible matches, as a person is asked about it. */
export type MatchRow = {
  /** The ticket's key. */
  id: string;
  summary: string;
  /** Digests of the texts that are judged, kept with the decision. */
  ticketDigest: string;
  /** At least one, best first. */
  possible: PossibleMatch[];
  /** Further hazards to choose from, nearest first. */
  others: { id: string; name: string; digest: string }[];
  /** What was decided on the ticket before, in sentences; null where nothing was. */
  earlier: string | null;
  /** What a language model chose; absent where none was asked. */
  choice?: MatchChoice;
};

/** Whether a person has to be asked about a ticket: it is relevant, nothing covers it, and a hazard may. */
const isAsked = ({ relevance, coveredBy, possible }: TicketVerdict): boolean =>
  relevance === 'relevant' && coveredBy === null && (possible?.length ?? 0) > 0;

const bestScore = ({ possible }: TicketVerdict) => possible?.[0]?.score ?? 0;

/** A ticket for which a model chose a hazard comes before one without a choice, and one that it says has none last. */
const placeOfChoice = ({ choice }: TicketVerdict): number => (choice ? (choice.hazardId === null ? 2 : 0) : 1);

/** The tickets to ask about, in order: those asked again first, then by what a model chose, then the nearest. */
export const orderAsked = (tickets: readonly TicketVerdict[]): TicketVerdict[] => {
  const isAgain = ({ possible }: TicketVerdict) => Number(possible?.some(({ before }) => before) ?? false);
  return tickets
    .filter(isAsked)
    .sort(
      (a, b) =>
        isAgain(b) - isAgain(a) ||
        placeOfChoice(a) - placeOfChoice(b) ||
        bestScore(b) - bestScore(a) ||
        a.key.localeCompare(b.key),
    );
};

/** The rows of a question about tickets. */
export function makeMatchRows(
  tickets: readonly TicketVerdict[],
  hazards: readonly ExistingHazard[],
  describeEarlier: (ticket: TicketVerdict) => string | null,
): MatchRow[] {
  const byId = new Map(hazards.map((hazard) => [hazard.id, hazard]));
  return tickets.map((ticket) => ({
    id: ticket.key,
    summary: ticket.summary,
    ticketDigest: ticket.digest ?? '',
    possible: ticket.possible ?? [],
    others: (ticket.others ?? []).flatMap((id) => {
      const hazard = byId.get(id);
      return hazard ? [{ id, name: hazard.name, digest: digestHazard(hazard) }] : [];
    }),
    earlier: describeEarlier(ticket),
    ...(ticket.choice ? { choice: ticket.choice } : {}),
  }));
}
