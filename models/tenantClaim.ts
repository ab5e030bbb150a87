import type { Types } from 'mongoose';
import type { ChannelReferenceRow } from './channelReference.ts';
import { entity } from './store/entity.ts';

/** How long an owner has to confirm a claim on the web, in seconds. */
const CLAIM_SECONDS = 7 * 86_400;

/**
 * An owner has written from a Teams organisation under the deployment's own registration. Nothing is connected until an
 * owner of the account confirms it on the web. Read before the account is known, hence system scope.
 */
type TenantClaimRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** App id and tenant id, in the form of an installation's key. */
  key: string;
  /** The owner who wrote. */
  userId: number;
  /** Where they wrote, so that the app can reply there after the confirmation. */
  reference: Omit<ChannelReferenceRow, '_id' | 'accountId' | 'endedAt' | 'refreshedAt' | 'aliveAt'>;
  claimedAt: Date;
};

export const TenantClaim = entity<TenantClaimRow>({
  name: 'TenantClaim',
  collection: 'tenantClaims',
  scope: 'system',
  ownerField: 'userId',
  fields: {
    _id: 'ObjectId',
    accountId: Number,
    key: String,
    userId: Number,
    reference: Object,
    claimedAt: Date,
  },
  indexes: [
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ key: 1 }],
    [{ claimedAt: 1 }, { expireAfterSeconds: CLAIM_SECONDS }],
  ],
});
