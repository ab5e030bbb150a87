import { Button, Checkbox, Switch } from '@mantine/core';
import type { ServerToolView, ToolChange, ToolServerView } from '../../../models/contracts/toolServers.ts';
import { useAgents } from '../../data/agents.ts';
import { checkServer, chooseAgents, removeServer, switchTool } from '../../data/toolServers.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { count, momentOf } from '../../data/words.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { Callout } from '../../parts/Notice.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import own from './PreferencesTab.module.css';
import tools from './ToolServers.module.css';

/** One allowed server: its tools with their switches, the agents that may use it, and its removal. */
export function ToolServerCard({ server }: { server: ToolServerView }) {
  const [checking, check] = useAttempt();
  const [busy, attempt] = useAttempt();
  const changed = server.tools.filter(({ state }) => state === 'changed').length;
  return (
    <article className={`card ${tools.server}`} aria-label={server.name}>
      <div className={tools.head}>
        <div className={tools.about}>
          <h3>{server.name}</h3>
          <p className="mono small">{server.url}</p>
          <p className="soft small">
            {server.hasSecret ? 'With a token' : 'Without a token'} ·{' '}
            {server.isInUk ? 'declared to be in the UK' : 'may be outside the UK'} · added by {server.addedBy} · read{' '}
            {momentOf(server.checkedAt)}
          </p>
        </div>
        <WorkButton
          size="xs"
          variant="default"
          busy={checking}
          aria-label={`Read the tools of ${server.name} again`}
          onClick={() => void check(() => checkServer(server.id))}
        >
          Read again
        </WorkButton>
        <ConfirmButton
          label="Remove"
          of={server.name}
          sure={`Remove the server ${server.name}`}
          note="Agents stop using it at once, and its token is deleted."
          onConfirm={() => attempt(() => removeServer(server.id))}
        />
      </div>
      {server.isUsable ? null : (
        <Callout tone="waiting" title="Not used">
          This deployment does not allow data to go to this server now.
        </Callout>
      )}
      {changed > 0 ? (
        <Callout
          tone="waiting"
          title={`${count(changed, 'tool')} changed since you allowed ${changed === 1 ? 'it' : 'them'}`}
        >
          Agents can’t use {changed === 1 ? 'it' : 'them'} until you have seen what changed and allow it again.
        </Callout>
      ) : null}
      <ul className={tools.tools}>
        {server.tools.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            busy={busy}
            onSwitch={(isOn) => void attempt(() => switchTool(server.id, tool, isOn))}
          />
        ))}
      </ul>
      {server.tools.length === 0 ? <p className="soft small">This server offers no tools.</p> : null}
      {server.leftOut > 0 ? (
        <p className="soft small">{count(server.leftOut, 'tool')} left out: too many, or too long.</p>
      ) : null}
      <AgentChoice server={server} busy={busy} onChoose={(ids) => void attempt(() => chooseAgents(server.id, ids))} />
    </article>
  );
}

function ToolRow({ tool, busy, onSwitch }: { tool: ServerToolView; busy: boolean; onSwitch: (isOn: boolean) => void }) {
  const { name, title, description, reads, state, changes, inputSchema } = tool;
  const shown = title || name;
  return (
    <li>
      <div className={tools.about}>
        <h4>
          {shown} {title && title !== name ? <span className="soft mono small">{name}</span> : null}
        </h4>
        <p className="small">{description || 'The server says nothing about it.'}</p>
        <div className={own.roles}>
          <Tag>{reads ? 'Reads, without asking' : 'Asks first unless always allowed'}</Tag>
          {state === 'changed' ? <Tag tone="waiting">Changed since you allowed it</Tag> : null}
        </div>
        {state === 'changed' ? changes.map((change) => <Change key={change.what} change={change} />) : null}
        <details className="small">
          <summary>Arguments</summary>
          <pre className={tools.schema}>{indented(inputSchema)}</pre>
        </details>
      </div>
      {state === 'changed' ? (
        <div className={own.roles}>
          <Button
            size="xs"
            variant="default"
            disabled={busy}
            aria-label={`Keep ${shown} off`}
            onClick={() => onSwitch(false)}
          >
            Keep off
          </Button>
          <Button size="xs" disabled={busy} aria-label={`Allow ${shown} as it is now`} onClick={() => onSwitch(true)}>
            Allow again
          </Button>
        </div>
      ) : (
        <Switch
          aria-label={`Agents may use ${shown}`}
          checked={state === 'on'}
          disabled={busy}
          onChange={({ currentTarget: { checked } }) => onSwitch(checked)}
        />
      )}
    </li>
  );
}

const WHAT: Record<ToolChange['what'], string> = {
  title: 'Title',
  description: 'Description',
  arguments: 'Arguments',
  hints: 'Hints on what it does',
};

function Change({ change: { what, before, after } }: { change: ToolChange }) {
  return (
    <dl className={tools.change}>
      <dt>{WHAT[what]} before</dt>
      <dd>{before || '(none)'}</dd>
      <dt>{WHAT[what]} now</dt>
      <dd>{after || '(none)'}</dd>
    </dl>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function AgentChoice({
  server,
  busy,
  onChoose,
}: {
  server: ToolServerView;
  busy: boolean;
  onChoose: (ids: number[]) => void;
}) {
  const { data: agents = [] } = useAgents(true);
  if (agents.length === 0) return null;
  return (
    <Checkbox.Group
      label="Agents that may use it"
      value={server.userAgentIds.map(String)}
      onChange={(chosen) => onChoose(chosen.map(Number))}
    >
      <div className={tools.agents}>
        {agents.map((agent) => (
          <Checkbox key={agent.id} value={String(agent.id)} label={agent.displayName} disabled={busy} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
