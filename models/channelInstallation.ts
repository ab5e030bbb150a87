import type { ChannelName } from './contracts/channels.ts';
import { type GrantRow, grantFields } from './grant.ts';
import { entity } from './store/entity.ts';

/**
 * A channel that an account has installed: a Slack workspace or organisation, or a Teams tenant. It is looked up by the
 * platform's own key before the account is known, hence system scope.
 */
export type ChannelInstallationRow = GrantRow & {
  channel: ChannelName;
  /** Slack: team or enterprise id; Teams: app id and tenant. Unique per channel. */
  key: string;
  /** The platform's name for the workspace or tenant, for display. */
  name: string;
  installedBy: number;
  /** Who may ask besides members: nobody, everyone of the workspace, or these e-mails. */
  admits: 'members' | 'workspace' | string[];
  createdAt: Date;
  /** When it was last installed; missing in older rows. */
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
