import type { ExistingHazard, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { MatchChoice, PossibleMatch } from '../../../../models/contracts/clinical_safety/matches.ts';
import { digestHazard } from '../tickets/matchEvidence.ts';

/** A hazard that only the model named, as a possible match: with its quotation, and the cell where that is a cause's. */
function makeNamed(hazard: ExistingHazard, { ticketQuote, hazardQuote }: MatchChoice): PossibleMatch {
  const cause = hazard.causes.find(({ text }) => text.replace(/\s+/g, ' ').includes(hazardQuote));
  return {
    hazardId: hazard.id,
    hazardName: hazard.name,
    score: 0,
    ticketQuote,
    hazardQuote,
    place: cause?.place ?? { sheet: hazard.rows.sheet, cell: `row ${hazard.rows.first}` },
    hazardDigest: digestHazard(hazard),
  };
}

/** The verdict with the chosen hazard first; every other one that was offered stays. */
function withChosen(verdict: TicketVerdict, choice: MatchChoice, hazards: readonly ExistingHazard[]): TicketVerdict {
  const { possible = [], others = [] } = verdict;
  const isChosen = ({ hazardId }: PossibleMatch) => hazardId === choice.hazardId;
  const hazard = hazards.find(({ id }) => id === choice.hazardId);
  const named = possible.some(isChosen) || !hazard ? possible : [...possible, makeNamed(hazard, choice)];
  const ordered = [...named.filter(isChosen), ...named.filter((one) => !isChosen(one))];
  return {
    ...verdict,
    choice,
    possible: ordered,
    possibleHazardIds: [...new Set(ordered.map(({ hazardId }) => hazardId))],
    others: others.filter((id) => id !== choice.hazardId),
  };
}

/**
 * The verdicts after what a model chose, by ticket key. Nothing becomes covered and no hazard goes: the order changes,
 * and a hazard among those to choose from may become possible. A ticket that is covered by now stays as it is.
 */
export const applyChoices = (
  tickets: readonly TicketVerdict[],
  choices: ReadonlyMap<string, MatchChoice>,
  hazards: readonly ExistingHazard[],
): TicketVerdict[] =>
  tickets.map((verdict) => {
    const choice = choices.get(verdict.key);
    const isOpen = verdict.coveredBy === null && (verdict.possible?.length ?? 0) > 0;
    return choice && isOpen ? withChosen(verdict, choice, hazards) : verdict;
  });
