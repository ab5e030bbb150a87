import { baseUrl } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/** Sent when a registered address signs up again; the page must not reveal whether an address is registered. */
export const alreadySignedUp = (): Mail => ({
  subject: 'You already have an Arc account',
  parts: [
    'Somebody tried to sign up with this address. You already have an account: log in, or use "Forgot password".',
    { link: `${baseUrl()}/auth`, label: 'Log in' },
  ],
  because: 'You get this because somebody tried to sign up with this address. If it was not you, do nothing.',
});
