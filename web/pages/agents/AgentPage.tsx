import '../../styles/wholePage.ts';
import { Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { webAgent } from '../../agents/index.ts';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';

/** A page that an agent brings. */
export function AgentPage() {
  const { agentId, path } = useParams();
  const page = webAgent(agentId)?.pages?.find((one) => one.path === path);
  if (!page) return <NotFoundPage />;
  return (
    <SignInNeeded title={page.title} text={`Please sign in to see ${page.subject}.`} button="Sign In">
      {(user) => (
        <Suspense fallback={null}>
          <page.Page user={user} />
        </Suspense>
      )}
    </SignInNeeded>
  );
}
