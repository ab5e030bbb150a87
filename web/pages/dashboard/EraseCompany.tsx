import { Button, PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { type FormEvent, useState } from 'react';
import type { ErasurePlan } from '../../../models/contracts/companyData.ts';
import { CallError, textOf } from '../../data/call.ts';
import { eraseEverything, useErasurePlan } from '../../data/companyData.ts';
import { count } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import own from './PreferencesTab.module.css';

/** Erasing the company: says what goes and whom it affects, then asks for its name and the password. */
export function EraseCompany() {
  const [isOpen, setOpen] = useState(false);
  const { data: plan, error, mutate } = useErasurePlan(isOpen);
  if (!isOpen)
    return (
      <div className={`${own.actions} ${own.below}`}>
        <Button variant="default" onClick={() => setOpen(true)}>
          Erase the company
        </Button>
      </div>
    );
  return (
    <div className={own.below}>
      {!plan ? (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      ) : plan.otherOwners.length > 0 ? (
        <Callout
          tone="plain"
          title="The company can’t be erased yet"
          action={<Button onClick={() => setOpen(false)}>Close</Button>}
        >
          {namesOf(plan.otherOwners)} {plan.otherOwners.length === 1 ? 'owns' : 'own'} it too. Take that role away
          first, under Members.
        </Callout>
      ) : (
        <EraseForm plan={plan} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}

const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(', ');

function EraseForm({ plan, onClose }: { plan: ErasurePlan; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<{ text: string | null; fields: Record<string, string> }>({
    text: null,
    fields: {},
  });
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault({ text: null, fields: {} });
    try {
      await eraseEverything(typed, password);
    } catch (error) {
      const fields = error instanceof CallError ? error.body?.fields : undefined;
      setFault({ text: fields ? null : textOf(error, 'Nothing was erased. Please try again.'), fields: fields ?? {} });
      setBusy(false);
    }
  };
  return (
    <form className={`card ${own.erase}`} onSubmit={submit} noValidate aria-label={`Erase ${plan.companyName}`}>
      <h3>Erase {plan.companyName}</h3>
      <p>This can’t be undone. Export everything first if you may need it.</p>
      <ul>
        <li>Conversations, analyses, files, agents, schedules, links, credits and settings are deleted.</li>
        {plan.connections.length > 0 ? (
          <li>Access is revoked, and what was read from there is deleted: {plan.connections.join(', ')}.</li>
        ) : null}
        {plan.plan ? <li>The paid plan ends now.</li> : null}
        {plan.others.length > 0 ? (
          <li>
            {count(plan.others.length, 'other member loses', 'other members lose')} it too: {namesOf(plan.others)}. They
            can still sign in, to a company of their own.
          </li>
        ) : null}
        <li>
          {plan.isPersonErased
            ? 'Your own sign-in is deleted.'
            : 'Your own sign-in stays, for the other companies that you belong to.'}
        </li>
        <li>
          The audit chain stays, without names and content: it holds numbers and digests, and still verifies. What was
          downloaded, mailed or sent to a connected channel before is not touched.
        </li>
      </ul>
      {fault.text ? (
        <Callout tone="error" title="Nothing was erased">
          {fault.text}
        </Callout>
      ) : null}
      <div className={own.invite}>
        <TextInput
          autoFocus
          label={`Type ${plan.companyName} or your email`}
          autoComplete="off"
          value={typed}
          error={fault.fields.typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {plan.hasPassword ? (
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
            value={password}
            error={fault.fields.password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        ) : null}
        <WorkButton
          type="submit"
          color="red"
          busy={busy}
          disabled={typed === '' || (plan.hasPassword && password === '')}
        >
          Erase for good
        </WorkButton>
        <Button variant="default" onClick={onClose}>
          Keep the company
        </Button>
      </div>
    </form>
  );
}
