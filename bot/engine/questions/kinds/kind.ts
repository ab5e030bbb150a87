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

/** What a kind of question is: how it is drawn on every surface, and how an answer is read from any. */
export type QuestionKind = {
  /** `interruptType` of its rows. */
  id: string;
  /** For people: "Approval". */
  label: string;
  /** Whose answer it needs where a question doesn't say; any approver's where absent. */
  requires?: Requirement;
  /** True where decisions on its rows are kept as they are made. */
  hasDraft?: boolean;
  /** The rows that it is decided on by, as far as the mode lets them leave; absent where it has none. */
  rows?(question: Pick<Asked, 'context'>, mode: ConsentMode): QuestionRows;
  /**
   * Reads the answer that a call carries (specification 2, section 7).
   * @throws AppError bad_request naming the field at fault
   */
  check(row: InterruptRow, answer: AnswerBody): CheckedAnswer;
  /** Refuses what could not be taken whatever is typed with it. @throws AppError */
  requireAnswerable?(question: Asked, answer: AnswerBody): void;
  /** What words answer; null where they don't. */
  readWords?(row: Pick<InterruptRow, 'options'>, text: string): AnswerBody | null;
  /**
   * What a whole message answers, where nothing else waits in its conversation; null where it is no answer. Absent where
   * only words of a known form answer.
   */
  readMessage?(row: Pick<InterruptRow, 'options'>, text: string): AnswerBody | null;
  /** What a surface draws, as far as the mode lets it leave. */
  view(question: Asked, mode: ConsentMode): Omit<QuestionView, 'label' | 'rows'>;
  /** What was answered, in a few words and as far as the mode lets it leave; null where the outcome says it all. */
  answered?(question: Asked, mode: ConsentMode): string | null;
};

/** An answer that does not fit, with the field at fault. */
export const unfit = (field: string, text: string) => new AppError('bad_request', {}, { fields: { [field]: text } });
