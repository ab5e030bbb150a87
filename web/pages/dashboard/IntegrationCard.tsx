import { Button, Switch } from '@mantine/core';
import {
  IconArchive,
  IconBrandFigma,
  IconBrandGithub,
  IconBrandGoogleDrive,
  IconBrandJira,
  IconBrandNotion,
  IconBrandSlack,
  IconBrandTeams,
  IconBrandX,
  IconFolders,
  IconMail,
  IconMessageCircle,
  IconPlug,
  IconTicket,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { Integration, IntegrationState } from '../../../models/contracts/integrations.ts';
import { textOf } from '../../data/call.ts';
import { type ConnectionState, connectionOf, rememberToggle, toggle } from '../../data/integrations.ts';
import { showFailure } from '../../data/toasts.ts';
import { Tag, type TagTone } from '../../parts/Tag.tsx';
import classes from './DashboardPage.module.css';

const icons: Record<string, typeof IconPlug> = {
  sandbox: IconArchive,
  notion: IconBrandNotion,
  googledrive: IconBrandGoogleDrive,
  sharepoint: IconFolders,
  linear: IconTicket,
  jira: IconBrandJira,
  'arc-chat': IconMessageCircle,
  slack: IconBrandSlack,
  teams: IconBrandTeams,
  github: IconBrandGithub,
  figma: IconBrandFigma,
  mailchimp: IconMail,
  twitter: IconBrandX,
};

const badges: Record<ConnectionState, { tone: TagTone; text: string }> = {
  connected: { tone: 'done', text: 'Connected' },
  not_connected: { tone: 'plain', text: 'Not connected' },
  error: { tone: 'error', text: 'Error' },
};

/** One integration: what it is for, how it stands, and its switch. */
export function IntegrationCard({
  integration,
  state,
  salesOnly,
}: {
  integration: Integration;
  state: IntegrationState | undefined;
  salesOnly: boolean;
}) {
  const Icon = icons[integration.id] ?? IconPlug;
  const configured = state?.configured ?? false;
  const badge = badges[connectionOf(integration, state)];

  const change = (enabled: boolean) => {
    if (enabled && !state?.authenticated && integration.oauthUrl) {
      rememberToggle(integration.id, null);
      window.location.assign(integration.oauthUrl);
      return;
    }
    toggle(integration.id, enabled).catch((error: unknown) => {
      showFailure('Toggle Failed', textOf(error, 'Failed to toggle integration'));
    });
  };

  return (
    <article className={`card ${classes.integration} ${salesOnly ? classes.greyed : ''}`} aria-label={integration.name}>
      <div className={classes.integrationHead}>
        <span className={classes.integrationIcon} aria-hidden>
          <Icon size={20} stroke={1.6} />
        </span>
        <h3>{integration.name}</h3>
        {salesOnly ? (
          <Tag>Enterprise</Tag>
        ) : configured ? (
          <Tag tone={badge.tone}>{badge.text}</Tag>
        ) : (
          <Tag>Not configured</Tag>
        )}
      </div>
      <p>{integration.description}</p>
      {state?.error && !salesOnly ? <p role="alert">{state.error}</p> : null}
      <div className={classes.integrationFoot}>
        {salesOnly ? (
          <Button variant="default" disabled fullWidth>
            Contact Sales
          </Button>
        ) : (
          <>
            {integration.id === 'slack' ? <Link to="/slack-agent">Status and setup</Link> : null}
            {integration.id === 'teams' ? <Link to="/teams-bot">Status and setup</Link> : null}
            {integration.id === 'arc-chat' && state?.enabled ? <Link to="/arc-chat">Open the chat</Link> : null}
            <Switch
              ml="auto"
              aria-label={`${integration.name} on`}
              checked={Boolean(state?.enabled) && (state?.authenticated || !integration.oauthUrl)}
              disabled={!configured}
              onChange={(event) => change(event.currentTarget.checked)}
            />
          </>
        )}
      </div>
    </article>
  );
}
