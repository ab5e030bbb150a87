import type { ExportOutput, HazardJobs } from '../jobs.ts';

export async function exportTickets(_input: HazardJobs['exportTickets']['input']): Promise<ExportOutput> {
  throw new Error('Not yet built.');
}
