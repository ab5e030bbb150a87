import '../../styles/wholePage.ts';
import { Suspense } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { WEB_AGENTS } from '../../agents/index.ts';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';

const ROUTES = WEB_AGENTS.flatMap(({ routes = [] }) => routes);

/** Loads the agent's page at an address, if there is one. */
export async function loadPageAt(pathname: string): Promise<void> {
  await ROUTES.find(({ path }) => matchPath(`/${path}`, pathname))?.Page.load();
}

/** A page that an agent brings at an address of its own; for any other address, that there is no such page. */
export function AnyOtherPage() {
  const { pathname } = useLocation();
  for (const { path, title, subject, Page } of ROUTES) {
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
