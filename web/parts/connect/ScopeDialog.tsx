import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { mutate } from 'swr';
import {
  type ConnectorScopeView,
  readConnectorScope,
  saveConnectorScope,
} from '../../../models/contracts/connectorScope.ts';
import { CallError, call, textOf, urlOf } from '../../data/call.ts';
import { showToast } from '../../data/toasts.ts';
import { useCall } from '../../data/useCall.ts';
import { Callout } from '../Notice.tsx';
import { Skeleton } from '../Skeleton.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './Connect.module.css';

/** Chooses what is read from a connected tool. */
export function ScopeDialog({ service, name, onClose }: { service: string; name: string; onClose: () => void }) {
  const { data, error, mutate: again } = useCall(readConnectorScope, { params: { service } });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`What Arc reads from ${name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      {data ? (
        <ScopeForm scope={data} name={name} onClose={onClose} />
      ) : error ? (
        <Callout
          tone="error"
          title="The choice could not be loaded"
          action={
            <Button size="xs" variant="default" onClick={() => void again()}>
              Try again
            </Button>
          }
        >
          {textOf(error, `${name} does not answer.`)}
        </Callout>
      ) : (
        <Skeleton lines={4} />
      )}
    </Modal>
  );
}

function ScopeForm({ scope, name, onClose }: { scope: ConnectorScopeView; name: string; onClose: () => void }) {
  const { service, fields } = scope;
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(fields.map(({ id, value }) => [id, value])),
  );
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const change = (id: string, value: string) => {
    setValues((before) => ({ ...before, [id]: value }));
    setFaults(({ [id]: _mended, ...others }) => others);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFaults({});
    setFault(null);
    try {
      const saved = await call(saveConnectorScope, { params: { service }, body: { values } });
      await mutate(urlOf(readConnectorScope, { params: { service } }), saved, { revalidate: false });
      showToast({ title: `Arc reads ${saved.text ?? 'nothing'} from ${name}`, tone: 'done' });
      onClose();
    } catch (failure) {
      const marked = (failure instanceof CallError && failure.body?.fields) || {};
      setFaults(marked);
      if (Object.keys(marked).length === 0) setFault(textOf(failure, 'Nothing was changed. Please try again.'));
      setBusy(false);
    }
  };
  return (
    <form className={classes.fields} onSubmit={submit} noValidate>
      {fault ? (
        <Callout tone="error" title="Not saved">
          {fault}
        </Callout>
      ) : null}
      {fields.map(({ id, label, hint, kind, required, options, empty = 'All' }) =>
        kind === 'choice' ? (
          <NativeSelect
            key={id}
            label={label}
            description={hint || undefined}
            required={required}
            data={[{ value: '', label: required ? 'Choose…' : empty }, ...(options ?? [])]}
            value={values[id] ?? ''}
            error={faults[id]}
            onChange={(event) => change(id, event.currentTarget.value)}
          />
        ) : (
          <TextInput
            key={id}
            label={label}
            description={hint || undefined}
            required={required}
            value={values[id] ?? ''}
            error={faults[id]}
            onChange={(event) => change(id, event.currentTarget.value)}
          />
        ),
      )}
      {scope.text ? (
        <p className="soft small">Another choice deletes what was read so far. Files in chats stay as they are.</p>
      ) : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <WorkButton type="submit" busy={busy}>
          Save
        </WorkButton>
      </div>
    </form>
  );
}
