import { baseUrl } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/**
 * Scheduled work that failed, or that is paused after it failed several times.
 * @param failures in a row that paused it; 0 where it goes on
 */
export const scheduleFailed = (it: { name: string; failures: number; company: string }): Mail => ({
  subject:
    it.failures > 0
      ? `“${it.name}” is paused after ${it.failures} failures in a row`
      : `“${it.name}” failed in ${it.company}`,
  parts: [
    it.failures > 0
      ? 'It does not run until somebody switches it on again.'
      : 'It runs again at its next time. You get another mail only if it goes on failing and is paused.',
    { link: `${baseUrl()}/workspace`, label: 'See why, under “Stay compliant in future”' },
  ],
  because: 'You get this because you scheduled it, or are an owner and whoever did has left.',
});
