import { openFile } from '../reading/openFile.ts';
import type { HazardJobs, OpenPointsOutput } from './jobs.ts';
import { readByProfile } from './readByProfile.ts';

/** At most this many points are asked about at once; findings that rest on further ones are to check. */
const MAX_ASKED = 6;

/**
 * Determines what has to be asked before a log is read, and which of the company's profiles is that of an earlier version
 * of it.
 * @throws HazardFileError where the file can't be read
 */
export async function findOpenPoints({
  bytes,
  fileName,
  profiles,
}: HazardJobs['findOpenPoints']['input']): Promise<OpenPointsOutput> {
  const opened = await openFile(bytes, fileName);
  const read = readByProfile(opened, fileName, profiles);
  if (!read) return { identity: null, openPoints: [], profileId: null, settled: [] };
  const { log, identity, profile } = read;
  return {
    identity,
    openPoints: log.openPoints.slice(0, MAX_ASKED),
    profileId: profile?.id ?? null,
    settled: profile?.settled ?? [],
  };
}
