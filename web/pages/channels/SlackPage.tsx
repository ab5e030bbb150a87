import { WORKING_AGENTS } from '../../../models/contracts/catalogue.ts';
import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { textOf } from '../../data/call.ts';
import { useIntegrations } from '../../data/integrations.ts';
import { Callout } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './Channels.module.css';
import { useSlackTest } from './channelStatus.ts';
import { EngineStatus } from './EngineStatus.tsx';
import { Fact } from './Fact.tsx';

/** Status, configuration and capabilities of Arc in Slack. */
export function SlackPage() {
  return (
    <SignInNeeded title="Slack agent" text="Please sign in to see how Slack is connected." button="Sign In">
      {() => <Slack />}
    </SignInNeeded>
  );
}

function Slack() {
  const test = useSlackTest();
  const { data: states } = useIntegrations(true);
  const state = states?.slack;
  const [testing, setTesting] = useState(false);
  const [tested, setTested] = useState(false);
  const again = async () => {
    setTesting(true);
    await test.mutate().catch(() => undefined);
    setTested(true);
    setTesting(false);
  };
  return (
    <Page title="Slack agent">
      <PageHead
        title="Slack agent"
        subtitle="Talk to your agents, and answer their questions, in Slack"
        actions={
          <>
            <WorkButton variant="default" busy={testing} onClick={again}>
              Test connection
            </WorkButton>
            {state?.configured && !state.authenticated ? (
              <Button component="a" href="/api/oauth/slack/authorize">
                Connect Slack
              </Button>
            ) : null}
          </>
        }
      />
      <div className={classes.stack}>
        {test.error ? (
          <Callout tone="error" title="The Slack connection could not be tested">
            {textOf(test.error, 'Check your connection and try again.')}
          </Callout>
        ) : state && !state.configured ? (
          <Callout tone="plain" title="Slack is not configured">
            {test.data?.error ?? 'Ask your administrator to set its credentials.'}
          </Callout>
        ) : test.data && !test.data.success ? (
          <Callout tone="error" title="Slack isn’t responding">
            {test.data.error ?? 'Slack gave no reason. Try again in a few minutes.'}
          </Callout>
        ) : test.data && tested ? (
          <Callout tone="done" title="Slack is responding" />
        ) : null}
        <section className={`card ${classes.card}`}>
          <h2>Connection</h2>
          <dl className={classes.facts}>
            <Fact
              name="Status"
              value={state?.authenticated ? 'Connected' : state?.configured ? 'Not connected' : 'Not configured'}
            />
            <Fact name="Switched on" value={state?.enabled ? 'Yes' : 'No'} />
          </dl>
          {state && !state.configured ? (
            <p className="soft">
              The administrator sets <span className="mono">SLACK_CLIENT_ID</span>,{' '}
              <span className="mono">SLACK_CLIENT_SECRET</span> and <span className="mono">SLACK_SIGNING_SECRET</span>{' '}
              on the server.
            </p>
          ) : (
            <p>
              <Link to="/#integrations">Open Integrations</Link>
            </p>
          )}
        </section>
        <EngineStatus />
        <section className={`card ${classes.card}`}>
          <h2>Capabilities</h2>
          <ul>
            <li>Answers direct messages and mentions, in the thread they came in</li>
            <li>Receives files for agents to work on</li>
            <li>Asks for approvals, decisions and reviews with buttons; the first answer counts everywhere</li>
            <li>Sends only counts, ids and a link until the company consents to more</li>
          </ul>
        </section>
        <section className={`card ${classes.card}`}>
          <h2>Slack app configuration</h2>
          <dl className={classes.facts}>
            <Fact name="Events, actions, views, commands" value={`${window.location.origin}/slack/events`} mono />
            <Fact name="Redirect URL" value={`${window.location.origin}/api/oauth/slack/callback`} mono />
          </dl>
        </section>
        <section className={`card ${classes.card}`}>
          <h2>Examples</h2>
          <ul>
            {WORKING_AGENTS.flatMap(({ suggestions = [], examples = [] }) => [
              ...suggestions.map(({ message }) => message),
              ...examples,
            ]).map((message) => (
              <li key={message}>“{message}”</li>
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}
