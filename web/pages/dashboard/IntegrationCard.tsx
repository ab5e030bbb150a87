import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { channelOfIntegration } from '../../../models/contracts/channels.ts';
import { type ConnectorCard, missingText } from '../../../models/contracts/connectorCard.ts';
import { findConnector } from '../../../models/contracts/connectors.ts';
import type { Integration } from '../../../models/contracts/integration.ts';
import type { IntegrationState } from '../../../models/contracts/integrations.ts';
import { toolStatus } from '../../../models/contracts/tools.ts';
import { codeOf, textOf } from '../../data/call.ts';
import {
  type ConnectionState,
  connectionOf,
  disconnect,
  rememberToggle,
  setIntegrationEnabled,
} from '../../data/integrations.ts';
import { useSession } from '../../data/session.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { LazyConnectDialog } from '../../parts/connect/LazyConnectDialog.tsx';
import { ScopeDialog } from '../../parts/connect/ScopeDialog.tsx';
import { Tag, type TagTone } from '../../parts/Tag.tsx';
import classes from './DashboardPage.module.css';
import { drawingOf } from './integrationDrawings.ts';

const badges: Record<ConnectionState, { tone: TagTone; text: string }> = {
  connected: { tone: 'done', text: 'Connected' },
  not_connected: { tone: 'plain', text: 'Not connected' },
  error: { tone: 'error', text: 'Error' },
};

/** Disconnects an integration. The toast names the step that is left if the provider did not confirm. */
function disconnectFrom({ id, name }: Integration): void {
  disconnect(id).then(
    (revoked) =>
      showToast({
        title: 'Integration Disconnected',
        message: revoked
          ? `Arc can’t reach ${name} any more.`
          : `Arc has deleted its access, but ${name} didn’t confirm that it has ended. To be sure, remove Arc in the settings of ${name}.`,
        tone: 'done',
      }),
    (error: unknown) => showFailure('Disconnect Failed', textOf(error, `Failed to disconnect ${name}`)),
  );
}

const OWNER_ONLY = 'Only the owner can change this.';

/** One integration: description, status and switch. */
export function IntegrationCard({
  integration,
  state,
  salesOnly,
}: {
  integration: Integration;
  state: IntegrationState | undefined;
  salesOnly: boolean;
}) {
  const Icon = drawingOf(integration);
  const channel = channelOfIntegration(integration.id);
  const page = channel?.page;
  const configured = state?.configured ?? false;
  const badge = badges[connectionOf(integration, state)];

  const connector: ConnectorCard | undefined = findConnector(integration.id);
  const { user } = useSession();
  const owner = user?.roles.includes('owner') ?? false;
  const reconnects = Boolean(state?.error && !state.authenticated && integration.oauthUrl);
  // A broken one is ended too: that deletes what was read with it.
  const disconnects = Boolean(
    connector ? state?.authenticated || reconnects : state?.authenticated && channel?.isRemote,
  );
  const [asked, setAsked] = useState<'consent' | 'scope' | null>(null);
  const leave = () => {
    rememberToggle(integration.id, null);
    if (integration.oauthUrl) window.location.assign(integration.oauthUrl);
  };
  const change = (enabled: boolean) => {
    const connects = enabled && !state?.authenticated;
    // A session can end while the page is open.
    if (!user) {
      showFailure('Authentication Required', `Please sign in to ${connects ? 'connect' : 'manage'} integrations`);
    } else if (connects && !integration.oauthUrl) {
      showFailure('Connection Failed', 'OAuth not supported for this integration');
    } else if (connects && integration.oauthUrl) {
      if (connector) setAsked('consent');
      else leave();
    } else {
      setIntegrationEnabled(integration.id, enabled).catch((error: unknown) => {
        if (codeOf(error) === 'not_signed_in') {
          showFailure('Authentication Required', 'Please sign in to manage integrations');
        } else showFailure('Toggle Failed', textOf(error, 'Failed to toggle integration'));
      });
    }
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
          <Tag>{toolStatus(integration.id) === 'in-preparation' ? 'In preparation' : 'Not configured'}</Tag>
        )}
      </div>
      <p>{integration.description}</p>
      {connector && !configured && !salesOnly && toolStatus(integration.id) === 'working' ? (
        <p className="soft small">{missingText(connector)}</p>
      ) : null}
      {state?.error && !salesOnly ? <p role="alert">{state.error}</p> : null}
      <div className={classes.integrationFoot}>
        {salesOnly ? (
          <Button variant="default" disabled fullWidth>
            Contact Sales
          </Button>
        ) : (
          <>
            {page ? <Link to={page}>Status and setup</Link> : null}
            {integration.id === 'arc-chat' && state?.enabled ? <Link to="/arc-chat">Open the chat</Link> : null}
            {configured && owner && reconnects ? (
              <Button size="xs" variant="default" onClick={() => change(true)}>
                Reconnect
              </Button>
            ) : null}
            {owner && connector?.scoped && state?.authenticated ? (
              <Button size="xs" variant="default" onClick={() => setAsked('scope')}>
                Choose what is read
              </Button>
            ) : null}
            {owner && disconnects ? (
              <Button size="xs" variant="default" onClick={() => disconnectFrom(integration)}>
                Disconnect
              </Button>
            ) : null}
            {owner || salesOnly ? null : <span className="soft small">{OWNER_ONLY}</span>}
            <Switch
              ml="auto"
              aria-label={`${integration.name} on`}
              checked={Boolean(state?.enabled) && (state?.authenticated || !integration.oauthUrl)}
              disabled={!configured || !owner}
              title={owner ? undefined : OWNER_ONLY}
              onChange={(event) => change(event.currentTarget.checked)}
            />
          </>
        )}
      </div>
      <LazyConnectDialog
        card={asked === 'consent' ? (connector ?? null) : null}
        onConnect={leave}
        onCancel={() => setAsked(null)}
      />
      {asked === 'scope' && connector ? (
        <ScopeDialog service={connector.id} name={connector.name} onClose={() => setAsked(null)} />
      ) : null}
    </article>
  );
}
