import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError, textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { Callout } from '../../parts/Notice.tsx';
import classes from './Channels.module.css';
import { connectTeamsApp } from './channelStatus.ts';

type Field = 'appId' | 'tenantId' | 'appPassword';

/** Form for the account's own bot registration, which the server checks with Microsoft and stores encrypted. */
export function OwnRegistration({ onConnected }: { onConnected: () => void }) {
  const [appId, setAppId] = useDraft('teams.appId', () => '');
  const [tenantId, setTenantId] = useDraft('teams.tenantId', () => '');
  // The secret is never kept as a draft in the browser.
  const [appPassword, setAppPassword] = useState('');
  const values = { appId, tenantId, appPassword };
  const put: Record<Field, (value: string) => void> = {
    appId: setAppId,
    tenantId: setTenantId,
    appPassword: setAppPassword,
  };
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [fault, setFault] = useState<string | null>(null);
  const [state, setState] = useState<'open' | 'busy' | 'saved'>('open');
  const field = (name: Field) => ({
    value: values[name],
    error: faults[name],
    required: true,
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) => put[name](event.currentTarget.value),
  });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setState('busy');
    setFault(null);
    setFaults({});
    try {
      await connectTeamsApp(values);
      for (const clear of Object.values(put)) clear('');
      setState('saved');
      onConnected();
    } catch (error) {
      const fields = error instanceof CallError ? error.body?.fields : undefined;
      setFaults(fields ?? {});
      if (!fields) setFault(textOf(error, 'Please try again.'));
      setState('open');
    }
  };
  return (
    <section className={`card ${classes.card}`}>
      <h2>Your own registration</h2>
      <p className="soft">
        Only if your organisation has its own bot registration. Arc checks the secret with Microsoft, stores it
        encrypted and never shows it again.
      </p>
      {state === 'saved' ? (
        <Callout tone="done" title="Registration saved">
          Download the app package again and install it in Teams.
        </Callout>
      ) : null}
      {fault ? (
        <Callout tone="error" title="The registration was not saved">
          {fault}
        </Callout>
      ) : null}
      <form onSubmit={send} className={classes.stack} style={{ maxWidth: 480 }}>
        <TextInput label="App id" {...field('appId')} />
        <TextInput label="Tenant id" {...field('tenantId')} />
        <PasswordInput label="Client secret" autoComplete="off" {...field('appPassword')} />
        <div>
          <Button type="submit" variant="default" loading={state === 'busy'}>
            Check and save
          </Button>
        </div>
      </form>
    </section>
  );
}
