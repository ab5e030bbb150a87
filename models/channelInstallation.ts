import type { Types } from 'mongoose';
import type { ChannelName } from './contracts/channels.ts';
import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';

/**
 * A channel as an account installed it: a Slack workspace or organisation, a Teams tenant. Found by the platform's own
 * key before any account is known, therefore of system scope.
 */
export type ChannelInstallationRow = {
  _id: Types.ObjectId;
  accountId: number;
  channel: ChannelName;
  /** Slack: team or enterprise id; Teams: app id and tenant. Unique per channel. */
  key: string;
  /** What the platform calls it, for people. */
  name: string;
  /** Tokens and the like. */
  sealed: Sealed;
  installedBy: number;
  /** Who may ask besides members: nobody, everyone of the workspace, or these e-mails. */
  admits: 'members' | 'workspace' | string[];
  /** Set when the platform took it back. */
  revokedAt: Date | null;
  error: string | null;
  createdAt: Date;
  /** When it was installed last; missing on older rows. */
  installedAt?: Date | null;
};

export const ChannelInstallation = entity<ChannelInstallationRow>({
  name: 'ChannelInstallation',
  collection: 'channelInstallations',
  scope: 'system',
  fields: {
    _id: 'ObjectId',
    accountId: Number,
    channel: String,
    key: String,
    name: String,
    sealed: Object,
    installedBy: Number,
    admits: { type: Object, default: 'members' },
    revokedAt: { type: Date, default: null },
    error: { type: String, default: null },
    createdAt: { type: Date, default: Date.now },
    installedAt: { type: Date, default: null },
  },
  indexes: [[{ channel: 1, key: 1 }, { unique: true }], [{ accountId: 1, channel: 1 }]],
});
