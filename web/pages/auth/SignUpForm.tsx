import { PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isStrongPassword, PASSWORD_RULE, sendSignupConfirmation } from '../../../models/contracts/auth.ts';
import { CallError, call, textOf } from '../../data/call.ts';
import { showToast } from '../../data/toasts.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './AuthPage.module.css';
import { ConfirmationCode } from './ConfirmationCode.tsx';
import { ProviderLogins } from './ProviderLogins.tsx';

type Values = { firstName: string; lastName: string; email: string; password: string; confirmation: string };
type Fault = { title: string; text: string; fields: Partial<Record<keyof Values, string>> };

/** The fault of a sign-up form (docs/spec-coverage.md, S1 section 5); null if it can be sent. */
function signUpFault(values: Values): Fault | null {
  if (!values.email.trim() || !values.password) {
    return {
      title: 'Missing information',
      text: 'Please enter both email and password',
      fields: {
        ...(values.email.trim() ? {} : { email: 'Enter your email address.' }),
        ...(values.password ? {} : { password: 'Choose a password.' }),
      },
    };
  }
  if (!isStrongPassword(values.password)) {
    return { title: 'Password too weak', text: PASSWORD_RULE, fields: { password: PASSWORD_RULE } };
  }
  if (values.password !== values.confirmation) {
    return {
      title: "Passwords don't match",
      text: 'Type the same password in both fields.',
      fields: { confirmation: 'This differs from the password above.' },
    };
  }
  return null;
}

/** The form, then the mailed code, then the account. Without mail the account is created at once. */
export function SignUpForm({
  providers,
  next,
  onDone,
}: {
  providers: { google: boolean; microsoft: boolean };
  /** Path to open after the sign-up. */
  next: string;
  onDone: () => Promise<void>;
}) {
  const [values, setValues] = useState<Values>({
    firstName: '',
    lastName: '',
    email: '',
    password: '',
    confirmation: '',
  });
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const [codeSent, setCodeSent] = useState(false);
  const put = (name: keyof Values) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setValues((before) => ({ ...before, [name]: value }));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = signUpFault(values);
    setFault(found);
    if (found) return;
    setBusy(true);
    try {
      const { email, password, firstName, lastName } = values;
      const answer = await call(sendSignupConfirmation, { body: { email, password, firstName, lastName } });
      if (answer.fallback) {
        showToast({ title: 'Account created', message: 'Welcome to Arc.', tone: 'done' });
        await onDone();
      } else {
        setCodeSent(true);
        setBusy(false);
      }
    } catch (error) {
      const fields = error instanceof CallError ? (error.body?.fields ?? {}) : {};
      const weak = fields.password;
      setFault(
        weak
          ? { title: 'Password too weak', text: weak, fields }
          : { title: 'Failed to send confirmation', text: textOf(error, 'Please try again.'), fields },
      );
      setBusy(false);
    }
  };

  if (codeSent) {
    return <ConfirmationCode email={values.email} onBack={() => setCodeSent(false)} onDone={onDone} />;
  }
  return (
    <>
      <ProviderLogins providers={providers} next={next} />
      <form className={classes.form} onSubmit={submit} noValidate>
        {fault ? (
          <Callout tone="error" title={fault.title}>
            {fault.text}
          </Callout>
        ) : null}
        <div className={classes.pair}>
          <TextInput
            label="First name"
            autoComplete="given-name"
            value={values.firstName}
            error={fault?.fields.firstName}
            onChange={put('firstName')}
          />
          <TextInput
            label="Last name"
            autoComplete="family-name"
            value={values.lastName}
            error={fault?.fields.lastName}
            onChange={put('lastName')}
          />
        </div>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          value={values.email}
          error={fault?.fields.email}
          onChange={put('email')}
        />
        <PasswordInput
          label="Password"
          description={PASSWORD_RULE}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          value={values.password}
          error={fault?.fields.password === PASSWORD_RULE ? true : fault?.fields.password}
          onChange={put('password')}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show confirmation', tabIndex: 0 }}
          value={values.confirmation}
          error={fault?.fields.confirmation}
          onChange={put('confirmation')}
        />
        <WorkButton type="submit" busy={busy} fullWidth>
          Create account
        </WorkButton>
        <p className="soft small">14 days free. No card needed.</p>
      </form>
    </>
  );
}
