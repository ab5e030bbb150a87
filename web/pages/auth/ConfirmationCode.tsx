import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { verifySignupConfirmation } from '../../../models/contracts/auth.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { call, textOf } from '../../data/call.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './AuthPage.module.css';

/** Asks for the six-digit code that was mailed. */
export function ConfirmationCode({
  email,
  onBack,
  onDone,
}: {
  email: string;
  onBack: () => void;
  onDone: () => Promise<void>;
}) {
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim().length !== LIMITS.code.length) {
      setFault({ title: 'Invalid code', text: 'Please enter the 6-digit confirmation code' });
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      await call(verifySignupConfirmation, { body: { email, code } });
      await onDone();
    } catch (error) {
      setFault({ title: 'Verification failed', text: textOf(error, 'Invalid or expired code') });
      setBusy(false);
    }
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>
        We sent a code to <strong>{email}</strong>. It expires in {LIMITS.code.minutes} minutes. Enter it below.
      </p>
      {fault ? (
        <Callout tone="error" title={fault.title}>
          {fault.text}
        </Callout>
      ) : null}
      <TextInput
        label="Confirmation code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={LIMITS.code.length}
        value={code}
        error={Boolean(fault)}
        onChange={(event) => setCode(event.currentTarget.value)}
        data-autofocus
      />
      <WorkButton type="submit" busy={busy} fullWidth>
        Confirm
      </WorkButton>
      <button type="button" className={classes.link} onClick={onBack}>
        Use another email
      </button>
    </form>
  );
}
