import type { AnswerBody } from '../../../models/contracts/interrupts.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { kindOf } from '../questions/kinds/index.ts';
import type { CheckedAnswer } from '../questions/kinds/kind.ts';

/**
 * Checks an answer against its question; what does not fit is refused, never guessed.
 * @throws AppError bad_request naming the field at fault
 */
export const checkAnswer = (row: InterruptRow, answer: AnswerBody): CheckedAnswer =>
  kindOf(row.interruptType).check(row, answer);
