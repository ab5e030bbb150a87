import { IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { RunProgress } from '../../../models/contracts/chat.ts';
import { textOf } from '../../data/call.ts';
import { cancel } from '../../data/chat.ts';
import { showFailure } from '../../data/toasts.ts';
import { elapsed } from '../../data/words.ts';
import { WorkButton } from '../WorkButton.tsx';
import classes from './ChatWindow.module.css';

/** Running work: steps, current activity, elapsed time and a cancel button. */
export function ProgressCard({ run }: { run: RunProgress }) {
  const [now, setNow] = useState(Date.now);
  const [stopping, setStopping] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const share = run.total > 0 ? Math.min(100, Math.round((run.done / run.total) * 100)) : 0;
  const states = { todo: 'to do', doing: 'in progress', done: 'done' };

  const stop = async () => {
    setStopping(true);
    try {
      await cancel(run.runId);
    } catch (error) {
      showFailure('The work was not cancelled', textOf(error, 'It is still running. Please try again.'));
      setStopping(false);
    }
  };
  return (
    <section className={classes.progress} aria-label={`${run.agentName} is working: ${run.title}`}>
      <div className={classes.progressHead}>
        <strong>{run.title}</strong>
        {run.cancellable ? (
          <WorkButton size="xs" variant="default" busy={stopping} onClick={stop}>
            Cancel
          </WorkButton>
        ) : null}
      </div>
      <ol className={classes.steps}>
        {run.steps.map((step) => (
          <li key={step.id} data-state={step.state}>
            <span className={classes.mark} aria-hidden>
              {step.state === 'done' ? <IconCheck size={9} stroke={4} /> : null}
            </span>
            {step.label}
            <span className="hidden-label">, {states[step.state]}</span>
          </li>
        ))}
      </ol>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={run.title}
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${share}%` }} />
      </div>
      <div className={classes.progressLabel}>
        <span>{run.label}</span>
        <span>{elapsed(now - Date.parse(run.startedAt))}</span>
      </div>
    </section>
  );
}
