import { AppError } from '../../../../models/contracts/errors.ts';
import type { AnswerBody, Interrupt, Resolution } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionRows } from '../../../../models/contracts/questionRows.ts';
import type { QuestionView } from '../../../../models/contracts/questionView.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import type { Requirement } from '../../../../models/policies/actions.ts';

/** A question as its kind reads it. */
export type Asked = Omit<Interrupt, 'view'>;

export type CheckedAnswer = { userResponse: unknown; outcome: Resolution['outcome'] };

/** A kind of question: how surfaces draw it and how answers are read. */
export type QuestionKind = {
  /** `interruptType` of its rows. */
  id: string;
  /** For people: "Approval". */
  label: string;
  /** True where a program outside Arc may ask it with an access token. Absent: refused. */
  isForPrograms?: boolean;
  /** The role that has to answer by default; any approver where absent. */
  requires?: Requirement;
  /** True where row decisions are saved as a draft. */
  hasDraft?: boolean;
  /** The rows to decide, reduced to what the consent mode allows; absent where there are none. */
  rows?(question: Pick<Asked, 'context'>, mode: ConsentMode): QuestionRows;
  /**
   * Validates the answer of a call (docs/spec-coverage.md, S2 section 7).
   * @throws AppError bad_request naming the faulty field
   */
  check(row: InterruptRow, answer: AnswerBody): CheckedAnswer;
  /**
   * Refuses an action that could not be accepted, whatever is typed with it.
   * @throws AppError
   */
  requireAnswerable?(question: Asked, answer: AnswerBody): void;
  /** The answer that a text stands for; null where it is none. */
  readWords?(row: Pick<InterruptRow, 'options'>, text: string): AnswerBody | null;
  /** A sentence that names the phrases that answer, for people whose words come close. */
  wordsThatAnswer?: string;
  /**
   * The answer that any message stands for while this is the conversation's only pending question; null where it is
   * none. Absent where only known phrases answer.
   */
  readMessage?(row: Pick<InterruptRow, 'options'>, text: string): AnswerBody | null;
  /** The view, reduced to what the consent mode allows. */
  view(question: Asked, mode: ConsentMode): Omit<QuestionView, 'label' | 'rows'>;
  /** The answer in a few words, reduced to what the consent mode allows; null where the outcome says enough. */
  answered?(question: Asked, mode: ConsentMode): string | null;
};

/** The error for an invalid answer, with the faulty field. */
export const unfit = (field: string, text: string) => new AppError('bad_request', {}, { fields: { [field]: text } });
