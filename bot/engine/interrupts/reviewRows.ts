import type { NewHazard, ProposedValues, ReviewRow } from '../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireOpen } from './openQuestion.ts';
import { saveDraft } from './saveDraft.ts';

/** The values that a page begins with: what was edited before, else the proposal's with the candidate that was chosen. */
export function valuesShown(proposal: NewHazard, decided: ReviewRow | undefined): ProposedValues {
  const chosen = proposal.candidates.find(({ kbId }) => kbId === decided?.kbId);
  return { ...proposal.values, ...(chosen?.kbId === proposal.kbId ? {} : chosen?.values), ...decided?.values };
}

/**
 * Keeps the decision on one row of a review, where a review is made page by page.
 * @returns the question with the draft as it stands, read again where another reviewer saved in between
 */
export async function keepRow(who: Who, question: Question, row: ReviewRow): Promise<Question> {
  const save = async (standing: Question) => {
    const rows = [...(standing.draft?.rows ?? []).filter(({ id }) => id !== row.id), row];
    await saveDraft(who, standing.id, rows, standing.draft?.version ?? 0);
  };
  try {
    await save(question);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    await save(await requireOpen(who, question.id));
  }
  return requireOpen(who, question.id);
}
