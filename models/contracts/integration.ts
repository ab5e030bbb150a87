/** The categories of the setup step and the integrations screen, in display order. */
export const INTEGRATION_CATEGORIES = ['Documentation and Process', 'Communication', 'Enterprise'] as const;
export type IntegrationCategory = (typeof INTEGRATION_CATEGORIES)[number];

export type Integration = {
  id: string;
  name: string;
  /** The name of one of the pages' icons. */
  icon: string;
  description: string;
  category: IntegrationCategory;
  /** URL at which connecting starts; absent where there is no OAuth flow. */
  oauthUrl?: string;
  /** Counts as the documentation workspace that onboarding requires. */
  documentation?: boolean;
  /** Counts as the communication channel that onboarding requires. */
  channel?: boolean;
};
