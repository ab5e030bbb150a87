import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import {
  describeAsker,
  describeFigures,
  describeNext,
  hasDesk,
  pathToContinue,
} from '../../../models/contracts/deskWords.ts';
import { useDesk } from '../../data/desk.ts';
import { count, momentOf } from '../../data/words.ts';
import { Skeleton } from '../../parts/Skeleton.tsx';
import classes from './Desk.module.css';

// Loads the agents' code for a first result only for people who are new.
const FirstResult = lazy(async () => ({ default: (await import('./FirstResult.tsx')).FirstResult }));

/** Questions that this person may not answer, with whom each waits for. */
const othersText = (waiting: number): string => `${count(waiting, 'question')} for others to answer`;

/**
 * For people who return: what waits for them, the newest result, and the next scheduled run. For people who are new: how
 * to get a first result, and what their role may do.
 * @param canStart whether new work may be started in the chat
 */
export function Desk({ user, canStart }: { user: SessionUser; canStart: boolean }) {
  const { data, error } = useDesk();
  if (error && !data) return null;
  const loading = (
    <div className={`card ${classes.loading}`}>
      <Skeleton lines={2} />
    </div>
  );
  if (!data) return loading;
  const others = data.waitingForOthers > 0 ? othersText(data.waitingForOthers) : null;
  const [assigned] = data.assigned;
  if (!hasDesk(data)) {
    return canStart ? (
      <Suspense fallback={loading}>
        <FirstResult user={user} others={others} />
      </Suspense>
    ) : null;
  }
  return (
    <section className={`card ${classes.desk}`} aria-label="Where you left off">
      <Cell label="Waiting for you">
        {data.next ? (
          <>
            <strong className="figures">{describeNext(data.next)}</strong>
            <span className="soft small">{describeAsker(data)}</span>
          </>
        ) : (
          <>
            {assigned ? null : <strong>Nothing</strong>}
            {others ? (
              <Link className="small" to="/agent-inbox">
                {others}
              </Link>
            ) : null}
          </>
        )}
        {data.assigned.map(({ text, path }) => (
          <Link key={path} className="figures" to={path}>
            {text}
          </Link>
        ))}
      </Cell>
      <Cell label="Latest result" className={classes.newest}>
        {data.newest ? (
          <>
            <Link to={data.newest.path} className="figures">
              {describeFigures(data.newest)}
            </Link>
            <span className="soft small">
              {data.newest.title}, {momentOf(data.newest.at)}
            </span>
            {data.newest.changed ? <span className="soft small figures">{data.newest.changed}</span> : null}
          </>
        ) : (
          <span className="soft">No analysis so far</span>
        )}
      </Cell>
      <Cell label="Next scheduled run">
        {data.nextRun ? (
          <>
            <strong className="figures">{momentOf(data.nextRun.at)}</strong>
            <span className="soft small">{data.nextRun.name}</span>
          </>
        ) : (
          <span className="soft">None scheduled</span>
        )}
      </Cell>
      <Button component={Link} to={pathToContinue(data)} className={classes.go}>
        Continue
      </Button>
    </section>
  );
}

function Cell({ label, className = '', children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={`${classes.cell} ${className}`}>
      <h2>{label}</h2>
      {children}
    </div>
  );
}
