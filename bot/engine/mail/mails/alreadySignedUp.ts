import { baseUrl } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/** What a registered address gets for a sign-up: the page does not tell whether it is registered. */
export const alreadySignedUp = (): Mail => ({
  subject: 'You have an Arc account already',
  parts: [
    'Someone asked for a sign-up with this address. You have an account already: log in, or use "Forgot password".',
    { link: `${baseUrl()}/auth`, label: 'Log in' },
  ],
  because: 'You get this because somebody signed up with this address. If it was not you, do nothing.',
});
