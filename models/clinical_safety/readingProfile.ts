import type { Types } from 'mongoose';
import type { ProfilePoint } from '../contracts/clinical_safety/readingProfiles.ts';
import { entity } from '../store/entity.ts';

/** How the versions of one log are read, as people settled it. A forgotten one is kept, so that it can be restored. */
export type ReadingProfileRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** Digest of the log's sheet and headings. */
  key: string;
  sheet: string;
  headings: string[];
  fileName: string;
  points: ProfilePoint[];
  chosenBy: { userId: number | null; name: string };
  chosenAt: Date;
  /** The questions whose answers it holds: each is applied once. */
  interruptIds: number[];
  version: number;
  isForgotten: boolean;
  createdAt: Date;
};

export const ReadingProfile = entity<ReadingProfileRow>({
  name: 'ReadingProfile',
  collection: 'readingProfiles',
  scope: 'customer',
  fields: {
    key: String,
    sheet: String,
    headings: [String],
    fileName: String,
    points: { type: [Object], default: [] },
    chosenBy: { type: Object, default: null },
    chosenAt: { type: Date, default: Date.now },
    interruptIds: { type: [Number], default: [] },
    version: { type: Number, default: 1 },
    isForgotten: { type: Boolean, default: false },
    createdAt: { type: Date, default: Date.now },
  },
  names: [{ name: 'chosenBy.name', userId: 'chosenBy.userId' }],
  indexes: [[{ accountId: 1, key: 1 }, { unique: true }], [{ accountId: 1, chosenAt: -1 }]],
});
