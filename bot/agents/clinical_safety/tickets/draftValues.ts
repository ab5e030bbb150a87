import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { KnowledgeEntry } from '../knowledge/knowledge.ts';

/** The text of a proposal: the knowledge base entry's sentences, with the tickets as the first causes. */
export function draftValues(entry: KnowledgeEntry, evidence: NewHazard['evidence']): NewHazard['values'] {
  const seen = evidence.slice(0, 3).map(({ ticketKey, summary }) => `${summary.trim()} (${ticketKey})`);
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
