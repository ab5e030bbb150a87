import { AppError } from '../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireOpen } from './openQuestion.ts';
import { saveDraft } from './saveDraft.ts';

/**
 * Saves the decision on one row of a review that is answered page by page; retries once where another reviewer saved
 * meanwhile.
 * @returns the question with its current draft
 */
export async function keepRow(who: Who, question: Question, row: RowDecision, via: Surface): Promise<Question> {
  const save = async (standing: Question) => {
    const rows = [...(standing.draft?.rows ?? []).filter(({ id }) => id !== row.id), row];
    await saveDraft(who, standing.id, rows, standing.draft?.version ?? 0, undefined, { via });
  };
  try {
    await save(question);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    await save(await requireOpen(who, question.id));
  }
  return requireOpen(who, question.id);
}
