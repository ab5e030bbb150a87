import { entity } from './store/entity.ts';

/** An integration of an account: connected or not, switched on or not. */
type IntegrationSettingRow = {
  accountId: number;
  integrationId: string;
  enabled: boolean;
  authenticated: boolean;
  error: string | null;
};

export const IntegrationSetting = entity<IntegrationSettingRow>({
  name: 'IntegrationSetting',
  collection: 'integrationSettings',
  scope: 'customer',
  fields: {
    integrationId: String,
    enabled: { type: Boolean, default: false },
    authenticated: { type: Boolean, default: false },
    error: { type: String, default: null },
  },
  indexes: [[{ accountId: 1, integrationId: 1 }, { unique: true }]],
});
