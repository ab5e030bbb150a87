import { baseUrl } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/** What an owner gets when few credits are left: once for each time that some were added. */
export const creditsLow = ({ remaining, company }: { remaining: number; company: string }): Mail => ({
  subject: `${company} has ${remaining.toLocaleString('en-GB')} credits left`,
  parts: [
    'Work that needs more than is left is refused and says so. Nothing is lost, and questions can still be answered.',
    { link: `${baseUrl()}/#billing`, label: 'See what used them' },
  ],
  because: `You get this because you are an owner of ${company}.`,
});
