import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { GRANTABLE_PLANS, type GrantablePlan } from '../../../models/contracts/admin.ts';
import { grantPlan, useUserTokens } from '../../data/admin.ts';
import { CallError, textOf } from '../../data/call.ts';
import { showToast } from '../../data/toasts.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './Admin.module.css';
import { PLAN_NAMES } from './planNames.ts';

/** Sets the plan of one user's company. */
export function SetPlanDialog({ onClose }: { onClose: () => void }) {
  // The list of users on the page may be one page of many; this one has them all.
  const { data, error: unread } = useUserTokens();
  const [userId, setUserId] = useState('');
  const [plan, setPlan] = useState<GrantablePlan>('pro');
  const [until, setUntil] = useState('');
  const [fault, setFault] = useState<{ text: string; field?: string | undefined } | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!userId) return setFault({ text: 'Choose a user.' });
    setBusy(true);
    setFault(null);
    try {
      showToast({
        title: 'Plan set',
        message: await grantPlan(Number(userId), plan, until || undefined),
        tone: 'done',
      });
      onClose();
    } catch (error) {
      const field = error instanceof CallError ? error.body?.fields?.until : undefined;
      setFault({ text: field ?? textOf(error, 'Please try again.'), field });
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Set the plan of a company"
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <form className={classes.dialog} onSubmit={submit} noValidate>
        <p className="soft">
          This sets the plan of the company that the user owns. The company’s audit trail records that you set it.
        </p>
        {fault && !fault.field ? (
          <Callout tone="error" title="The plan was not set">
            {fault.text}
          </Callout>
        ) : null}
        <NativeSelect
          label="User"
          value={userId}
          disabled={!data}
          error={unread && !data ? 'The users could not be loaded. Please close this and try again.' : undefined}
          onChange={(event) => setUserId(event.currentTarget.value)}
          data={[
            { value: '', label: 'Choose a user...' },
            ...(data?.users ?? []).map(({ id, email }) => ({ value: String(id), label: email })),
          ]}
        />
        <NativeSelect
          label="Plan"
          value={plan}
          onChange={(event) => setPlan(event.currentTarget.value as GrantablePlan)}
          data={GRANTABLE_PLANS.map((value) => ({ value, label: PLAN_NAMES[value] }))}
        />
        <TextInput
          label="Last day (optional)"
          type="date"
          value={until}
          error={fault?.field}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <div className={classes.dialogActions}>
          <WorkButton type="submit" busy={busy}>
            Set plan
          </WorkButton>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}
