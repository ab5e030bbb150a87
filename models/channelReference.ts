import type { Types } from 'mongoose';
import type { ChannelName } from './contracts/channels.ts';
import { entity } from './store/entity.ts';

/** Where a conversation on a platform can be reached without being spoken to first, as its last activity said. */
export type ChannelReferenceRow = {
  _id: Types.ObjectId;
  accountId: number;
  channel: ChannelName;
  /** The installation's key and the conversation's id, without the thread. */
  key: string;
  installationKey: string;
  conversationId: string;
  kind: 'personal' | 'groupChat' | 'channel';
  /** Where the platform's connector for this conversation answers. */
  serviceUrl: string;
  /** The app's own id in the conversation. */
  botId: string;
  /** In a personal chat: the person's id on the platform and in their directory. */
  userId: string | null;
  directoryId: string | null;
  /** In a channel: its team. */
  teamId: string | null;
  /** Set when the app was removed from the conversation. */
  endedAt: Date | null;
  refreshedAt: Date;
  /** The platform's own time of the newest activity that showed the app in the conversation; missing on older rows. */
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
