import type { Types } from 'mongoose';
import type { ChannelName } from './contracts/channels.ts';
import { entity } from './store/entity.ts';

/** How to send to a platform conversation without a message to reply to, as its last activity described it. */
export type ChannelReferenceRow = {
  _id: Types.ObjectId;
  accountId: number;
  channel: ChannelName;
  /** The installation's key and the conversation's id; without the thread. */
  key: string;
  installationKey: string;
  conversationId: string;
  kind: 'personal' | 'groupChat' | 'channel';
  /** URL of the platform's API for this conversation. */
  serviceUrl: string;
  /** The app's own id in the conversation. */
  botId: string;
  /** In a personal chat: the person's id on the platform, and in the organisation's directory. */
  userId: string | null;
  directoryId: string | null;
  /** In a team channel: the id of the team. */
  teamId: string | null;
  /** When the app was removed from the conversation; null while it is installed. */
  endedAt: Date | null;
  refreshedAt: Date;
  /** The platform's timestamp of the newest activity that proved the app installed here; missing in older rows. */
  aliveAt?: Date | null;
};

export const ChannelReference = entity<ChannelReferenceRow>({
  name: 'ChannelReference',
  collection: 'channelReferences',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    channel: String,
    key: String,
    installationKey: String,
    conversationId: String,
    kind: String,
    serviceUrl: String,
    botId: String,
    userId: { type: String, default: null },
    directoryId: { type: String, default: null },
    teamId: { type: String, default: null },
    endedAt: { type: Date, default: null },
    refreshedAt: Date,
    aliveAt: { type: Date, default: null },
  },
  indexes: [
    [{ accountId: 1, channel: 1, key: 1 }, { unique: true }],
    [{ accountId: 1, installationKey: 1, userId: 1 }],
    [{ accountId: 1, installationKey: 1, directoryId: 1 }],
  ],
});
