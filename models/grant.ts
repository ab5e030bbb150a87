import type { Types } from 'mongoose';
import type { Sealed } from './store/encrypted.ts';

/** The claim on renewing the tokens; `by` is null after a failed attempt, which delays the next one. */
export type Renewal = { by: string | null; until: Date };

/**
 * Fields of a row that holds tokens of another company's service. `revokedAt: null` means connected; otherwise `error`
 * says why the grant broke, or is null where the company ended it.
 */
export type GrantRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** The encrypted tokens; encrypted null once the grant has ended. */
  sealed: Sealed;
  revokedAt: Date | null;
  error: string | null;
  renewal: Renewal | null;
};

/** Schema fields of a grant, for entities that carry one. */
export const grantFields = {
  sealed: Object,
  revokedAt: { type: Date, default: null },
  error: { type: String, default: null },
  renewal: { type: Object, default: null },
};
