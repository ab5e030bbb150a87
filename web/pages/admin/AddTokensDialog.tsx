import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { grantFault, grantTokens } from '../../data/admin.ts';
import { textOf } from '../../data/call.ts';
import { keepDraft, useDraft } from '../../data/drafts.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { creditsOf } from '../../data/typedCredits.ts';
import { grouped } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import classes from './Admin.module.css';

/** A grant over this many tokens is asked about once: a digit too many is easily typed. */
const MAX_UNASKED = 1_000_000;

/** Adds credits to the account of one user. */
export function AddTokensDialog({
  users,
  onClose,
}: {
  users: readonly { id: number; email: string; tokensRemaining: number }[];
  onClose: () => void;
}) {
  const [userId, setUserId] = useDraft('tokens.user', () => '');
  const [amount, setAmount] = useDraft('tokens.amount', () => '');
  const [busy, setBusy] = useState(false);
  /** The large number that the person was asked about. */
  const [sure, setSure] = useState<number | null>(null);
  // Idempotency key: a repeated request grants once. Changing a field makes the next request a new grant.
  const requestId = useRef(crypto.randomUUID());

  // Closing on purpose removes the drafts; a session that ends does not close the dialog, so they stay.
  const close = () => {
    for (const part of ['user', 'amount']) keepDraft(`tokens.${part}`, null);
    onClose();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!userId || amount.trim() === '') {
      showFailure('Validation Error', 'Please select a user and enter the number of tokens to add.');
      return;
    }
    const fault = grantFault(amount);
    if (fault !== null) {
      showFailure('Invalid Token Amount', fault);
      return;
    }
    const tokens = creditsOf(amount) ?? 0;
    if (tokens > MAX_UNASKED && sure !== tokens) {
      setSure(tokens);
      return;
    }
    setBusy(true);
    try {
      const message = await grantTokens(Number(userId), tokens, requestId.current);
      showToast({ title: 'Tokens Added Successfully', message, tone: 'done' });
      close();
    } catch (error) {
      showFailure('Error Adding Tokens', textOf(error, 'Failed to add tokens'));
      setBusy(false);
    }
  };
  const change = (set: (value: string) => void) => (event: { currentTarget: { value: string } }) => {
    requestId.current = crypto.randomUUID();
    setSure(null);
    set(event.currentTarget.value);
  };

  return (
    <Modal
      opened
      onClose={close}
      title="Add Tokens to User Account"
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <form className={classes.dialog} onSubmit={submit} noValidate>
        <p className="soft">Select a user and specify the number of tokens to add to their account.</p>
        <NativeSelect
          label="User"
          value={userId}
          onChange={change(setUserId)}
          data={[
            { value: '', label: 'Choose a user...' },
            ...users.map((user) => ({
              value: String(user.id),
              label: `${user.email} (Current: ${grouped(user.tokensRemaining)} tokens)`,
            })),
          ]}
        />
        <TextInput
          label="Tokens to Add"
          inputMode="numeric"
          placeholder="50000"
          value={amount}
          onChange={change(setAmount)}
        />
        {sure !== null ? (
          <Callout tone="waiting" title={`Add ${grouped(sure)} tokens?`}>
            That is more than {grouped(MAX_UNASKED)}. Check the number, then confirm.
          </Callout>
        ) : null}
        <div className={classes.dialogActions}>
          <Button type="submit" disabled={busy}>
            {busy ? 'Adding...' : sure !== null ? `Yes, add ${grouped(sure)}` : 'Add Tokens'}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}
