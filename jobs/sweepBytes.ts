import { sweepBytesWithoutRow } from '../models/files.ts';
import { dangerouslyRunInEveryAccount } from '../models/store/context.ts';
import type { Job } from './job.ts';

/** Deletes stored bytes without a file row, in every account: left by crashes and interrupted uploads. */
export const sweepBytes: Job = {
  name: 'sweepBytes',
  every: '1 hour',
  run: () => dangerouslyRunInEveryAccount(() => sweepBytesWithoutRow()),
};
