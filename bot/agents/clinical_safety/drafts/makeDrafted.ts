import type { ModelDraftRow } from '../../../../models/clinical_safety/modelDraft.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { sameName } from '../reading/readHazards.ts';
import { nextIds } from '../tickets/nextIds.ts';
import { proposalId } from '../tickets/proposals.ts';

type Answer = Pick<ModelDraftRow, 'model' | 'drafts'>;
type Before = Pick<AnalysisResult, 'existingHazards' | 'newHazards' | 'tickets'>;

/** The group of these proposals in a review. */
const CATEGORY = 'Drafted by a language model';

/**
 * The proposals that a model's drafts make: unrated, never sure, with the next free ids. A draft whose name the log, a
 * proposal or another draft has is dropped.
 * @returns the proposals, and how many drafts were dropped
 */
export function makeDrafted(
  { existingHazards, newHazards, tickets }: Before,
  answers: readonly Answer[],
): { proposals: NewHazard[]; dropped: number } {
  const names = new Set([
    ...existingHazards.map(({ name }) => sameName(name)),
    ...newHazards.flatMap(({ values, candidates }) =>
      [values.name, ...candidates.map(({ title }) => title)].map(sameName),
    ),
  ]);
  const all = answers.flatMap(({ model, drafts }) => drafts.map((draft) => ({ model, draft })));
  const fresh = all.filter(({ draft: { name } }) => !names.has(sameName(name)) && names.add(sameName(name)));
  const byKey = new Map(tickets.map((ticket) => [ticket.key, ticket]));
  const taken = [...existingHazards.map(({ id }) => id), ...newHazards.map(({ proposedId }) => proposedId)];
  const ids = nextIds(taken, fresh.length);
  const proposals = fresh.map(({ model, draft: { name, cause, clinicalImpact, tickets: shown } }, at): NewHazard => {
    const keys = shown.map(({ key }) => key);
    return {
      // With its name, so that a rejection of one draft says nothing about another from the same tickets.
      id: proposalId(`drafted:${name}`, keys),
      proposedId: ids[at] ?? '',
      kbId: '',
      category: CATEGORY,
      draftedBy: model,
      candidates: [],
      sure: false,
      values: {
        ...{ name, cause, clinicalImpact, description: `Raised by ${keys.join(', ')}.` },
        ...{ controlDesign: '', controlTest: '', controlTraining: '', controlBusiness: '' },
      },
      evidence: shown.map(({ key, quote }) => ({ ticketKey: key, summary: byKey.get(key)?.summary ?? '', quote })),
      possibleHazardIds: [...new Set(keys.flatMap((key) => byKey.get(key)?.possibleHazardIds ?? []))].slice(0, 5),
      status: 'Proposed – CSO review',
    };
  });
  return { proposals, dropped: all.length - proposals.length };
}
