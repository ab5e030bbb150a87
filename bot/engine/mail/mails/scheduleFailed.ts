import { baseUrl } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/**
 * Reports that scheduled work failed, or was paused after several failures.
 * @param it.failures failures in a row that paused the work; 0 while it keeps running
 */
export const scheduleFailed = (it: { name: string; failures: number; company: string }): Mail => ({
  subject:
    it.failures > 0
      ? `“${it.name}” is paused after ${it.failures} failures in a row`
      : `“${it.name}” failed in ${it.company}`,
  parts: [
    it.failures > 0
      ? 'It does not run until somebody switches it on again.'
      : 'It runs again at its next time. You get another mail only if it keeps failing and is paused.',
    { link: `${baseUrl()}/arc-chat`, label: 'See why under “Stay compliant in future”' },
  ],
  because:
    'You get this because you scheduled it, or because you are an owner and the person who scheduled it has left.',
});
