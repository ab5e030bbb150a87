import type { Types } from 'mongoose';
import type { ChannelName } from './contracts/channels.ts';
import { entity } from './store/entity.ts';

/** Who a platform user is, as the platform last said; never decided by a display name. */
export type ChannelIdentityRow = {
  _id: Types.ObjectId;
  accountId: number;
  channel: ChannelName;
  /** The platform's id of the user, with its workspace. */
  platformId: string;
  /** Lower case; null where the platform gives none. */
  email: string | null;
  name: string;
  /** A guest, or of another organisation: a stranger whatever the e-mail says. */
  stranger: boolean;
  /** The member whose verified e-mail it is. */
  userId: number | null;
  refreshedAt: Date;
  /** Which part of the inbox they look at there, where the channel has one; null for what waits. */
  inboxFilter?: string | null;
};

export const ChannelIdentity = entity<ChannelIdentityRow>({
  name: 'ChannelIdentity',
  collection: 'channelIdentities',
  scope: 'customer',
  ownerField: 'userId',
  fields: {
    _id: 'ObjectId',
    channel: String,
    platformId: String,
    email: { type: String, default: null },
    name: String,
    stranger: { type: Boolean, default: false },
    userId: { type: Number, default: null },
    refreshedAt: Date,
    inboxFilter: { type: String, default: null },
  },
  indexes: [[{ accountId: 1, channel: 1, platformId: 1 }, { unique: true }]],
});
