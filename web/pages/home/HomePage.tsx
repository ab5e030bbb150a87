import { lazy, Suspense } from 'react';
import { useSession } from '../../data/session.ts';
import { Page } from '../../parts/Page.tsx';
import { SessionEnded } from '../../parts/SessionEnded.tsx';
import { SessionUnknown } from '../../parts/SessionUnknown.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { LandingPage } from '../landing/LandingPage.tsx';
import { FirstWords, hasFirstWords } from './FirstWords.tsx';

const DashboardPage = lazy(async () => ({
  default: (await import('../dashboard/DashboardPage.tsx')).DashboardPage,
}));

/** Home: the dashboard if somebody is signed in, else the landing page. */
export function HomePage() {
  const { loading, user, error, ended } = useSession();
  const waiting = <Page title="Arc">{hasFirstWords ? <FirstWords /> : <Skeleton lines={5} height={20} />}</Page>;
  // Without a session's cookie nobody is signed in, so the landing needs no answer of the server.
  if (loading) return document.documentElement.hasAttribute('data-visitor') ? <LandingPage /> : waiting;
  if (!user && (error || ended)) {
    return (
      <Page title="Arc" narrow>
        {error ? <SessionUnknown /> : <SessionEnded />}
      </Page>
    );
  }
  if (!user) return <LandingPage />;
  return (
    <Suspense fallback={waiting}>
      <DashboardPage user={user} />
    </Suspense>
  );
}
