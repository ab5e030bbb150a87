import { baseUrl } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/** Warns an owner that few credits are left. */
export const creditsLow = ({ remaining, company }: { remaining: number; company: string }): Mail => ({
  subject: `${company} has ${remaining.toLocaleString('en-GB')} credits left`,
  parts: [
    'Work that needs more credits than these won’t start, and Arc says so. Nothing is lost, and questions can still be answered.',
    { link: `${baseUrl()}/#billing`, label: 'See what used the credits' },
  ],
  because: `You get this because you are an owner of ${company}.`,
});
