import { Suspense } from 'react';
import { useSession } from '../../data/session.ts';
import { later } from '../../parts/later.tsx';
import { Page } from '../../parts/Page.tsx';
import { SessionEnded } from '../../parts/SessionEnded.tsx';
import { SessionUnknown } from '../../parts/SessionUnknown.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { FirstWords, hasFirstWords } from './FirstWords.tsx';

const Landing = later(async () => (await import('../landing/LandingPage.tsx')).LandingPage);
const DashboardPage = later(async () => (await import('../dashboard/DashboardPage.tsx')).DashboardPage);

/** Whether the page is for a visitor: without a session's cookie nobody is signed in. */
const isForVisitor = () => document.documentElement.hasAttribute('data-visitor');

/** Loads what the home page shows first. */
export const loadHome = () => (isForVisitor() ? Landing.load() : DashboardPage.load());

/** Home: the dashboard if somebody is signed in, else the landing page. */
export function HomePage() {
  const { loading, user, error, ended } = useSession();
  const waiting = <Page title="Arc">{hasFirstWords ? <FirstWords /> : <Skeleton lines={5} height={20} />}</Page>;
  const landing = (
    <Suspense fallback={waiting}>
      <Landing />
    </Suspense>
  );
  // The landing needs no answer of the server.
  if (loading) return isForVisitor() ? landing : waiting;
  if (!user && (error || ended)) {
    return (
      <Page title="Arc" narrow>
        {error ? <SessionUnknown /> : <SessionEnded />}
      </Page>
    );
  }
  if (!user) return landing;
  return (
    <Suspense fallback={waiting}>
      <DashboardPage user={user} />
    </Suspense>
  );
}
