import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CallError, textOf } from '../../data/call.ts';
import { useLive } from '../../data/live.ts';
import { useSession } from '../../data/session.ts';
import { AllQuestions } from '../../parts/inbox/AllQuestions.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Page } from '../../parts/Page.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Toaster } from '../../parts/shell/Toaster.tsx';
import { signInByTeams } from './signInByTeams.ts';

/** The inbox as a tab in Teams; signs the person in with their Teams account. */
export function TeamsTabPage() {
  const [state, setState] = useState<'opening' | 'open' | { fault: string }>('opening');
  useEffect(() => {
    let left = false;
    let stop = () => {};
    signInByTeams().then(
      (ended) => {
        stop = ended;
        if (left) stop();
        else setState('open');
      },
      (error: unknown) => {
        const text = 'This page only works inside Microsoft Teams. Open the inbox on the web instead.';
        if (!left) setState({ fault: error instanceof CallError ? textOf(error, text) : text });
      },
    );
    return () => {
      left = true;
      stop();
    };
  }, []);
  return (
    <main id="main" style={{ padding: '16px 16px 48px' }}>
      {state === 'open' ? <SignedIn /> : state === 'opening' ? <Opening /> : <Fault text={state.fault} />}
      <Toaster />
    </main>
  );
}

function SignedIn() {
  const { user } = useSession();
  useLive(user?.id ?? null);
  return user ? <AllQuestions /> : <Opening />;
}

const Opening = () => (
  <Page title="Inbox">
    <Skeleton lines={4} height={18} />
  </Page>
);

const Fault = ({ text }: { text: string }) => (
  <Page title="Inbox">
    <Notice
      level={1}
      tone="error"
      title="The inbox could not be opened"
      text={text}
      action={
        <Button component="a" href="/agent-inbox" target="_blank" rel="noreferrer">
          Open the inbox on the web
        </Button>
      }
    />
  </Page>
);
