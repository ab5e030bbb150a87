import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconUsersGroup } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { useAgents } from '../../data/agents.ts';
import { useTrial } from '../../data/session.ts';
import { Callout, Notice } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { AgentCard, type AgentTab } from './AgentCard.tsx';
import classes from './WorkspacePage.module.css';

/** The account's hired agents, as cards. */
export function WorkspacePage() {
  return (
    <SignInNeeded title="Agent Workspace" text="Please sign in to see your agent workspace." button="Sign In">
      {(user) => <OwnWorkspace user={user} />}
    </SignInNeeded>
  );
}

function OwnWorkspace({ user }: { user: SessionUser }) {
  const { data: agents, error, mutate } = useAgents(true);
  const { data: trial } = useTrial(true);
  const over = trial && !trial.isTrialActive && trial.subscriptionStatus !== 'active';
  const [query] = useSearchParams();
  const asked = Number(query.get('agent')) || null;
  const tab = query.get('tab');
  const isLoaded = Boolean(agents);
  useEffect(() => {
    if (isLoaded && asked) document.getElementById(`agent-${asked}`)?.scrollIntoView({ block: 'start' });
  }, [isLoaded, asked]);

  return (
    <Page title="Agent Workspace">
      <PageHead
        title="Agent Workspace"
        subtitle="Manage your AI team"
        before={
          <Link to="/" className={classes.back}>
            <IconArrowLeft size={16} aria-hidden />
            Back to Dashboard
          </Link>
        }
        actions={
          <Button component={Link} to="/#team" variant="default">
            Hire More Agents
          </Button>
        }
      />
      {error && !agents ? (
        <Notice
          tone="error"
          title="Your agents could not be loaded"
          text="Nothing is lost. Check your connection and try again."
          action={<Button onClick={() => void mutate()}>Try again</Button>}
        />
      ) : !agents ? (
        <Skeleton lines={6} height={18} />
      ) : agents.length === 0 ? (
        <div className="card">
          <Notice
            icon={<IconUsersGroup size={20} />}
            title="Nobody is hired yet"
            text="Your agents, their work and their questions appear here. Hire one to begin."
            action={
              <Button component={Link} to="/#team">
                Choose your team
              </Button>
            }
          />
        </div>
      ) : (
        <div className={classes.list}>
          {over ? (
            <Callout
              tone="waiting"
              title="Your trial is over"
              action={
                <Button component={Link} to="/#billing" variant="default">
                  See plans
                </Button>
              }
            >
              You can still read everything and answer open questions. Choose a plan to start new work.
            </Callout>
          ) : null}
          {agents.map((agent) => (
            <AgentCard key={agent.id} agent={agent} user={user} opening={openingTab(asked === agent.id, tab)} />
          ))}
        </div>
      )}
    </Page>
  );
}

/** The tab that a card opens with: the one in the URL, or else Overview. */
function openingTab(asked: boolean, tab: string | null): AgentTab {
  if (!asked) return 'overview';
  return tab === 'tools' || tab === 'workspace' ? tab : 'overview';
}
