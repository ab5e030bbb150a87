import { useState } from 'react';
import type { RunProgress } from '../../../models/contracts/chat.ts';
import { textOf } from '../../data/call.ts';
import { cancel } from '../../data/chat.ts';
import { showFailure } from '../../data/toasts.ts';
import { MessageText } from '../MessageText.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './ChatWindow.module.css';

/** An answer that is being written: what has been said so far, what the agent does now, and a stop button. */
export function ThinkingLine({ run }: { run: RunProgress }) {
  const [stopping, setStopping] = useState(false);
  const stop = async () => {
    setStopping(true);
    try {
      await cancel(run.runId);
    } catch (error) {
      showFailure('The answer was not stopped', textOf(error, 'It is still being written. Please try again.'));
      setStopping(false);
    }
  };
  return (
    <section className={classes.thinking} aria-label={`${run.agentName} is answering`} aria-busy="true">
      {run.said ? (
        <div className={classes.body}>
          <MessageText text={run.said} />
        </div>
      ) : null}
      <div className={classes.thinkingNow}>
        <span className={classes.pulse} aria-hidden />
        <span>{run.label}…</span>
        {run.cancellable ? (
          <WorkButton size="compact-xs" variant="subtle" busy={stopping} onClick={stop}>
            Stop
          </WorkButton>
        ) : null}
      </div>
    </section>
  );
}
