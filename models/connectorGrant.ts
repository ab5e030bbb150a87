import { type GrantRow, grantFields } from './grant.ts';
import { entity } from './store/entity.ts';

/** An account's OAuth grant for a connector; at most one per connector. */
export type ConnectorGrantRow = GrantRow & {
  /** The connector's id. */
  connector: string;
  /** The granted scopes, as the provider names them. */
  scopes: string[];
  grantedBy: number;
  /** When consent was last given. */
  grantedAt: Date;
};

export const ConnectorGrant = entity<ConnectorGrantRow>({
  name: 'ConnectorGrant',
  collection: 'connectorGrants',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    connector: String,
    ...grantFields,
    scopes: [String],
    grantedBy: Number,
    grantedAt: Date,
  },
  indexes: [[{ accountId: 1, connector: 1 }, { unique: true }]],
});
