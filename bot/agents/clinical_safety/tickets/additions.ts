import type { Addition, NewHazard, ProposedValues } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { KnowledgeEntry } from '../knowledge/knowledge.ts';
import type { LogHazard } from '../reading/logModel.ts';
import type { JudgedTicket } from './coverage.ts';
import { ticketCauses } from './draftValues.ts';

/**
 * A proposal can be added to one of at most this many hazards; with the entries of the knowledge base they fit every
 * platform's lists.
 */
const MAX_HAZARDS = 3;

const CONTROLS = [
  ['controlDesign', 'design'],
  ['controlTest', 'test'],
  ['controlTraining', 'training'],
  ['controlBusiness', 'business'],
] as const;

/** The words of a hazard that are nearest to one of the tickets. */
function saysOf(hazard: LogHazard, tickets: readonly JudgedTicket[]): Addition['says'] {
  const matches = tickets.flatMap(({ verdict }) => verdict.possible ?? []);
  const [best] = matches.filter(({ hazardId }) => hazardId === hazard.id).sort((a, b) => b.score - a.score);
  return best?.hazardQuote ? { text: best.hazardQuote, place: best.place } : null;
}

/**
 * A proposal as a cause of, or a control for, the hazards of the log that are near to it. A cause is what fails by the
 * tickets; without such words there is none.
 */
export function makeAdditions(
  hazards: readonly LogHazard[],
  entry: KnowledgeEntry,
  evidence: NewHazard['evidence'],
  tickets: readonly JudgedTicket[],
): Addition[] {
  const cause = ticketCauses(evidence).join('\n');
  const controls: Partial<ProposedValues> = Object.fromEntries(
    CONTROLS.flatMap(([field, kind]) => (entry.controls[kind].trim() ? [[field, entry.controls[kind]]] : [])),
  );
  return hazards.slice(0, MAX_HAZARDS).flatMap((hazard) => {
    const { id: hazardId, name: hazardName } = hazard;
    const says = saysOf(hazard, tickets);
    const of = (as: Addition['as'], title: string, values: Partial<ProposedValues>): Addition => ({
      id: `${as}:${hazardId}`,
      as,
      hazardId,
      hazardName,
      values: { name: `${title} ${hazardId}: ${hazardName}`, ...values },
      says,
    });
    return [
      ...(cause ? [of('cause', 'New cause of', { cause })] : []),
      ...(Object.keys(controls).length > 0 ? [of('control', 'New control for', controls)] : []),
    ];
  });
}

/**
 * The hazard that a proposal is proposed as a cause of: the log has one of the same kind, and more than half of the
 * tickets, so both of two, have it as their nearest. Otherwise it is proposed as a new hazard.
 */
export function chooseAddition(
  additions: readonly Addition[],
  sameKind: readonly LogHazard[],
  tickets: readonly JudgedTicket[],
): string | undefined {
  return additions.find(
    ({ as, hazardId }) =>
      as === 'cause' &&
      sameKind.some(({ id }) => id === hazardId) &&
      tickets.filter(({ verdict }) => verdict.possibleHazardIds?.[0] === hazardId).length * 2 > tickets.length,
  )?.id;
}
