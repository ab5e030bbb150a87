import type { MergeInput, MergeOutput } from '../jobs.ts';

export async function mergeLog(_input: MergeInput): Promise<MergeOutput> {
  throw new Error('Not yet built.');
}
