/** How the setup step and the integrations screen group what can be connected, in their order. */
export const INTEGRATION_CATEGORIES = ['Documentation and Process', 'Communication', 'Enterprise'] as const;
export type IntegrationCategory = (typeof INTEGRATION_CATEGORIES)[number];

export type Integration = {
  id: string;
  name: string;
  /** What it is drawn with; the page has a drawing for each. */
  icon: string;
  description: string;
  category: IntegrationCategory;
  /** Where connecting begins; absent where there is no such flow. */
  oauthUrl?: string;
  /** Counts as the documentation workspace of the advance rule. */
  documentation?: boolean;
  /** Counts as the communication channel of the advance rule. */
  channel?: boolean;
};
