import { sweepBytesWithoutRow } from '../models/files.ts';
import { dangerouslyRunInEveryAccount } from '../models/store/context.ts';
import type { Job } from './job.ts';

/** Deletes the bytes that no file's row names, in every account: a crash or a broken upload left them. */
export const sweepBytes: Job = {
  name: 'sweepBytes',
  every: '1 hour',
  run: () => dangerouslyRunInEveryAccount(() => sweepBytesWithoutRow()),
};
