import { type GrantRow, grantFields } from './grant.ts';
import { entity } from './store/entity.ts';

/** What an account has consented to with a connector: one grant each. */
export type ConnectorGrantRow = GrantRow & {
  /** The connector's id. */
  connector: string;
  /** What was consented to, as the provider names it. */
  scopes: string[];
  grantedBy: number;
  /** When consent was given last. */
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
