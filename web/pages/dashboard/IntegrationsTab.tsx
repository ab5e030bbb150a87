import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { IntegrationCategory } from '../../../models/contracts/integration.ts';
import { INTEGRATIONS, type IntegrationState } from '../../../models/contracts/integrations.ts';
import { Callout } from '../../parts/Notice.tsx';
import classes from './DashboardPage.module.css';
import { IntegrationCard } from './IntegrationCard.tsx';
import { SandboxDocuments } from './SandboxDocuments.tsx';

/** Document and communication integrations: a setup step during onboarding, later the list to change them. */
export function IntegrationsTab({
  states,
  ready,
  setup,
  onContinue,
}: {
  states: Record<string, IntegrationState>;
  ready: boolean;
  setup: boolean;
  onContinue: (() => void) | null;
}) {
  const [refused, setRefused] = useState(false);
  const groups: { category: IntegrationCategory; heading: string; note?: string }[] = [
    {
      category: 'Documentation and Process',
      heading: setup ? 'Which tools hold the context for your agents?' : 'Documentation and Process',
      note: 'Step 1',
    },
    {
      category: 'Communication',
      heading: setup ? 'How will you communicate with your agents?' : 'Communication',
      note: 'Step 2',
    },
    { category: 'Enterprise', heading: setup ? 'Additional Enterprise Integrations' : 'Enterprise' },
  ];
  return (
    <section>
      <div className={classes.sectionHead}>
        <h2>{setup ? 'Setup Your Agent Workspace' : 'Integrations'}</h2>
        <span className="soft">
          These apply to your whole company. Ask your administrator to configure missing ones on the server.
        </span>
      </div>
      {groups.map((group) => (
        <div key={group.category} className={classes.section}>
          <div className={classes.sectionHead}>
            <h3>
              {setup && group.note ? <span className="soft">{group.note} </span> : null}
              {group.heading}
            </h3>
          </div>
          <div className={classes.cards}>
            {INTEGRATIONS.filter((it) => it.category === group.category && (it.id !== 'sandbox' || states.sandbox)).map(
              (integration) => (
                <IntegrationCard
                  key={integration.id}
                  integration={integration}
                  state={states[integration.id]}
                  salesOnly={group.category === 'Enterprise' && (setup || !states[integration.id]?.configured)}
                />
              ),
            )}
          </div>
          {group.category === 'Documentation and Process' && (states.sandbox?.enabled || !states.sandbox) ? (
            <SandboxDocuments chat={Boolean(states['arc-chat']?.enabled)} />
          ) : null}
        </div>
      ))}
      {onContinue ? (
        <div className={classes.section}>
          {ready ? (
            <Callout
              tone="done"
              title="Setup Complete!"
              action={<Button onClick={onContinue}>Continue to Billing</Button>}
            >
              Your agents have a place for documents and a way to talk to you.
            </Callout>
          ) : (
            <Callout
              tone={refused ? 'error' : 'plain'}
              title={refused ? 'Complete Integration Setup' : 'Two things are needed'}
              action={
                <Button variant="default" onClick={() => setRefused(true)}>
                  Continue to Billing
                </Button>
              }
            >
              Switch on one documentation workspace (step 1) and one way to communicate (step 2).
            </Callout>
          )}
        </div>
      ) : null}
    </section>
  );
}
