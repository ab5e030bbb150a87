import { entity } from './store/entity.ts';

/** What a company has chosen to be read from a connected tool; at most one per connector. */
type ConnectorScopeRow = {
  accountId: number;
  connector: string;
  /** By the connector's fields. */
  values: Record<string, string>;
  setBy: number;
  setAt: Date;
};

export const ConnectorScope = entity<ConnectorScopeRow>({
  name: 'ConnectorScope',
  collection: 'connectorScopes',
  scope: 'customer',
  fields: { connector: String, values: Object, setBy: Number, setAt: Date },
  indexes: [[{ accountId: 1, connector: 1 }, { unique: true }]],
});
