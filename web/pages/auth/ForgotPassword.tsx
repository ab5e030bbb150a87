import { PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  isStrongPassword,
  PASSWORD_RULE,
  RESET_BY_ADMINISTRATOR,
  resetPassword,
  sendReset,
} from '../../../models/contracts/auth.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { CallError, call, textOf } from '../../data/call.ts';
import { useSession } from '../../data/session.ts';
import { showToast } from '../../data/toasts.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './AuthPage.module.css';

type Fault = { title: string; text: string };

/**
 * Requests a reset code, then sets the new password with it. The first answer is the same whether or not the email
 * has an account, so that nobody can probe for accounts.
 */
export function ForgotPassword({ onBack, onDone }: { onBack: () => void; onDone: () => void }) {
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState(false);
  const { recipients } = useSession();
  const canMail = recipients?.some(({ kind }) => kind === 'mail') ?? true;
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);

  const attempt = async (work: () => Promise<void>, title: string, fallback: string) => {
    setBusy(true);
    setFault(null);
    try {
      await work();
    } catch (error) {
      const weak = error instanceof CallError ? error.body?.fields?.password : undefined;
      setFault(weak ? { title: 'Password too weak', text: weak } : { title, text: textOf(error, fallback) });
    }
    setBusy(false);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!sent) {
      if (!email.trim()) return setFault({ title: 'Missing information', text: 'Please enter your email' });
      return attempt(
        async () => {
          setSent((await call(sendReset, { body: { email } })).sent);
        },
        'Failed to send reset email',
        'Please try again.',
      );
    }
    if (code.trim().length !== LIMITS.code.length) {
      return setFault({ title: 'Invalid code', text: 'Please enter the 6-digit confirmation code' });
    }
    if (!isStrongPassword(password)) {
      return setFault({
        title: 'Password too weak',
        text: PASSWORD_RULE,
      });
    }
    return attempt(
      async () => {
        await call(resetPassword, { body: { email, code, password } });
        showToast({ title: 'Password changed', message: 'Log in with the new password.', tone: 'done' });
        onDone();
      },
      'Verification failed',
      'Invalid or expired code',
    );
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <h1>Reset your password</h1>
      {sent ? (
        <Callout tone="plain">If an account exists with this email, a reset code has been sent.</Callout>
      ) : !canMail ? (
        <Callout tone="waiting" title="No code can be sent">
          {RESET_BY_ADMINISTRATOR}
        </Callout>
      ) : (
        <p className="soft">Enter your email. We’ll send you a code to set a new password.</p>
      )}
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
        readOnly={sent}
        error={Boolean(fault) && !email.trim()}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {sent ? (
        <>
          <TextInput
            label="Reset code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={LIMITS.code.length}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </>
      ) : null}
      <WorkButton type="submit" busy={busy} fullWidth>
        {sent ? 'Set new password' : 'Send reset code'}
      </WorkButton>
      <button type="button" className={classes.link} onClick={onBack}>
        Back to log in
      </button>
    </form>
  );
}
