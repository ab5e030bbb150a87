import { likeness } from '../reading/headingKeys.ts';
import { openFile } from '../reading/openFile.ts';
import { readLogFrom } from '../reading/readLog.ts';
import type { HazardJobs, OpenPointsOutput } from './jobs.ts';

/** So many points are asked about at once; what rests on further ones is to check. */
const MAX_ASKED = 6;

/**
 * Determines what has to be asked before a log is read, and which of the company's profiles is that of an earlier version
 * of it: the likest one, of equals the first.
 * @throws HazardFileError where the file can't be read
 */
export async function findOpenPoints({
  bytes,
  fileName,
  profiles,
}: HazardJobs['findOpenPoints']['input']): Promise<OpenPointsOutput> {
  const opened = await openFile(bytes, fileName);
  const log = readLogFrom(opened, fileName);
  if (!log) return { identity: null, openPoints: [], profileId: null, settled: [] };
  const { identity } = log;
  const [nearest] = profiles
    .map((profile) => ({ profile, score: likeness(profile, identity) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const settled = nearest?.profile.settled ?? [];
  const { openPoints } = nearest ? (readLogFrom(opened, fileName, settled) ?? log) : log;
  return { identity, openPoints: openPoints.slice(0, MAX_ASKED), profileId: nearest?.profile.id ?? null, settled };
}
