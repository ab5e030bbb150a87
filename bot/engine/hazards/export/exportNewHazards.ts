import type { ExportOutput, HazardJobs } from '../jobs.ts';

export async function exportNewHazards(_input: HazardJobs['exportNewHazards']['input']): Promise<ExportOutput> {
  throw new Error('Not yet built.');
}
