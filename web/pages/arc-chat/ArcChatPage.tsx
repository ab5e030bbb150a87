import { Button } from '@mantine/core';
import { IconMessageOff } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { useIntegrations } from '../../data/integrations.ts';
import { useTrial } from '../../data/session.ts';
import { ChatWindow } from '../../parts/chat/ChatWindow.tsx';
import { RemoteConversation } from '../../parts/chat/RemoteConversation.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';

/** The chat, as a page. */
export function ArcChatPage() {
  return (
    <SignInNeeded title="Chat" text="Please log in to talk to your agents." button="Go to Login">
      {(user) => <NamedChat user={user} />}
    </SignInNeeded>
  );
}

/** The conversation that the URL names, or else the person's own chat. */
function NamedChat({ user }: { user: SessionUser }) {
  const [query] = useSearchParams();
  const conversation = query.get('conversation');
  if (conversation === null) return <OwnChat user={user} />;
  return (
    <Page title="Chat">
      <PageHead title="Chat" />
      <RemoteConversation key={conversation} id={conversation} />
    </Page>
  );
}

function OwnChat({ user }: { user: SessionUser }) {
  const integrations = useIntegrations(true);
  const trial = useTrial(true);
  const on = integrations.data?.['arc-chat']?.enabled;
  const active = trial.data?.isTrialActive || trial.data?.subscriptionStatus === 'active';
  const known = integrations.data && trial.data;
  return (
    <Page title="Chat">
      <PageHead title="Chat" />
      {(integrations.error || trial.error) && !known ? (
        <Notice
          tone="error"
          title="The chat could not be loaded"
          text="Nothing is lost. Check your connection and try again."
          action={
            <Button
              onClick={() => {
                void integrations.mutate();
                void trial.mutate();
              }}
            >
              Try again
            </Button>
          }
        />
      ) : !known ? (
        <Skeleton lines={6} height={18} />
      ) : !on ? (
        <Notice
          icon={<IconMessageOff size={20} />}
          title="arc-chat is switched off"
          text="Switch it on under Integrations to talk to your agents here."
          action={
            <Button component={Link} to="/#integrations">
              Open Integrations
            </Button>
          }
        />
      ) : !active ? (
        <Notice
          icon={<IconMessageOff size={20} />}
          title="Your trial is over"
          text="Choose a plan to talk to your agents again. Your workspace and files stay readable."
          action={
            <Button component={Link} to="/#billing">
              See plans
            </Button>
          }
        />
      ) : (
        <ChatWindow user={user} />
      )}
    </Page>
  );
}
