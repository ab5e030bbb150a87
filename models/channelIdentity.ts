import type { Types } from 'mongoose';
import type { ChannelName } from './contracts/channels.ts';
import { entity } from './store/entity.ts';

/**
 * A user of a platform, as the platform last described them. They are matched to a member by e-mail, never by display
 * name.
 */
export type ChannelIdentityRow = {
  _id: Types.ObjectId;
  accountId: number;
  channel: ChannelName;
  /** The platform's id of the user, prefixed with their workspace or tenant. */
  platformId: string;
  /** Lower case; null where the platform gives none. */
  email: string | null;
  name: string;
  /** A guest or somebody from another organisation: never matched to a member, whatever their e-mail. */
  stranger: boolean;
  /** The member with this e-mail, verified; null for everybody else. */
  userId: number | null;
  refreshedAt: Date;
  /** The filter that they chose in the channel's inbox, where it has one; null shows the pending questions. */
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
