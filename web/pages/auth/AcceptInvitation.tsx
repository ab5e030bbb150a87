import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { PASSWORD_RULE } from '../../../models/contracts/auth.ts';
import { acceptInvitation, invitationDetails } from '../../../models/contracts/members.ts';
import { CallError, call, codeOf, textOf } from '../../data/call.ts';
import { useCall } from '../../data/useCall.ts';
import { Callout, Notice } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './AuthPage.module.css';

const USED_BY_SOMEBODY =
  'The person it was for has joined. If it was for you, your company is in Arc already: you find it under “Switch company” in the account menu. Otherwise ask whoever invited you for a new invitation.';
const WITHDRAWN = 'It was withdrawn or has expired. Ask whoever invited you for a new one.';

/** Accepts an invitation to an account; people without a user choose a password. */
export function AcceptInvitation({
  token,
  signedIn,
  onDone,
}: {
  token: string;
  signedIn: boolean;
  onDone: () => Promise<void>;
}) {
  const { data, error } = useCall(invitationDetails, { params: { token } });
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  if (error && !data) {
    const used = codeOf(error) === 'invitation_used';
    const known = codeOf(error) === 'not_found' ? WITHDRAWN : used && signedIn ? USED_BY_SOMEBODY : null;
    return (
      <Notice
        level={1}
        tone="error"
        title="This invitation can’t be used"
        text={known ?? textOf(error, 'Please try again.')}
        action={
          used ? (
            <Button component={Link} to={signedIn ? '/' : '/auth'}>
              {signedIn ? 'Go to the dashboard' : 'Log in'}
            </Button>
          ) : undefined
        }
      />
    );
  }
  if (!data) return <Skeleton lines={4} />;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      await call(acceptInvitation, {
        body: { token, ...(password ? { password } : {}), firstName, lastName },
      });
      // Somebody who was signed in has changed company, so the page reloads: not at the used invitation.
      window.history.replaceState(null, '', '/');
      await onDone();
    } catch (failure) {
      const weak = failure instanceof CallError ? failure.body?.fields?.password : undefined;
      setFault(
        weak
          ? { title: 'Password too weak', text: weak }
          : { title: 'You have not joined yet', text: textOf(failure, 'Please try again.') },
      );
      setBusy(false);
    }
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <h1>Join {data.companyName}</h1>
      <p>
        You are invited as <strong>{data.email}</strong>.
      </p>
      {fault ? (
        <Callout tone="error" title={fault.title}>
          {fault.text}
        </Callout>
      ) : null}
      <div className={classes.pair}>
        <TextInput
          label="First name"
          autoComplete="given-name"
          value={firstName}
          onChange={(event) => setFirstName(event.currentTarget.value)}
        />
        <TextInput
          label="Last name"
          autoComplete="family-name"
          value={lastName}
          onChange={(event) => setLastName(event.currentTarget.value)}
        />
      </div>
      <PasswordInput
        label="Password"
        description={`${PASSWORD_RULE} If you already use Arc, log in first.`}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <WorkButton type="submit" busy={busy} fullWidth>
        Join
      </WorkButton>
    </form>
  );
}
