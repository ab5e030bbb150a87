import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Project } from '../../../models/contracts/agentWork.ts';
import { POLLS } from '../../../models/contracts/limits.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { useInterrupts } from '../../data/interrupts.ts';
import { showToast } from '../../data/toasts.ts';
import { momentOf } from '../../data/words.ts';
import { Piece, PieceFiles, Pieces } from '../../parts/agents/Pieces.tsx';
import classes from '../../parts/agents/WorkPanel.module.css';
import { Question } from '../../parts/inbox/Question.tsx';
import { Callout } from '../../parts/Notice.tsx';
import { ObjectiveField } from '../../parts/ObjectiveField.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import { startDevelopment, startProject, useProjects } from './development.ts';

/** The developer's panel: starts a workflow or a project, and lists open questions and projects. */
export function DeveloperPanel({ agent }: { agent: UserAgent }) {
  const [objective, setObjective] = useDraft(`development.${agent.id}`, () => '');
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const [busy, setBusy] = useState<'task' | 'project' | null>(null);
  if (!agent.tools.some((tool) => tool.id === 'bolt' && tool.enabled)) {
    return (
      <Callout tone="waiting" title="Bolt Integration Disabled">
        {agent.displayName} builds with Bolt, the built-in project builder. Switch it on under{' '}
        <Link to={`/workspace?agent=${agent.id}&tab=tools`}>Tools</Link>.
      </Callout>
    );
  }
  const run = async (kind: 'task' | 'project') => {
    if (!objective.trim()) {
      setFault({
        title: 'No objective provided',
        text: kind === 'task' ? 'Please enter a task objective' : 'Please enter a project objective',
      });
      return;
    }
    setBusy(kind);
    setFault(null);
    try {
      await (kind === 'task' ? startDevelopment(objective) : startProject(agent.id, objective));
      setObjective('');
      showToast({ title: kind === 'task' ? 'Task Started' : 'Project Created', tone: 'done' });
    } catch (error) {
      setFault({
        title: kind === 'task' ? 'Failed to start task' : 'Failed to create Replit project',
        text: textOf(error, 'Nothing was started. Please try again.'),
      });
    }
    setBusy(null);
  };
  return (
    <div className={classes.form}>
      <ObjectiveField label="Task objective" value={objective} onChange={setObjective} />
      <div className={classes.formActions}>
        <WorkButton busy={busy === 'task'} onClick={() => run('task')}>
          Start agent workflow
        </WorkButton>
        <WorkButton variant="default" busy={busy === 'project'} onClick={() => run('project')}>
          Create project only
        </WorkButton>
      </div>
      {fault ? (
        <Callout tone="error" title={fault.title}>
          {fault.text}
        </Callout>
      ) : null}
      <Waiting agentId={agent.id} />
      <Projects agentId={agent.id} />
    </div>
  );
}

/** Open questions of the developer's workflows. */
function Waiting({ agentId }: { agentId: number }) {
  const { data = [] } = useInterrupts([agentId], POLLS.panelInterrupts);
  const waiting = data.filter((it) => it.status === 'pending');
  if (waiting.length === 0) return null;
  return (
    <section aria-label="Waiting for you">
      <h3>Waiting for you</h3>
      <ul className={classes.tools}>
        {waiting.map((interrupt) => (
          <li key={interrupt.id}>
            <Question interrupt={interrupt} continues onReview={() => undefined} onAnswered={() => undefined} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Projects({ agentId }: { agentId: number }) {
  const { data, error } = useProjects(agentId);
  if (error && !data)
    return (
      <Callout tone="error" title="The projects could not be loaded">
        They are kept on the server. Reload the page to try again.
      </Callout>
    );
  if (!data) return <Skeleton lines={2} />;
  return (
    <Pieces
      label="Projects"
      waiting={null}
      empty={data.projects.length === 0 ? 'No projects yet. Enter an objective and start one.' : null}
    >
      {data.projects.map((project) => (
        <OneProject key={project.id} project={project} />
      ))}
    </Pieces>
  );
}

function OneProject({
  project: { projectName, objective, createdAt, status, previewUrl, archive },
}: {
  project: Project;
}) {
  return (
    <Piece
      title={projectName}
      aside={<Tag tone={status === 'created' ? 'accent' : 'plain'}>{status}</Tag>}
      source={`${objective}. ${momentOf(createdAt)}`}
    >
      {archive ? (
        <PieceFiles files={[{ ...archive, label: 'Download', fullLabel: `Download ${projectName} with its test` }]} />
      ) : null}
      {previewUrl ? (
        <details>
          <summary>Preview</summary>
          <iframe
            title={`Preview of ${projectName}`}
            src={previewUrl}
            sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals"
            style={{ width: '100%', height: 420, border: 0 }}
          />
        </details>
      ) : null}
    </Piece>
  );
}
