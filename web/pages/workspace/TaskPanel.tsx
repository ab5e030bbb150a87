import { type FormEvent, useState } from 'react';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { webAgent } from '../../agents/index.ts';
import { assignTask } from '../../data/agentWork.ts';
import { textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { showToast } from '../../data/toasts.ts';
import panel from '../../parts/agents/WorkPanel.module.css';
import { Callout } from '../../parts/Notice.tsx';
import { ObjectiveField } from '../../parts/ObjectiveField.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './WorkspacePage.module.css';

/** Task call and toast titles of agents without their own. */
const TASKS = { assign: assignTask, done: 'Task Assigned', failed: 'Task Assignment Failed' };

/** Gives an onboarded agent a task. The typed text stays if the task is refused. */
export function TaskPanel({ agent }: { agent: UserAgent }) {
  const [objective, setObjective] = useDraft(`task.${agent.id}`, () => '');
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const tasks = webAgent(agent.agentId)?.tasks ?? TASKS;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!objective.trim()) {
      setFault({ title: 'No Task Provided', text: 'Please enter a task or objective for the agent.' });
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      await tasks.assign(agent, objective);
      setObjective('');
      showToast({ title: tasks.done, tone: 'done' });
    } catch (error) {
      setFault({
        title: tasks.failed,
        text: textOf(error, 'Unable to assign task to agent. Please try again.'),
      });
    }
    setBusy(false);
  };
  return (
    <form className={panel.form} onSubmit={submit} noValidate>
      <div className={classes.line}>
        <ObjectiveField isLine label={`Task for ${agent.displayName}`} value={objective} onChange={setObjective} />
        <WorkButton type="submit" busy={busy}>
          Assign task
        </WorkButton>
      </div>
      {fault ? (
        <Callout tone="error" title={fault.title}>
          {fault.text}
        </Callout>
      ) : null}
    </form>
  );
}
