import '../../styles/mantineSignedIn.css';
import { Suspense } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { WEB_AGENTS } from '../../agents/index.ts';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';

/** A page that an agent brings at an address of its own; for any other address, that there is no such page. */
export function AnyOtherPage() {
  const { pathname } = useLocation();
  for (const { path, title, subject, Page } of WEB_AGENTS.flatMap(({ routes = [] }) => routes)) {
    const found = matchPath(`/${path}`, pathname);
    if (!found) continue;
    return (
      <SignInNeeded title={title} text={`Please sign in to see ${subject}.`} button="Sign In">
        {(user) => (
          <Suspense fallback={null}>
            <Page key={found.pathname} user={user} params={found.params} />
          </Suspense>
        )}
      </SignInNeeded>
    );
  }
  return <NotFoundPage />;
}
