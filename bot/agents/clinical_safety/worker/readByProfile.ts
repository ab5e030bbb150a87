import { likeness } from '../reading/headingKeys.ts';
import type { ReadLog } from '../reading/logModel.ts';
import type { OpenedFile } from '../reading/openFile.ts';
import { readLogFrom } from '../reading/readLog.ts';
import type { KnownProfile } from './jobs.ts';

/**
 * Reads a log as the company's profile of an earlier version settles it: the most similar profile; of equal ones the
 * first. The identity is that of the log as it stands, before any choice. Null where the file has no log.
 */
export function readByProfile(
  opened: OpenedFile,
  fileName: string,
  profiles: readonly KnownProfile[],
): { log: ReadLog; identity: ReadLog['identity']; profile: KnownProfile | null } | null {
  const log = readLogFrom(opened, fileName);
  if (!log) return null;
  const { identity } = log;
  const [nearest] = profiles
    .map((profile) => ({ profile, score: likeness(profile, identity) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  if (!nearest) return { log, identity, profile: null };
  const { profile } = nearest;
  return { log: readLogFrom(opened, fileName, profile.settled) ?? log, identity, profile };
}
