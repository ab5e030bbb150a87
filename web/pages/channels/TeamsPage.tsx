import '../../styles/wholePage.ts';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { textOf } from '../../data/call.ts';
import { Callout } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import classes from './Channels.module.css';
import { downloadTeamsPackage, useTeamsStatus } from './channelStatus.ts';
import { EngineStatus } from './EngineStatus.tsx';
import { Fact } from './Fact.tsx';
import { OwnRegistration } from './OwnRegistration.tsx';
import { WaitingTenants } from './WaitingTenants.tsx';

/** Status, setup and features of Arc in Microsoft Teams. */
export function TeamsPage() {
  return (
    <SignInNeeded title="Microsoft Teams bot" text="Please sign in to see how Teams is connected." button="Sign In">
      {(user) => <Teams isOwner={user.roles.includes('owner')} />}
    </SignInNeeded>
  );
}

function Teams({ isOwner }: { isOwner: boolean }) {
  const status = useTeamsStatus();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    setFault(null);
    try {
      await downloadTeamsPackage();
    } catch (error) {
      setFault(textOf(error, 'Please try again.'));
    }
    setBusy(false);
  };
  const configured = status.data?.appId === 'configured';
  const canRegister = configured && isOwner;
  const { host, protocol, href } = new URL(status.data?.endpoint ?? '/api/messages', window.location.origin);
  return (
    <Page title="Microsoft Teams bot">
      <PageHead
        title="Microsoft Teams bot"
        subtitle="Talk to your agents, and answer their questions, in Teams"
        actions={
          configured ? (
            <Button loading={busy} onClick={save}>
              Download app package
            </Button>
          ) : null
        }
      />
      <div className={classes.stack}>
        {fault ? (
          <Callout tone="error" title="Failed to generate manifest">
            {fault}
          </Callout>
        ) : null}
        {status.data?.error && !configured ? (
          <Callout tone="plain" title="Microsoft Teams is not configured">
            {status.data.error}
          </Callout>
        ) : status.data?.error ? (
          <Callout tone="error" title="Teams is not ready">
            {status.data.error}
          </Callout>
        ) : null}
        <section className={`card ${classes.card}`}>
          <h2>Status</h2>
          {status.error && !status.data ? (
            <Callout tone="error" title="The status could not be read">
              Check your connection and reload the page.
            </Callout>
          ) : !status.data ? (
            <Skeleton lines={2} />
          ) : (
            <dl className={classes.facts}>
              <Fact name="Bot" value={status.data.status === 'active' ? 'Active' : 'Not active'} />
              <Fact name="App id" value={configured ? 'Configured' : 'Not configured'} />
              <Fact name="Messaging endpoint" value={href} mono />
            </dl>
          )}
        </section>
        {canRegister ? <WaitingTenants onConnected={() => void status.mutate()} /> : null}
        <EngineStatus />
        <section className={`card ${classes.card}`}>
          <h2>Setup</h2>
          <ol>
            <li>
              In the Azure portal, create an <strong>Azure Bot</strong> of type Single Tenant with a client secret.
            </li>
            <li>
              Give it the messaging endpoint above, and add <strong>Microsoft Teams</strong> under Channels.
              {protocol === 'https:' ? null : (
                <>
                  {' '}
                  Teams only reaches https addresses: the administrator sets <span className="mono">BASE_URL</span> to
                  one first.
                </>
              )}
            </li>
            <li>
              In its app registration, under Expose an API, set the application ID URI{' '}
              <span className="mono">api://{host}/botid-</span> followed by the app id, add a scope{' '}
              <span className="mono">access_as_user</span>, authorise the two Teams clients{' '}
              <span className="mono">1fec8e78-bce4-4aaf-ab1b-5451cc387264</span> and{' '}
              <span className="mono">5e3ce6c0-2b1f-4285-8d4b-75ee78787346</span> for it, and set the access token
              version to 2.
            </li>
            <li>
              The administrator sets <span className="mono">MICROSOFT_APP_ID</span>,{' '}
              <span className="mono">MICROSOFT_APP_PASSWORD</span> and{' '}
              <span className="mono">MICROSOFT_APP_TENANT_ID</span> on the server and restarts it.
              {canRegister ? ' If your company has its own registration, enter it below instead.' : null}
            </li>
            <li>
              Download the app package, <span className="mono">teams-app-package.zip</span>, and upload it in the Teams
              admin centre.
            </li>
            <li>
              The owner installs the app in Teams, writes to it from the account whose email is verified in Arc, then
              presses <strong>Connect this tenant</strong> on this page. This connects Teams and switches it on under
              Integrations.
            </li>
          </ol>
        </section>
        {canRegister ? <OwnRegistration onConnected={() => void status.mutate()} /> : null}
        <section className={`card ${classes.card}`}>
          <h2>Features</h2>
          <ul>
            <li>Personal chats, group chats and channels where the app is mentioned</li>
            <li>Questions as cards; after the answer a card says who decided, where and when</li>
            <li>Send and receive files in the personal chat</li>
            <li>Find what agents know and ask from any message box, and send any message to an agent</li>
            <li>The inbox as a tab</li>
            <li>Only counts, ids and a link until the company consents to more</li>
          </ul>
        </section>
      </div>
    </Page>
  );
}
