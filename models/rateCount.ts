import { entity } from './store/entity.ts';

/** Calls of one caller that count against a rate, over all processes. The id is a digest: the caller is not in it. */
type RateCountRow = { _id: string; hits: number; resetAt: Date };

export const RateCount = entity<RateCountRow>({
  name: 'RateCount',
  collection: 'rateCounts',
  scope: 'system',
  fields: { _id: String, hits: Number, resetAt: Date },
  indexes: [[{ resetAt: 1 }, { expireAfterSeconds: 0 }]],
});
