import '../../styles/mantineFrame.css';
import { Button, Tabs } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ONBOARDING_STEPS, type OnboardingStep } from '../../../models/contracts/account.ts';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import {
  allowedTabs,
  type DashboardTab,
  firstTab,
  shownTabs,
  TAB_NAMES,
} from '../../../models/contracts/dashboardTabs.ts';
import { integrationsReady } from '../../../models/contracts/integrations.ts';
import { completeStep, useOnboarding } from '../../data/account.ts';
import { useIntegrations } from '../../data/integrations.ts';
import { useTrial } from '../../data/session.ts';
import { showFailure } from '../../data/toasts.ts';
import { Notice } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { WhomToAsk } from '../../parts/WhomToAsk.tsx';
import classes from './DashboardPage.module.css';
import { Desk } from './Desk.tsx';
import { TrialBanner } from './TrialBanner.tsx';

const ChatWindow = lazy(async () => ({ default: (await import('../../parts/chat/ChatWindow.tsx')).ChatWindow }));

const TABS = {
  preferences: async () => ({ default: (await import('./PreferencesTab.tsx')).PreferencesTab }),
  team: async () => ({ default: (await import('./TeamTab.tsx')).TeamTab }),
  integrations: async () => ({ default: (await import('./IntegrationsTab.tsx')).IntegrationsTab }),
  billing: async () => ({ default: (await import('./BillingTab.tsx')).BillingTab }),
};
const PreferencesTab = lazy(TABS.preferences);
const TeamTab = lazy(TABS.team);
const IntegrationsTab = lazy(TABS.integrations);
const BillingTab = lazy(TABS.billing);
const loading = <Skeleton lines={6} height={18} />;
/** What a person opens next is loaded once what they opened has been. */
const LOAD_REST_MS = 2000;

const AUTO_ADVANCE_MS = 2000;

/** The signed-in home: its tabs lead through the onboarding and stay in use after it. */
export function DashboardPage({ user }: { user: SessionUser }) {
  const onboarding = useOnboarding(true);
  const trial = useTrial(true);
  const switches = useIntegrations(true);
  const integrations = switches.data;
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const [plansOpen, setPlansOpen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      // One that can't be loaded now is loaded when it is opened.
      for (const load of Object.values(TABS)) load().catch(() => undefined);
    }, LOAD_REST_MS);
    return () => clearTimeout(timer);
  }, []);

  const error = onboarding.error ?? trial.error ?? switches.error;
  if (error && !(onboarding.data && trial.data && integrations)) {
    return (
      <Page title="Dashboard">
        <Notice
          level={1}
          tone="error"
          title="The dashboard could not be loaded"
          text="Nothing you saved is lost. Check your connection and try again."
          action={
            <Button
              onClick={() => {
                void onboarding.mutate();
                void trial.mutate();
                void switches.mutate();
              }}
            >
              Try again
            </Button>
          }
        />
      </Page>
    );
  }
  if (!onboarding.data || !trial.data || !integrations) {
    return (
      <Page title="Dashboard">
        <PageHead title="Dashboard" />
        <Skeleton lines={6} height={18} />
      </Page>
    );
  }

  const { onboardingCompleted: completed, onboardingStep: step } = onboarding.data;
  const active = trial.data.isTrialActive || trial.data.subscriptionStatus === 'active';
  const locked = !active;
  const chat = Boolean(integrations['arc-chat']?.enabled) && active;
  const state = { ...onboarding.data, locked, chat };
  const shown = shownTabs(state);
  const allowed = allowedTabs(state);
  const asked = hash.slice(1) as DashboardTab;
  const tab = allowed.includes(asked) ? asked : firstTab(state);
  const go = (next: string | null) => navigate({ pathname: '/', search, hash: next ?? '' });

  const finish = async (finished: OnboardingStep) => {
    try {
      const next = await completeStep(finished);
      const at = next.onboardingStep;
      await go(at === 'completed' ? (chat ? 'chat' : 'team') : at);
    } catch {
      showFailure('Failed to update onboarding', 'What you entered is kept. Please try again.');
    }
  };
  const current = (it: OnboardingStep) => !completed && step === it;

  return (
    <Page title="Dashboard">
      <PageHead title="Dashboard" />
      <TrialBanner trial={trial.data} onPlans={() => go('billing')} />
      <Desk user={user} canStart={chat} />
      <Tabs value={tab} onChange={go} keepMounted={false} className={classes.tabs}>
        <Tabs.List className={classes.list} style={{ '--columns': shown.length }}>
          {shown.map((it) => (
            <Tabs.Tab
              key={it}
              value={it}
              disabled={!allowed.includes(it)}
              rightSection={
                !completed && it !== 'chat' && ONBOARDING_STEPS.indexOf(it) < ONBOARDING_STEPS.indexOf(step) ? (
                  <IconCheck size={14} stroke={2.4} color="var(--arc-green)" aria-label="done" />
                ) : null
              }
            >
              {TAB_NAMES[it]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={classes.content} data-blurred={(locked && !plansOpen) || undefined}>
          {locked && !plansOpen ? (
            <div className={classes.overlay}>
              <div className={`card ${classes.overlayCard}`}>
                <h2>Your trial is over</h2>
                <p className="soft">
                  Your workspace, inbox and files stay readable, and you can still answer open questions. To start new
                  work, choose a plan, or ask <WhomToAsk />.
                </p>
                <Button onClick={() => setPlansOpen(true)}>Upgrade</Button>
              </div>
            </div>
          ) : null}
          <div inert={locked && !plansOpen}>
            <Tabs.Panel value="preferences">
              <Suspense fallback={loading}>
                <PreferencesTab user={user} onContinue={current('preferences') ? () => finish('preferences') : null} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="team">
              <Suspense fallback={loading}>
                <TeamTab onContinue={current('team') ? () => finish('team') : null} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="integrations">
              <Suspense fallback={loading}>
                <IntegrationsTab
                  states={integrations}
                  // The switches move before the server has answered: off counts at once, on only once it is saved.
                  ready={integrationsReady(integrations) && onboarding.data.integrationsReady}
                  setup={!completed}
                  onContinue={current('integrations') ? () => finish('integrations') : null}
                />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="billing">
              {current('billing') ? <AutoAdvance onDone={() => finish('billing')} /> : null}
              <Suspense fallback={loading}>
                <BillingTab trial={trial.data} owner={user.roles.includes('owner')} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="chat">
              <Suspense fallback={loading}>
                <ChatWindow user={user} />
              </Suspense>
            </Tabs.Panel>
          </div>
        </div>
      </Tabs>
    </Page>
  );
}

/** Completes the billing step by itself: a trial needs no plan (docs/spec-coverage.md, S1 section 4). */
function AutoAdvance({ onDone }: { onDone: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, two seconds after it is shown
  useEffect(() => {
    const timer = setTimeout(onDone, AUTO_ADVANCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className={classes.advance} role="status">
      Your trial covers everything below. Finishing your setup…
    </p>
  );
}
