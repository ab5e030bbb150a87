import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AutomationJob, ScheduledRun } from '../../../models/contracts/automation.ts';
import { useScheduledRuns } from '../../data/automation.ts';
import { count, momentOf } from '../../data/words.ts';
import { SectionNotLoaded } from '../NotLoaded.tsx';
import { Tag } from '../Tag.tsx';
import classes from './AutomationPanel.module.css';

const STATUSES: Record<ScheduledRun['status'], { label: string; tone: 'done' | 'waiting' | 'error' | 'plain' }> = {
  'not-started': { label: 'Not run', tone: 'error' },
  running: { label: 'Running', tone: 'plain' },
  waiting: { label: 'Waits for an answer', tone: 'waiting' },
  completed: { label: 'Completed', tone: 'done' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
};

/** The next times of scheduled work, and what came of the last ones. */
export function JobHistory({ job }: { job: AutomationJob }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Next times and history<span className="hidden-label"> of {job.name}</span>
      </summary>
      {open ? <Times job={job} /> : null}
    </details>
  );
}

function Times({ job }: { job: AutomationJob }) {
  const { data, error, mutate } = useScheduledRuns(job.id);
  return (
    <>
      <h4>Next, {job.timeZone}</h4>
      {job.nextRuns.length > 0 ? (
        <ol className={classes.times}>
          {job.nextRuns.map((at) => (
            <li key={at}>{momentOf(at, job.timeZone)}</li>
          ))}
        </ol>
      ) : (
        <p className="soft small">Paused: it does not run.</p>
      )}
      <h4>Last</h4>
      {!data ? (
        <SectionNotLoaded title="The history could not be loaded" failed={Boolean(error)} retry={mutate} lines={2} />
      ) : data.runs.length === 0 ? (
        <p className="soft small">It has not run yet.</p>
      ) : (
        <ul className={classes.runs}>
          {data.runs.map((run) => (
            <li key={run.at}>
              <span>{momentOf(run.at, job.timeZone)}</span>
              <Tag tone={STATUSES[run.status].tone}>{STATUSES[run.status].label}</Tag>
              {run.status === 'not-started' ? null : <span className="soft small">{count(run.credits, 'credit')}</span>}
              {run.result ? <Link to={run.result}>Open the result</Link> : null}
              {run.chat ? <Link to={run.chat}>Open the chat</Link> : null}
              {run.text ? <p className="small">{run.text}</p> : null}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
