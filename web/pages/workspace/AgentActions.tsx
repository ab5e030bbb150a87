import { Button, Switch } from '@mantine/core';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { setAsks, useAgentActions } from '../../data/agents.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import panel from '../../parts/agents/WorkPanel.module.css';
import { Notice } from '../../parts/Notice.tsx';
import classes from './WorkspacePage.module.css';

/** What the agent may do that changes something: it asks before each use, unless the owner says otherwise. */
export function AgentActions({ agent, isOwner }: { agent: UserAgent; isOwner: boolean }) {
  const { data, error, mutate } = useAgentActions(agent.id);
  const [busy, attempt] = useAttempt();
  if (error && !data) {
    return (
      <Notice
        tone="error"
        title="What the agent may do could not be loaded"
        text="Nothing was changed."
        action={<Button onClick={() => void mutate()}>Try again</Button>}
      />
    );
  }
  if (!data?.actions.length) return null;
  return (
    <section aria-label={`What ${agent.displayName} may do`}>
      <h3 className={classes.actionsTitle}>What {agent.displayName} may do</h3>
      <p className="soft small">
        Before anything is changed, {agent.displayName} asks with the exact details.
        {isOwner ? ' Switch it off for what you allow always. It is in the audit.' : ' Only the owner can change this.'}
      </p>
      <ul className={panel.tools}>
        {data.actions.map(({ name, label, asks }) => (
          <li key={name} className={panel.tool}>
            <div>
              <h4>{label}</h4>
              <p className="soft small">{asks ? 'Asks before each time' : 'Always allowed here, without asking'}</p>
            </div>
            <Switch
              aria-label={`Ask before: ${label}`}
              checked={asks}
              disabled={!isOwner || busy}
              onChange={({ currentTarget: { checked } }) => void attempt(() => setAsks(agent.id, name, checked))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
