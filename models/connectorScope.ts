import { entity } from './store/entity.ts';

/** What a company has chosen to be read from a connected tool; at most one per connector. */
export type ConnectorScopeRow = {
  accountId: number;
  connector: string;
  /** By the connector's fields. */
  values: Record<string, string>;
  setBy: number;
  setAt: Date;
  /** Cursor to what changed in the documents since they were read completely; absent or null: all are listed. */
  mark?: string | null;
  /** Links to the drafts that were saved there, by their keys, the newest last. */
  saved?: { key: string; url: string }[];
};

export const ConnectorScope = entity<ConnectorScopeRow>({
  name: 'ConnectorScope',
  collection: 'connectorScopes',
  scope: 'customer',
  fields: {
    connector: String,
    values: Object,
    setBy: Number,
    setAt: Date,
    mark: { type: String, default: null },
    saved: { type: [Object], default: [] },
  },
  indexes: [[{ accountId: 1, connector: 1 }, { unique: true }]],
});
