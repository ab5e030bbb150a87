import type { Types } from 'mongoose';
import type { ChannelReferenceRow } from './channelReference.ts';
import { entity } from './store/entity.ts';

/** How long an owner has to confirm what they began by writing, in seconds. */
const CLAIM_SECONDS = 7 * 86_400;

/**
 * An owner has written from the Teams organisation that the deployment's own registration is of; nothing is connected
 * until an owner of the account confirms it on the web. Read before any account is known, therefore of system scope.
 */
type TenantClaimRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** App and tenant, as an installation's key. */
  key: string;
  /** The owner who wrote. */
  userId: number;
  /** Where they wrote, so that they can be answered there once it is confirmed. */
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
