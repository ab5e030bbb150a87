import { lazy, Suspense, useSyncExternalStore } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useLive } from '../../data/live.ts';
import { useSession } from '../../data/session.ts';
import { signingStore } from '../../data/signing.ts';
import { warningStore } from '../../data/warnings.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { Toaster } from './Toaster.tsx';
import { useFocusKept } from './useFocusKept.ts';
import { useScrollKept } from './useScrollKept.ts';

const OAuthReturn = lazy(async () => ({ default: (await import('./OAuthReturn.tsx')).OAuthReturn }));

const UnsentReviews = lazy(async () => ({
  default: (await import('../review/UnsentReviews.tsx')).UnsentReviews,
}));

const WarningDialog = lazy(async () => ({ default: (await import('./WarningDialog.tsx')).WarningDialog }));
const SignDialog = lazy(async () => ({ default: (await import('../inbox/SignDialog.tsx')).SignDialog }));

/** Query parameters of a provider's return; OAuthReturn, loaded only then, reads them. */
const RETURNS = /[?&](oauth|figmaToken|success|error)=/;

/** The frame of every page: header, footer, toasts, and the socket while someone is signed in. */
export function Shell() {
  const { user } = useSession();
  const { search } = useLocation();
  useLive(user?.id ?? null);
  useFocusKept();
  useScrollKept();
  const warns = useSyncExternalStore(warningStore.subscribe, warningStore.current) !== null;
  const signs = useSyncExternalStore(signingStore.subscribe, signingStore.current) !== null;
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      {user ? (
        <Suspense fallback={null}>
          <UnsentReviews />
        </Suspense>
      ) : null}
      <main id="main" tabIndex={-1} style={{ flex: 1, outline: 'none' }}>
        <Outlet />
      </main>
      <Footer />
      <Toaster />
      {warns ? (
        <Suspense fallback={null}>
          <WarningDialog />
        </Suspense>
      ) : null}
      {signs ? (
        <Suspense fallback={null}>
          <SignDialog />
        </Suspense>
      ) : null}
      {RETURNS.test(search) ? (
        <Suspense fallback={null}>
          <OAuthReturn />
        </Suspense>
      ) : null}
    </>
  );
}
