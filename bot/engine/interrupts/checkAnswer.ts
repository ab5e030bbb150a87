import type { AnswerBody } from '../../../models/contracts/interrupts.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { kindOf } from '../questions/kinds/index.ts';
import type { CheckedAnswer } from '../questions/kinds/kind.ts';

/**
 * Validates an answer against its question; anything that does not match is refused.
 * @throws AppError bad_request naming the faulty field
 */
export const checkAnswer = (row: InterruptRow, answer: AnswerBody): CheckedAnswer =>
  kindOf(row.interruptType).check(row, answer);
