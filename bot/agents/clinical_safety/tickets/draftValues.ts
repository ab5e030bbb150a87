import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { KnowledgeEntry } from '../knowledge/knowledge.ts';
import { failingPart } from './fixWords.ts';

/** At most this many tickets are quoted as causes. */
const MAX_CAUSES = 3;

/**
 * The failure that a ticket describes, verbatim, with its key: its summary, or its quote where the summary tells of the
 * fix.
 * @returns null where both do: a ticket's fix is not a cause
 */
function causeOf({ ticketKey, summary, quote }: NewHazard['evidence'][number]): string | null {
  const fails = failingPart(summary.trim()) ?? failingPart(quote);
  return fails ? `${fails} (${ticketKey})` : null;
}

/** The failures that the first tickets describe, one line each. */
export const ticketCauses = (evidence: NewHazard['evidence']): string[] =>
  evidence.flatMap((one) => causeOf(one) ?? []).slice(0, MAX_CAUSES);

/** The text of a proposal: the knowledge base entry's sentences, with what fails by the tickets as the first causes. */
export function draftValues(entry: KnowledgeEntry, evidence: NewHazard['evidence']): NewHazard['values'] {
  const seen = ticketCauses(evidence);
  const causes = [...seen, ...entry.causes.map((cause) => `Possible: ${cause}`)].map(
    (cause, at) => `${at + 1}) ${cause}`,
  );
  const keys = evidence.slice(0, 6).map(({ ticketKey }) => ticketKey);
  const more = evidence.length > keys.length ? ` and ${evidence.length - keys.length} more` : '';
  return {
    name: entry.title,
    description: `${entry.description} Raised by ${keys.join(', ')}${more}.`,
    cause: causes.join('\n'),
    clinicalImpact: entry.clinicalImpact,
    controlDesign: entry.controls.design,
    controlTest: entry.controls.test,
    controlTraining: entry.controls.training,
    controlBusiness: entry.controls.business,
  };
}
