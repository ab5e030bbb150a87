import type { ExistingHazard, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { additionOf } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { Entity, Relation } from '../../../engine/queries/entity.ts';
import { phrases } from '../../../engine/queries/phrases.ts';

/** The kinds of row of a result, opened when one is asked for. */
export type Kinds = Record<'hazards' | 'findings' | 'tickets' | 'controls' | 'causes', () => Entity>;

type OfHazard = { hazardId: string | null };

const idOf = (hazard: unknown) => [(hazard as ExistingHazard).id];
const hazardIdOf = (row: unknown) => [(row as OfHazard).hazardId ?? ''];

/** The hazard of a finding, a control or a cause. */
export const ofHazard = ({ hazards }: Kinds): Relation<OfHazard> => ({
  ...{ id: 'hazard', verb: 'belong', before: 'to', to: hazards },
  keys: ({ hazardId }) => (hazardId ? [hazardId] : []),
  keysOf: idOf,
});

/** What belongs to a hazard. */
export const ofHazardRow = ({ findings, tickets, controls, causes }: Kinds): Relation<ExistingHazard>[] => {
  const own = (id: string, to: () => Entity): Relation<ExistingHazard> => ({
    ...{ id, to, verb: 'have' },
    keys: (hazard) => [hazard.id],
    keysOf: hazardIdOf,
  });
  return [
    own('control', controls),
    own('cause', causes),
    own('finding', findings),
    {
      ...{ id: 'ticket', to: tickets, verb: 'have' },
      keys: ({ id }) => [id],
      keysOf: (ticket) => (ticket as TicketVerdict).hazardIds,
      links: LINKED,
      unlinks: UNLINKED,
      note: POSSIBLE,
    },
  ];
};

const LINKED = phrases(
  'matched to, matched with, linked to, linked with, covered by, tied to, mapped to, assigned to, that match, matching, that point to, pointing to, belonging to, connected to',
);
const UNLINKED = phrases(
  'not matched to, not matched to any, not linked to, not linked to any, not covered by, not covered by any, matched to no, linked to no, covered by no',
);
const POSSIBLE = 'Possible matches are not counted: ask for “possible matches”.';

/** The hazards that cover a ticket. */
export const ofTicket = ({ hazards }: Kinds): Relation<TicketVerdict> => ({
  ...{ id: 'hazard', to: hazards, verb: 'are', before: 'covered by', links: LINKED, unlinks: UNLINKED, note: POSSIBLE },
  keys: ({ hazardIds }) => hazardIds,
  keysOf: idOf,
});

/** The hazards that a proposal adds to or may repeat, and its tickets. */
export const ofProposal = ({ hazards, tickets }: Kinds): Relation<NewHazard>[] => [
  {
    ...{ id: 'hazard', to: hazards, verb: 'concern' },
    keys: (proposal) => [
      ...(proposal.possibleHazardIds ?? []),
      ...[additionOf(proposal)].flatMap((addition) => addition?.hazardId ?? []),
    ],
    keysOf: idOf,
    note: 'A proposal concerns the hazard that it adds to, and those that may already say the same.',
  },
  {
    ...{ id: 'ticket', to: tickets, verb: 'have' },
    keys: ({ evidence }) => evidence.map(({ ticketKey }) => ticketKey),
    keysOf: (ticket) => [(ticket as TicketVerdict).key],
    links: phrases('based on, resting on, that rest on, backed by, from, supported by'),
  },
];

type Match = { ticketKey: string; hazardId: string };
/** The two sides of a possible match. */
export const ofMatch = (kinds: Kinds): Relation<Match>[] => [
  { ...ofHazard(kinds), verb: 'are', before: 'with' },
  {
    ...{ id: 'ticket', to: kinds.tickets, verb: 'are', before: 'of' },
    keys: ({ ticketKey }) => [ticketKey],
    keysOf: (ticket) => [(ticket as TicketVerdict).key],
  },
];
