import { removeExpiredFiles } from '../models/files.ts';
import { dangerouslyRunInEveryAccount } from '../models/store/context.ts';
import type { Job } from './job.ts';

/** Removes the bytes of files past their 90 days, in every account. */
export const expireFiles: Job = {
  name: 'expireFiles',
  every: '1 hour',
  run: () => dangerouslyRunInEveryAccount(() => removeExpiredFiles()),
};
