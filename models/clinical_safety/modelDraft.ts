import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** What a language model drafted from a few tickets: the same tickets are not asked about and paid for again. */
export type ModelDraftRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** Digest of everything that the model was sent. */
  key: string;
  /** The model that answered: "azure:gpt-5". */
  model: string;
  /** Those that passed the check. */
  drafts: { name: string; cause: string; clinicalImpact: string; tickets: { key: string; quote: string }[] }[];
  /** How many did not. */
  dropped: number;
  at: Date;
};

export const ModelDraft = entity<ModelDraftRow>({
  name: 'ModelDraft',
  collection: 'modelDrafts',
  scope: 'customer',
  fields: {
    key: String,
    model: String,
    drafts: { type: [Object], default: [] },
    dropped: { type: Number, default: 0 },
    at: Date,
  },
  indexes: [[{ accountId: 1, key: 1, model: 1 }, { unique: true }]],
});
