import { digestHazard, digestTicket } from '../../bot/agents/clinical_safety/tickets/matchEvidence.ts';
import type { MatchDecision, TicketRecord } from '../../bot/agents/clinical_safety/worker/jobs.ts';
import type { ExistingHazard } from '../../models/contracts/clinical_safety/hazards.ts';
import type { HazardRow } from './hazardLog.ts';

/** Two hazards of a log, and tickets about them. */
export const ALLERGY: HazardRow = {
  id: 'HAZ01',
  name: 'Allergy is not shown while prescribing',
  description: 'A known allergy is missing from the prescribing screen.',
  causes: '1) The allergy service fails and the panel reads none known',
  impact: 'The patient is given an allergen.',
};
export const DOSE: HazardRow = {
  id: 'HAZ02',
  name: 'Dose is shown wrongly',
  description: 'The dose on the prescription is not the one meant.',
  causes: '1) Unit conversion',
  notes: 'See EPS-77',
};

export const makeTicket = (key: string, summary: string, description = ''): TicketRecord => ({
  key,
  summary,
  description,
});

/** A decision on a ticket and a hazard, with their texts as they are. */
export const makeDecision = (
  ticket: TicketRecord,
  hazard: Pick<ExistingHazard, 'id' | 'name' | 'description' | 'causes' | 'clinicalImpact'>,
  covers = true,
): MatchDecision => ({
  ticketKey: ticket.key,
  hazardId: hazard.id,
  covers,
  ticketDigest: digestTicket(ticket),
  hazardDigest: digestHazard(hazard),
  at: '2026-05-03T10:00:00.000Z',
});
