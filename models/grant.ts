import type { Types } from 'mongoose';
import type { Sealed } from './store/encrypted.ts';

/** Who asks the provider for new tokens at the moment; `by` is null after a try that failed. */
export type Renewal = { by: string | null; until: Date };

/**
 * What a row carries that holds tokens of another company's service. While `revokedAt` is null the grant is connected;
 * after that an `error` says why it broke, and none means that somebody of the company ended it.
 */
export type GrantRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** The tokens; null inside once the grant has ended. */
  sealed: Sealed;
  revokedAt: Date | null;
  error: string | null;
  renewal: Renewal | null;
};

/** The fields of a grant, for the entity that carries one. */
export const grantFields = {
  sealed: Object,
  revokedAt: { type: Date, default: null },
  error: { type: String, default: null },
  renewal: { type: Object, default: null },
};
