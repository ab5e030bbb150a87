import '../../styles/mantineSignedIn.css';
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

/** Log in, sign up, and a new password. */
export function AuthPage() {
  const [query, setQuery] = useSearchParams();
  const { user, providers } = useSession();
  const [finishing, setFinishing] = useState(false);
  // Who was signed in a while ago may not be any more: only what is read now leads on from here.
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
    // What the visitor chose is a convenience; the team tab shows what could not be carried over.
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
            <AcceptInvitation token={invitation} onDone={() => enter(false)} />
          ) : forgotten ? (
            <ForgotPassword
              onBack={() => setQuery(keep(query, 'login'))}
              onDone={() => setQuery(keep(query, 'login'))}
            />
          ) : (
            <>
              <h1 className={classes.title}>{tab === 'signup' ? 'Create your account' : 'Welcome back'}</h1>
              <Tabs value={tab} onChange={(value) => setQuery(keep(query, value ?? 'login'))} keepMounted={false}>
                <Tabs.List grow>
                  <Tabs.Tab value="login">Log in</Tabs.Tab>
                  <Tabs.Tab value="signup">Sign up</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="login" pt="lg">
                  <LoginForm
                    providers={providers}
                    next={next}
                    onDone={() => enter(false)}
                    onForgotten={() => setQuery(keep(query, 'reset'))}
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

function keep(query: URLSearchParams, tab: string): Record<string, string> {
  const next = query.get('next');
  return next ? { tab, next } : { tab };
}
