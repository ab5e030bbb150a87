import type { Types } from 'mongoose';
import type { TokenScope } from './contracts/tokenScopes.ts';
import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';

/**
 * A token with which a program of the company calls Arc. Read by its hash before any account is known. It ends with the
 * member who made it.
 */
export type AccessTokenRow = {
  _id: Types.ObjectId;
  accountId: number;
  name: string;
  scopes: TokenScope[];
  /** SHA-256 of the secret; the secret itself is shown once and kept nowhere. */
  secretHash: string;
  ending: string;
  /** The encrypted key that signs its webhooks. */
  webhookKey: Sealed;
  madeBy: number;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  /** Never null again once set. */
  revokedAt: Date | null;
};

export const AccessToken = entity<AccessTokenRow>({
  name: 'AccessToken',
  collection: 'accessTokens',
  scope: 'system',
  fields: {
    _id: 'ObjectId',
    accountId: Number,
    name: String,
    scopes: [String],
    secretHash: String,
    ending: String,
    webhookKey: Object,
    madeBy: Number,
    createdAt: { type: Date, default: Date.now },
    lastUsedAt: { type: Date, default: null },
    expiresAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  ownerField: 'madeBy',
  indexes: [[{ secretHash: 1 }, { unique: true }], [{ accountId: 1, revokedAt: 1 }]],
});
