import '../../styles/wholePage.ts';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Tabs } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { forgetPlace, rememberedPlace, safePlace } from '../../data/nextPlace.ts';
import { refreshSession, refreshStatus, useSession } from '../../data/session.ts';
import { carryOverVisitorTeam } from '../../data/visitorTeam.ts';
import { Page } from '../../parts/Page.tsx';
import { AcceptInvitation } from './AcceptInvitation.tsx';
import classes from './AuthPage.module.css';
import { ForgotPassword } from './ForgotPassword.tsx';
import { LoginForm } from './LoginForm.tsx';
import { SignUpForm } from './SignUpForm.tsx';

/** Log in, sign up, reset the password, or accept an invitation. */
export function AuthPage() {
  const [query, setQuery] = useSearchParams();
  const { user, providers } = useSession();
  const [finishing, setFinishing] = useState(false);
  // A cached session may have ended: redirect only after a fresh read.
  const [checked, setChecked] = useState(false);
  useEffect(() => {
    void refreshStatus().then(() => setChecked(true));
  }, []);
  const navigate = useNavigate();
  const tab = query.get('tab') === 'signup' ? 'signup' : 'login';
  const forgotten = query.get('tab') === 'reset';
  const invitation = query.get('invitation');
  const [remembered] = useState(rememberedPlace);
  const next = safePlace(query.get('next') ?? remembered);
  if (user && checked && !finishing && !invitation) return <Navigate to={next} replace />;

  const enter = async (isNew: boolean) => {
    setFinishing(true);
    forgetPlace();
    await refreshSession();
    // A failure must not stop the sign-up: the team tab shows what is still to be hired.
    if (isNew) await carryOverVisitorTeam().catch(() => undefined);
    await navigate(next, { replace: true });
  };

  return (
    <Page
      title={invitation ? 'Join' : forgotten ? 'Reset your password' : tab === 'signup' ? 'Sign up' : 'Log in'}
      narrow
    >
      <div className={classes.column}>
        <Link to="/" className={classes.back}>
          <IconArrowLeft size={16} aria-hidden />
          Back to Home
        </Link>
        <div className={`card ${classes.panel}`}>
          {invitation ? (
            <AcceptInvitation token={invitation} signedIn={Boolean(user)} onDone={() => enter(false)} />
          ) : forgotten ? (
            <ForgotPassword
              onBack={() => setQuery(queryFor(query, 'login'))}
              onDone={() => setQuery(queryFor(query, 'login'))}
            />
          ) : (
            <>
              <h1 className={classes.title}>{tab === 'signup' ? 'Create your account' : 'Welcome back'}</h1>
              <Tabs value={tab} onChange={(value) => setQuery(queryFor(query, value ?? 'login'))} keepMounted={false}>
                <Tabs.List grow>
                  <Tabs.Tab value="login">Log in</Tabs.Tab>
                  <Tabs.Tab value="signup">Sign up</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="login" pt="lg">
                  <LoginForm
                    providers={providers}
                    next={next}
                    onDone={() => enter(false)}
                    onForgotten={() => setQuery(queryFor(query, 'reset'))}
                  />
                </Tabs.Panel>
                <Tabs.Panel value="signup" pt="lg">
                  <SignUpForm providers={providers} next={next} onDone={() => enter(true)} />
                </Tabs.Panel>
              </Tabs>
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

/** Query that opens a tab and keeps where the login leads. */
function queryFor(query: URLSearchParams, tab: string): Record<string, string> {
  const next = query.get('next');
  return next ? { tab, next } : { tab };
}
