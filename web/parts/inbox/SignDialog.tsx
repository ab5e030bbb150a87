import '../../styles/wholePage.ts';
import { Button, Modal, PasswordInput, Textarea } from '@mantine/core';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { CallError, textOf } from '../../data/call.ts';
import { signingStore } from '../../data/signing.ts';
import { Callout } from '../Notice.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './Inbox.module.css';

/** Above a review, which may be a dialog itself. */
const Z_INDEX = 400;

/** Asks whoever answers for a reason and their password, where the company signs such answers. */
export function SignDialog() {
  const waiting = useSyncExternalStore(signingStore.subscribe, signingStore.current);
  const [values, setValues] = useState({ reason: '', password: '' });
  const [fault, setFault] = useState<{ text: string; fields: Record<string, string> } | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    setValues({ reason: '', password: '' });
    setFault(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      await waiting?.send(values);
      close();
    } catch (error) {
      const fields = (error instanceof CallError && error.body?.fields) || {};
      setFault({ text: textOf(error, 'Nothing was signed. Please try again.'), fields });
    }
    setBusy(false);
  };
  const cancel = () => {
    close();
    waiting?.cancel();
  };
  return (
    <Modal
      opened={waiting !== null}
      onClose={cancel}
      title="Sign this answer"
      zIndex={Z_INDEX}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <form className={classes.sign} onSubmit={submit} noValidate>
        <p className="soft">{waiting?.prompt}</p>
        <Textarea
          data-autofocus
          label="Reason"
          description="Why this decision is right. It is kept with your signature."
          autosize
          minRows={2}
          maxLength={2000}
          value={values.reason}
          error={fault?.fields['sign.reason']}
          onChange={(event) => setValues({ ...values, reason: event.currentTarget.value })}
        />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={values.password}
          error={fault?.fields['sign.password']}
          onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
        />
        {fault && Object.keys(fault.fields).length === 0 ? (
          <Callout tone="error" title="Nothing was signed">
            {fault.text}
          </Callout>
        ) : null}
        <div className={classes.signActions}>
          <WorkButton type="submit" busy={busy}>
            Sign and send
          </WorkButton>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}
