import type { ChannelName } from './contracts/channels.ts';
import { type GrantRow, grantFields } from './grant.ts';
import { entity } from './store/entity.ts';

/**
 * A channel as an account installed it: a Slack workspace or organisation, a Teams tenant. Found by the platform's own
 * key before any account is known, therefore of system scope.
 */
export type ChannelInstallationRow = GrantRow & {
  channel: ChannelName;
  /** Slack: team or enterprise id; Teams: app id and tenant. Unique per channel. */
  key: string;
  /** What the platform calls it, for people. */
  name: string;
  installedBy: number;
  /** Who may ask besides members: nobody, everyone of the workspace, or these e-mails. */
  admits: 'members' | 'workspace' | string[];
  createdAt: Date;
  /** When it was installed last; missing on older rows. */
  installedAt?: Date | null;
};

export const ChannelInstallation = entity<ChannelInstallationRow>({
  name: 'ChannelInstallation',
  collection: 'channelInstallations',
  scope: 'system',
  migrations: [{ title: 'a renewal of tokens can be claimed', change: (row) => ({ ...row, renewal: null }) }],
  fields: {
    _id: 'ObjectId',
    accountId: Number,
    channel: String,
    key: String,
    name: String,
    ...grantFields,
    installedBy: Number,
    admits: { type: Object, default: 'members' },
    createdAt: { type: Date, default: Date.now },
    installedAt: { type: Date, default: null },
  },
  indexes: [[{ channel: 1, key: 1 }, { unique: true }], [{ accountId: 1, channel: 1 }]],
});
