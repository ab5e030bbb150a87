import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { CallError, textOf } from '../../data/call.ts';
import { allowServer } from '../../data/toolServers.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import own from './PreferencesTab.module.css';
import tools from './ToolServers.module.css';

type Fault = { text: string; fields: Record<string, string> };

/** Allows a server: its name, address, token, where it is, and which agents may use it. */
export function AddToolServerForm({ region, onClose }: { region: 'uk' | 'outside-uk-accepted'; onClose: () => void }) {
  const { data: agents = [] } = useAgents(true);
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [isInUk, setInUk] = useState(false);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  // Until something is chosen, every agent may use it.
  const allowed = chosen ?? agents.map(({ id }) => String(id));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      await allowServer({ name, url, secret: secret.trim() || null, isInUk, userAgentIds: allowed.map(Number) });
      onClose();
    } catch (failure) {
      const fields = (failure instanceof CallError && failure.body?.fields) || {};
      setFault({ text: textOf(failure, 'The server was not added. Please try again.'), fields });
      setBusy(false);
    }
  };

  return (
    <form className={own.token} onSubmit={submit} noValidate aria-label="Allow a server">
      <div className={tools.fields}>
        <TextInput
          autoFocus
          label="Name"
          description="People see it when an agent asks to use a tool."
          value={name}
          error={fault?.fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Address"
          description="https, on the public internet"
          type="url"
          placeholder="https://tools.example.org/mcp"
          value={url}
          error={fault?.fields.url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      </div>
      <TextInput
        type="password"
        label="Bearer token (optional)"
        description="Kept encrypted and never shown again."
        autoComplete="off"
        value={secret}
        error={fault?.fields.secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      {region === 'uk' ? (
        <Checkbox
          label="This server is in the UK"
          checked={isInUk}
          error={fault?.fields.isInUk}
          onChange={(event) => setInUk(event.currentTarget.checked)}
        />
      ) : null}
      <Checkbox.Group
        label="Agents that may use it"
        value={allowed}
        error={fault?.fields.userAgentIds}
        onChange={setChosen}
      >
        <div className={own.scopes}>
          {agents.length === 0 ? <span className="soft small">You have hired no agent yet.</span> : null}
          {agents.map((agent) => (
            <Checkbox key={agent.id} value={String(agent.id)} label={agent.displayName} />
          ))}
        </div>
      </Checkbox.Group>
      <p className="soft small">
        What an agent sends to a tool leaves Arc for this server. Its tools stay off until you switch each one on.
      </p>
      {fault && Object.keys(fault.fields).length === 0 ? (
        <Callout tone="error" title="The server was not added">
          {fault.text}
        </Callout>
      ) : null}
      <div className={own.actions}>
        <WorkButton type="submit" busy={busy}>
          Read its tools
        </WorkButton>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
