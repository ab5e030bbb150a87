import { Types } from 'mongoose';
import { hazardReview } from '../../bot/agents/clinical_safety/questions/hazardReview.ts';
import { registerQuestionKind } from '../../bot/engine/questions/kinds/index.ts';
import type { NewHazard } from '../../models/contracts/clinical_safety/proposals.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../models/contracts/preferences.ts';
import type { QuestionRow, QuestionRows } from '../../models/contracts/questionRows.ts';
import type { InterruptRow } from '../../models/interrupt.ts';

// Registers the kinds of questions, so that the questions made here can be drawn and answered.
registerQuestionKind(hazardReview);

/** A proposal. */
export function makeProposal(overrides: Partial<NewHazard> = {}): NewHazard {
  return {
    id: 'p1',
    proposedId: 'H1',
    kbId: 'MED-02',
    category: 'Medicines',
    candidates: [{ kbId: 'MED-02', title: 'Wrong dose', category: 'Medicines', score: 3 }],
    sure: true,
    values: {
      name: 'Wrong dose shown',
      description: 'The dose on the screen is not the dose that was prescribed.',
      cause: 'Unit conversion',
      clinicalImpact: 'Over- or under-dose',
      controlDesign: 'Show the unit',
      controlTest: 'Conversion tests',
      controlTraining: '',
      controlBusiness: '',
    },
    suggested: { severity: 'Major', likelihood: 'Medium', risk: 3 },
    evidence: [{ ticketKey: 'EX-1', summary: 'Dose in the wrong unit', quote: 'Dose in the wrong unit' }],
    status: 'Proposed – CSO review',
    ...overrides,
  };
}

/** A pending question. */
export function makeInterrupt(overrides: Partial<InterruptRow> = {}): InterruptRow {
  return {
    _id: 1,
    accountId: 1,
    userAgentId: 1,
    agentId: 'clinical_safety',
    agentName: 'Clara',
    runId: new Types.ObjectId(),
    conversationId: null,
    askKey: 'run:step:0',
    interruptType: 'approval',
    requires: overrides.interruptType === 'hazard_review' ? 'clinical-safety-officer' : null,
    status: 'pending',
    prompt: 'Shall I?',
    options: [],
    context: {},
    shownDigest: 'digest',
    draft: null,
    userResponse: null,
    answerDigest: null,
    resolution: null,
    outbox: [],
    createdAt: new Date(),
    resolvedAt: null,
    ...overrides,
  };
}

/** The proposals that a review shows. */
export const proposalsOf = (question: { view: Interrupt['view'] } | undefined): QuestionRow[] =>
  question?.view.rows?.rows ?? [];

/** True where a person has to choose one of several kinds for a proposal. */
export const mustChoose = ({ options, choiceIsOptional }: QuestionRow): boolean =>
  options.length > 1 && !choiceIsOptional;

/** A review's rows with the decisions that a mode allows. */
export const rowsUnder = (proposals: readonly NewHazard[], mode: ConsentMode = 'full'): QuestionRows =>
  hazardReview.rows?.({ context: { rows: proposals } }, mode) as QuestionRows;

/** One row of a review. */
export const makeRow = (overrides: Partial<NewHazard> = {}): QuestionRow =>
  rowsUnder([makeProposal(overrides)]).rows[0] as QuestionRow;

/** A point of a question with choices, whose options are their own ids; each is shown on one line of a plant's list. */
export const makeChoicePoint = (id: string, options: readonly string[]) => ({
  id,
  label: `Which ${id} is it?`,
  why: `Two fit, because of the ${id}.`,
  options: options.map((option, at) => ({
    id: option,
    label: option,
    reference: `Column ${at + 1}`,
    text: null,
    examples: [{ title: 'Line 3', gives: `gives ${option}`, quote: `${id} 3`, source: 'Plant A3' }],
  })),
});
