import { ONBOARDING_STEPS, type OnboardingState } from './account.ts';

export type DashboardTab = 'preferences' | 'team' | 'integrations' | 'billing' | 'chat';

/** The tabs' names, in their order. */
export const TAB_NAMES: Readonly<Record<DashboardTab, string>> = {
  preferences: 'Preferences',
  team: 'Team',
  integrations: 'Integrations',
  billing: 'Billing',
  chat: 'Chat',
};

/** What decides about an account's tabs. */
export type DashboardState = OnboardingState & {
  /** Neither a trial nor a plan is active. */
  locked: boolean;
  /** Whether the arc-chat integration is enabled. */
  chat: boolean;
};

const SETUP: readonly DashboardTab[] = ['preferences', 'team', 'integrations', 'billing'];

/** Tabs that may be opened (docs/spec-coverage.md, S1 section 4). */
export function allowedTabs({ onboardingCompleted, onboardingStep, locked, chat }: DashboardState): DashboardTab[] {
  if (locked) return ['billing'];
  const reached = onboardingCompleted
    ? SETUP
    : SETUP.filter((_tab, at) => at <= ONBOARDING_STEPS.indexOf(onboardingStep));
  return chat ? [...reached, 'chat'] : [...reached];
}

/** Tabs that are shown, whether they may be opened or not. */
export const shownTabs = ({ locked, chat }: DashboardState): DashboardTab[] =>
  chat && !locked ? [...SETUP, 'chat'] : [...SETUP];

/** The tab of an address that names none. */
export function firstTab({ onboardingCompleted, onboardingStep, locked, chat }: DashboardState): DashboardTab {
  if (locked) return 'billing';
  if (onboardingCompleted) return chat ? 'chat' : 'team';
  return onboardingStep === 'completed' ? 'team' : onboardingStep;
}
