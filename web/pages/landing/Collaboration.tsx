import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { AgentOutput } from '../../../models/contracts/collaborate.ts';
import { totalTime } from '../../data/words.ts';
import outcome from '../../parts/agents/Outcome.module.css';
import { MessageText } from '../../parts/MessageText.tsx';
import { Monogram } from '../../parts/Monogram.tsx';
import classes from './LandingPage.module.css';

/** The agents' results for a goal, the total time and the next steps. Prints as a document. */
export function Collaboration({
  goal,
  outputs,
  message,
  milliseconds,
  onNew,
}: {
  goal: string;
  outputs: readonly AgentOutput[];
  message: string;
  milliseconds: number;
  onNew: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves focus to the result, so that keyboard and screen reader users continue there.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  }, []);
  return (
    <section className={outcome.outcome} aria-labelledby="collaboration">
      <h2 id="collaboration" ref={heading} tabIndex={-1}>
        Collaboration Complete
      </h2>
      <p className={classes.goal}>
        <span className="soft">Your goal: </span>
        {goal}
      </p>
      <div className={classes.pair}>
        {outputs.map((output) => (
          <article
            key={output.agentId}
            className={`card ${classes.output}`}
            aria-label={`Result of ${output.agentName}`}
          >
            <div className={classes.outputHead}>
              <Monogram agentId={output.agentId} size={32} />
              <div>
                <h3>{output.role}</h3>
                <p className="soft small">{output.agentName}</p>
              </div>
            </div>
            <p className="soft">{output.thinking}</p>
            <MessageText text={output.output} />
          </article>
        ))}
      </div>
      <div className={`card ${classes.complete}`}>
        <p>
          Total time: <strong className="figures">{totalTime(milliseconds)}</strong>.{' '}
          <span className="soft">{message}</span>
        </p>
        <h3>Next steps</h3>
        <ul>
          <li>Review and refine design mockups</li>
          <li>Set up A/B testing for marketing copy</li>
          <li>Begin development with the recommended tech stack</li>
        </ul>
        <p className="no-print">
          <strong>Sign up to put your team to work on this goal.</strong> It is kept, and so is your team.
        </p>
        <div className={`${classes.promptActions} no-print`}>
          <Button component={Link} to="/auth?tab=signup">
            Sign up for free
          </Button>
          <Button variant="default" onClick={onNew}>
            New Collaboration
          </Button>
          <Button variant="default" onClick={() => window.print()}>
            Export Results
          </Button>
        </div>
      </div>
    </section>
  );
}
