import { PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { login } from '../../../models/contracts/auth.ts';
import { call, textOf } from '../../data/call.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './AuthPage.module.css';
import { ProviderLogins } from './ProviderLogins.tsx';

/** Email and password, with the configured login providers above. */
export function LoginForm({
  providers,
  next,
  onDone,
  onForgotten,
}: {
  providers: { google: boolean; microsoft: boolean };
  /** Path to open after the login. */
  next: string;
  onDone: () => Promise<void>;
  onForgotten: () => void;
}) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!email.trim() || !password) {
      setFault({ title: 'Missing information', text: 'Please enter both email and password' });
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      await call(login, { body: { email, password } });
      await onDone();
    } catch (error) {
      setFault({ title: 'Login failed', text: textOf(error, 'Invalid email or password') });
      setBusy(false);
    }
  };

  return (
    <>
      <ProviderLogins providers={providers} next={next} />
      <form className={classes.form} onSubmit={submit} noValidate>
        {fault ? (
          <Callout tone="error" title={fault.title}>
            {fault.text}
          </Callout>
        ) : null}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          value={email}
          error={Boolean(fault) && !email.trim()}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          value={password}
          error={Boolean(fault) && !password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <WorkButton type="submit" busy={busy} fullWidth>
          Log in
        </WorkButton>
        <div className={classes.foot}>
          <button type="button" className={classes.link} onClick={onForgotten}>
            Forgot password?
          </button>
        </div>
      </form>
    </>
  );
}
