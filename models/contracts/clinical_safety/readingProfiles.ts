import { z } from 'zod';
import { endpoint, isoDate } from '../endpoint.ts';
import { settledPoint } from './settledPoint.ts';

/** A point of a log as a person settled it, with its candidates. */
const profilePoint = z.object({
  id: z.string(),
  /** The question: "Which matrix gives the risk?" */
  label: z.string(),
  options: z.array(z.object({ id: z.string(), label: z.string() })),
  /** The id of the chosen option; null where the person did not know. */
  choice: z.string().nullable(),
});
export type ProfilePoint = z.infer<typeof profilePoint>;

/** How the versions of one log are read. */
const readingProfile = z.object({
  id: z.string(),
  /** The file that it was asked about. */
  fileName: z.string(),
  points: z.array(profilePoint),
  /** Who settled it last, and when. */
  by: z.string(),
  at: isoDate,
  /** Raised by every change. */
  version: z.number().int(),
});
export type ReadingProfile = z.infer<typeof readingProfile>;

/** By which choices a log was read, for its result. */
export const readAs = z.object({
  profileId: z.string(),
  by: z.string(),
  at: isoDate,
  points: z.array(z.object({ label: z.string(), answer: z.string() })),
});
export type ReadAs = z.infer<typeof readAs>;

export const listReadingProfiles = endpoint({
  method: 'get',
  path: '/api/reading-profiles',
  summary: 'How the company’s hazard logs are read where they can be read in several ways, the latest first',
  policy: 'signed-in',
  answer: z.object({ mayChange: z.boolean(), profiles: z.array(readingProfile) }),
});

export const changeReadingProfile = endpoint({
  method: 'patch',
  path: '/api/reading-profiles/:id',
  summary: 'Settle points of a log anew, forget its profile, or restore a forgotten one',
  policy: 'signed-in',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
  body: z.object({
    /** The version that was shown; another one is refused with `conflict`. */
    version: z.number().int(),
    points: z.array(settledPoint).max(50).optional(),
    isForgotten: z.boolean().optional(),
  }),
  answer: readingProfile,
});
