import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { Mail } from '../mail.ts';

/** Sends the code that confirms a sign-up. */
export const signUpCode = (code: string): Mail => ({
  subject: 'Your Arc confirmation code',
  parts: [`Your code is ${code}. It expires in ${LIMITS.code.minutes} minutes and can be used once.`, { code }],
  because: 'You get this because somebody signed up with this address. If it was not you, do nothing.',
});
