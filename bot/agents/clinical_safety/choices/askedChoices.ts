import type { ExistingHazard, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { digestOf } from '../../../engine/interrupts/digest.ts';
import { CHOOSING_VERSION, type Choosing, cutChoosing } from '../../../engine/thinking/chooseAmong.ts';
import type { TicketRecord } from '../worker/jobs.ts';

/** The criterion for the right candidate, for the model. */
export const CHOOSING_TASK =
  'Each item is a ticket about clinical software; each candidate is a hazard of the same product’s hazard log. A hazard fits where what fails by the ticket is a cause of it, a failure of its controls, or the hazard itself. A shared word or the same part of the product is not enough. A person decides afterwards.';

/** A ticket with its nearest hazards, as a model is asked about them; its id is the digest of all that is sent. */
type AskedChoice = { ticketKey: string; choosing: Choosing };

const textsOf = ({ name, description, clinicalImpact, causes, controls }: ExistingHazard): string[] => [
  name,
  description,
  clinicalImpact,
  ...causes.map(({ text }) => text),
  ...controls.map(({ text }) => text),
];

/**
 * The items that a model is asked about: each ticket with its possible hazards, and the next nearest up to five in all.
 */
export function makeAskedChoices(
  tickets: readonly TicketVerdict[],
  records: readonly TicketRecord[],
  hazards: readonly ExistingHazard[],
): AskedChoice[] {
  const byKey = new Map(records.map((record) => [record.key, record]));
  // Of two hazards under one id the first is meant everywhere that an id is chosen.
  const byId = new Map([...hazards].reverse().map((hazard) => [hazard.id, hazard]));
  return tickets.flatMap(({ key, possible = [], others = [] }) => {
    const record = byKey.get(key);
    if (!record) return [];
    const ids = [...new Set([...possible.map(({ hazardId }) => hazardId), ...others])];
    const candidates = ids.flatMap((id) => {
      const hazard = byId.get(id);
      return hazard ? [{ id, texts: textsOf(hazard) }] : [];
    });
    const { texts, candidates: sent } = cutChoosing({
      id: key,
      texts: [record.summary, record.description],
      candidates: candidates.slice(0, LIMITS.choosing.candidates),
    });
    const id = digestOf([CHOOSING_VERSION, CHOOSING_TASK, texts, sent]);
    return [{ ticketKey: key, choosing: { id, texts, candidates: sent } }];
  });
}
