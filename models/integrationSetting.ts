import { entity } from './store/entity.ts';

/** An account's setting for one integration: whether it is connected and whether it is switched on. */
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
