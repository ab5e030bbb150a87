import type { AnswerBody } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionRow, QuestionRows } from '../../../../models/contracts/questionRows.ts';
import type { QuestionView } from '../../../../models/contracts/questionView.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import { approval } from './approval.ts';
import { choices } from './choices.ts';
import { decision } from './decision.ts';
import { input } from './input.ts';
import type { Asked, QuestionKind } from './kind.ts';
import { projectCreated, projectPreview } from './project.ts';
import { describeStep } from './reviewSteps.ts';
import { askerSections, handlingSections, proposedSections } from './sections.ts';
import { toolUse } from './toolUse.ts';
import { unknown } from './unknown.ts';

const KINDS = new Map<string, QuestionKind>(
  [approval, choices, decision, input, projectPreview, projectCreated, toolUse].map((kind) => [kind.id, kind]),
);

/** Registers an agent's kind of question. */
export function registerQuestionKind(kind: QuestionKind): void {
  KINDS.set(kind.id, kind);
}

/** The kind with this id; an unknown kind is answered by its options or in words. */
export const kindOf = (interruptType: string): QuestionKind => KINDS.get(interruptType) ?? unknown;

/** The rows of a question under a consent mode; null where its kind has none. */
export const viewRows = (question: Asked, mode: ConsentMode): QuestionRows | null =>
  kindOf(question.interruptType).rows?.(question, mode) ?? null;

/** The view of a question under a consent mode, to draw: without its rows, which can be thousands. */
export function viewWithoutRows(question: Asked, mode: ConsentMode): Omit<QuestionView, 'rows'> {
  const view = viewAll(question, mode);
  const sections = [...view.sections, ...handlingSections(question, mode)];
  return { ...view, sections, actions: view.actions.filter(({ isOver }) => !isOver) };
}

function viewAll(question: Asked, mode: ConsentMode): Omit<QuestionView, 'rows'> {
  const kind = kindOf(question.interruptType);
  const view = kind.view(question, mode);
  return {
    label: kind.label,
    ...view,
    sections: [...askerSections(question), ...proposedSections(question), ...view.sections],
  };
}

/** The view of a question under a consent mode. */
export const viewQuestion = (question: Asked, mode: ConsentMode): QuestionView => ({
  ...viewAll(question, mode),
  rows: viewRows(question, mode),
});

/** What a step of a review has changed, for whoever took it; null for an answer that is no such step. */
export function describeStepOf(row: InterruptRow, { review }: AnswerBody): string | null {
  const view = kindOf(row.interruptType).rows?.(row, 'reference-only');
  return review && view && review.step !== 'send' ? describeStep(view, row, review) : null;
}

/** All rows of a stored question, with all content; empty where its kind has none. */
export const rowsOf = ({ interruptType, context }: Pick<InterruptRow, 'interruptType' | 'context'>): QuestionRow[] =>
  kindOf(interruptType).rows?.({ context }, 'full').rows ?? [];

/**
 * Refuses an action before anything is typed, where no input could make its answer valid.
 * @throws AppError as the kind says, e.g. review_begun
 */
export const requireAnswerable = (question: Asked, answer: AnswerBody): void =>
  kindOf(question.interruptType).requireAnswerable?.(question, answer);
