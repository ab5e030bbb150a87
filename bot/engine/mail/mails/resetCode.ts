import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { Mail } from '../mail.ts';

/** Sends the code that resets a password. */
export const resetCode = (code: string): Mail => ({
  subject: 'Your Arc reset code',
  parts: [
    `Your code is ${code}. It expires in ${LIMITS.code.minutes} minutes. If you did not ask for it, do nothing.`,
    { code },
  ],
  because: 'You get this because somebody asked for a new password for this address.',
});
