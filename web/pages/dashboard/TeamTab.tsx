import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { hire, onboard, putToWork, useAgents } from '../../data/agents.ts';
import { codeOf, textOf } from '../../data/call.ts';
import { pendingToggle, useIntegrations } from '../../data/integrations.ts';
import { showFailure } from '../../data/toasts.ts';
import { count } from '../../data/words.ts';
import { CandidateCard } from '../../parts/agents/CandidateCard.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './DashboardPage.module.css';

/** The agent that somebody new is advised to begin with: the default one, else the first that works; undefined where none does. */
const READY = AGENTS.filter(({ priority, status }) => priority && status === 'working');
const SUGGESTED = READY.find(({ isDefault }) => isDefault) ?? READY[0];

/** All agents of the catalogue, with hiring and onboarding. */
export function TeamTab({ onContinue }: { onContinue: (() => void) | null }) {
  const { data: agents, error, mutate } = useAgents(true);
  const { data: integrations } = useIntegrations(true);
  const [panel, setPanel] = useState<AgentId | null>(() => (pendingToggle()?.agent ?? null) as AgentId | null);
  const [busy, setBusy] = useState<AgentId | null>(null);

  if (error && !agents) {
    return (
      <Notice
        tone="error"
        title="Your team could not be loaded"
        text="Nothing is lost. Check your connection and try again."
        action={<Button onClick={() => void mutate()}>Try again</Button>}
      />
    );
  }
  if (!agents) return <Skeleton lines={5} height={18} />;

  const attempt = async (id: AgentId, work: () => Promise<void>, title: string) => {
    setBusy(id);
    try {
      await work();
    } catch (failure) {
      const code = codeOf(failure);
      showFailure(title, code && code !== 'internal' ? textOf(failure, '') : 'Please try again.');
    }
    setBusy(null);
  };
  const startHire = (id: AgentId) =>
    attempt(
      id,
      async () => {
        await hire(id);
        setPanel(id);
      },
      'Failed to hire agent. Please try again.',
    );
  const startOnboard = (id: AgentId, tools: string[]) =>
    attempt(
      id,
      async () => {
        await onboard(id, tools);
        // The card says that the agent is onboarded.
        setPanel(null);
      },
      'Failed to onboard agent. Please try again.',
    );

  const startSuggested = (id: AgentId) =>
    attempt(
      id,
      async () => {
        await putToWork(id);
        onContinue?.();
      },
      'Failed to onboard agent. Please try again.',
    );

  const onboarded = agents.filter((agent) => agent.status === 'onboarded').length;
  const chat = Boolean(integrations?.['arc-chat']?.enabled);
  return (
    <section>
      <div className={classes.sectionHead}>
        <h2>Your team</h2>
        <span className="soft figures">
          {agents.length === 0 ? 'Nobody hired yet' : `${count(agents.length, 'agent')} hired, ${onboarded} onboarded`}
        </span>
      </div>
      <div className={classes.cards} style={{ alignItems: panel ? 'start' : 'stretch' }}>
        {AGENTS.map((agent) => {
          const own = agents.find((it) => it.agentId === agent.id);
          return (
            <CandidateCard
              key={agent.id}
              agent={agent}
              stage={own?.status ?? 'candidate'}
              signedIn
              suggested={onboarded === 0 && agent === SUGGESTED}
              panelOpen={panel === agent.id}
              busy={busy === agent.id}
              onHire={() => startHire(agent.id)}
              onOpenPanel={() => setPanel(agent.id)}
              onClosePanel={() => setPanel(null)}
              onOnboard={(tools) => startOnboard(agent.id, tools)}
              result={
                own ? (
                  <>
                    <Link to={`/workspace?agent=${own.id}`}>Open the workspace</Link>
                    {chat && agent.status === 'working' ? (
                      <>
                        {' or '}
                        <Link to="/#chat">talk to {agent.displayName}</Link>
                      </>
                    ) : null}
                  </>
                ) : null
              }
            />
          );
        })}
      </div>
      {onContinue ? (
        <div className={classes.continue}>
          <span className="soft">
            {onboarded === 0
              ? `${SUGGESTED ? `${SUGGESTED.displayName} is at work today. ` : ''}You can hire others at any time.`
              : 'Next: give your agents their context.'}
          </span>
          {onboarded === 0 && SUGGESTED ? (
            <div className={classes.choices}>
              <Button variant="default" onClick={onContinue}>
                Skip for now
              </Button>
              <WorkButton busy={busy === SUGGESTED.id} onClick={() => startSuggested(SUGGESTED.id)}>
                Continue with {SUGGESTED.displayName}
              </WorkButton>
            </div>
          ) : (
            <Button onClick={onContinue}>Continue to setup</Button>
          )}
        </div>
      ) : null}
    </section>
  );
}
