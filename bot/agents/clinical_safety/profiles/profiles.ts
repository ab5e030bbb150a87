import { createHash } from 'node:crypto';
import { ReadingProfile, type ReadingProfileRow } from '../../../../models/clinical_safety/readingProfile.ts';
import type { ProfilePoint } from '../../../../models/contracts/clinical_safety/readingProfiles.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import { isDuplicateKey } from '../../../../models/store/duplicate.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { changing } from '../../../../models/store/revisions.ts';
import type { LogIdentity } from '../reading/headingKeys.ts';
import type { KnownProfile } from '../worker/jobs.ts';

/** At most this many profiles of a company are compared with a log. */
const MAX_PROFILES = 200;

/** How the points of a profile are settled. */
export const settledOf = ({ points }: Pick<ReadingProfileRow, 'points'>): SettledPoint[] =>
  points.map(({ id, choice }) => ({ point: id, choice }));

/** The company's profiles that were not forgotten, those settled last first. */
export const readProfiles = (accountId: number): Promise<ReadingProfileRow[]> =>
  ReadingProfile.find({ accountId, isForgotten: false }).sort({ chosenAt: -1 }).limit(MAX_PROFILES).lean();

/** A profile as a log is compared with it. */
export const knownProfile = (row: ReadingProfileRow): KnownProfile => ({
  id: String(row._id),
  sheet: row.sheet,
  headings: row.headings,
  settled: settledOf(row),
});

/** {@link readProfiles} as a log is compared with them. */
export const readKnownProfiles = async (accountId: number): Promise<KnownProfile[]> =>
  (await readProfiles(accountId)).map(knownProfile);

const keyOf = ({ sheet, headings }: LogIdentity) =>
  createHash('sha256')
    .update(JSON.stringify([sheet, ...headings]))
    .digest('hex');

/** Points with those settled anew in place of the earlier ones. What was forgotten does not come back with an answer. */
const withPoints = ({ points, isForgotten }: ReadingProfileRow, anew: readonly ProfilePoint[]) => [
  ...(isForgotten ? [] : points.filter(({ id }) => !anew.some((point) => point.id === id))),
  ...anew,
];

type Answer = {
  accountId: number;
  /** The profile that the log was read by so far; null where it had none. */
  profileId: string | null;
  identity: LogIdentity;
  fileName: string;
  points: ProfilePoint[];
  chosenBy: ReadingProfileRow['chosenBy'];
  chosenAt: Date;
  interruptId: number;
};

/**
 * Keeps the answer to a question in the log's profile, or begins one. Repeating it changes nothing, also after somebody
 * has changed the profile since.
 * @returns the profile
 */
export async function keepProfile(answer: Answer): Promise<ReadingProfileRow> {
  const { accountId, profileId, identity, fileName, points, chosenBy, chosenAt, interruptId } = answer;
  const key = keyOf(identity);
  const first = {
    accountId,
    key,
    ...identity,
    fileName,
    points,
    chosenBy,
    chosenAt,
    interruptIds: [interruptId],
  };
  return changing(accountId, ['analysis'], async () => {
    const standing = () =>
      ReadingProfile.findOne(profileId ? { _id: profileId, accountId } : { accountId, key }).lean();
    let row = await standing();
    if (!row) {
      // Two analyses of one new log may be answered at once: the second adds to the profile of the first.
      await ReadingProfile.create(first).catch((error: unknown) => {
        if (!isDuplicateKey(error, 'key')) throw error;
      });
      row = await ReadingProfile.findOne({ accountId, key }).lean();
    }
    row = requireRow(row);
    while (!row.interruptIds.includes(interruptId)) {
      const change = {
        $set: { points: withPoints(row, points), fileName, chosenBy, chosenAt, isForgotten: false },
        $push: { interruptIds: interruptId },
        $inc: { version: 1 },
      };
      await ReadingProfile.updateOne({ _id: row._id, accountId, version: row.version }, change);
      row = requireRow(await ReadingProfile.findOne({ _id: row._id, accountId }).lean());
    }
    return row;
  });
}
