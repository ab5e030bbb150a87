import { describeChoice, describeHazardSide } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';

/** The hazards that may cover a ticket, each with its own words and the ticket's; a person has to confirm them. */
export function PossibleMatches({ ticket }: { ticket: TicketVerdict }) {
  const { possible, possibleHazardIds = [], choice, quote, relevance } = ticket;
  if (possibleHazardIds.length === 0)
    return <span className="soft">{relevance === 'relevant' ? 'No hazard' : '–'}</span>;
  // Results of an earlier version name the hazards only.
  if (!possible)
    return (
      <span className="soft">
        Possible: <span className="mono">{possibleHazardIds.join(', ')}</span>
      </span>
    );
  const unsaid = (words: string, side: 'ticketQuote' | 'hazardQuote') =>
    words !== '' && possible.every((match) => match[side] !== words);
  return (
    <>
      {choice ? (
        <p className="soft small">
          {describeChoice(choice)}
          {unsaid(choice.ticketQuote, 'ticketQuote') ? ` The ticket: “${choice.ticketQuote}”` : ''}
          {unsaid(choice.hazardQuote, 'hazardQuote') ? ` The hazard: “${choice.hazardQuote}”` : ''}
        </p>
      ) : null}
      {possible.map((match) => (
        <p key={match.hazardId + match.hazardDigest}>
          <span className="soft">Possible:</span> <span className="mono">{match.hazardId}</span> {match.hazardName}
          <br />
          <span className="soft small">
            {match.hazardQuote ? describeHazardSide(match) : null}
            {match.ticketQuote && match.ticketQuote !== quote ? ` The ticket: “${match.ticketQuote}”` : ''}
          </span>
        </p>
      ))}
    </>
  );
}
