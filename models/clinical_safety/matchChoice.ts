import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** What a language model answered about a ticket and its nearest hazards: the same is not asked and paid for again. */
export type MatchChoiceRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** Digest of everything that the model was sent about the ticket. */
  key: string;
  /** The model that answered: "azure:gpt-5". */
  model: string;
  /** Null where the answer did not pass the check. */
  choice: { hazardId: string | null; ticketQuote: string; hazardQuote: string } | null;
  at: Date;
};

export const MatchChoice = entity<MatchChoiceRow>({
  name: 'MatchChoice',
  collection: 'matchChoices',
  scope: 'customer',
  fields: {
    key: String,
    model: String,
    choice: { type: Object, default: null },
    at: Date,
  },
  indexes: [[{ accountId: 1, key: 1, model: 1 }, { unique: true }]],
});
