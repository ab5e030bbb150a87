import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import type { readDesk } from '../../../models/contracts/desk.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { WEB_AGENTS } from '../../agents/index.ts';
import { textOf } from '../../data/call.ts';
import { useDesk } from '../../data/desk.ts';
import { showFailure } from '../../data/toasts.ts';
import { takeVisitorTried } from '../../data/visitorTeam.ts';
import { count, momentOf } from '../../data/words.ts';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './Desk.module.css';

type Read = AnswerOf<typeof readDesk>;

/** "Review, 31 of 50". */
const nextText = ({ label, progress }: NonNullable<Read['next']>): string =>
  progress ? `${label}, ${progress.decided} of ${progress.of}` : label;

/** Questions that this person may not answer; each says itself whom it waits for. */
const othersText = (waiting: number): string => `${count(waiting, 'question')} for others to answer`;

/**
 * For who comes back: what waits for them, the newest result, and the next scheduled run. For who is new: the way to a
 * first result, and what their role may do.
 * @param canStart whether new work may be started in the chat
 */
export function Desk({ user, canStart }: { user: SessionUser; canStart: boolean }) {
  const { data, error } = useDesk();
  if (error && !data) return null;
  if (!data)
    return (
      <div className={`card ${classes.loading}`}>
        <Skeleton lines={2} />
      </div>
    );
  const [assigned] = data.assigned;
  if (!data.next && !assigned && !data.newest && !data.nextRun)
    return canStart ? <FirstResult user={user} data={data} /> : null;
  const to = data.next
    ? `/agent-inbox?interrupt=${data.next.interruptId}`
    : (assigned?.path ?? data.newest?.path ?? '/arc-chat');
  const others = data.waitingForOthers > 0 ? othersText(data.waitingForOthers) : null;
  return (
    <section className={`card ${classes.desk}`} aria-label="Where you left off">
      <Cell label="Waiting for you">
        {data.next ? (
          <>
            <strong className="figures">{nextText(data.next)}</strong>
            <span className="soft small">
              {data.next.agentName}
              {data.waiting > 1 ? `, and ${data.waiting - 1} more` : ''}
            </span>
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
      <Cell label="Latest result">
        {data.newest ? (
          <>
            <Link to={data.newest.path} className="figures">
              {data.newest.figures
                .map(({ label, value }) => (label === 'coverage' ? `${label} ${value}` : `${value} ${label}`))
                .join(', ')}
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
      <Button component={Link} to={to} className={classes.go}>
        Continue
      </Button>
    </section>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.cell}>
      <h2>{label}</h2>
      {children}
    </div>
  );
}

/** The agent whose sample shows a first result; undefined where none has one. */
const starter = WEB_AGENTS.find(({ firstResult }) => firstResult);

/** What the person's role may do, in a sentence; null for an owner, who may do everything. */
function roleText({ roles }: Pick<SessionUser, 'roles'>): string | null {
  if (roles.includes('owner')) return null;
  return roles.every((role) => role === 'member')
    ? 'You can upload files, start work and read every result. Others answer the questions that agents ask; each says who may.'
    : 'Questions that you may answer appear here and in your inbox; each other one says who may. You can also start work yourself.';
}

function FirstResult({ user, data }: { user: SessionUser; data: Read }) {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a visitor tried is brought along once
  useEffect(() => {
    if (takeVisitorTried()) void start();
  }, []);
  const first = starter?.firstResult;
  const role = roleText(user);
  const start = async () => {
    setBusy(true);
    try {
      await first?.start();
      await navigate('/#chat');
    } catch (error) {
      showFailure('The sample could not be started', textOf(error, 'Nothing was changed. Please try again.'));
      setBusy(false);
    }
  };
  if (!first) return null;
  return (
    <section className={`card ${classes.first}`} aria-label="Your first result">
      <div>
        <h2>{first.title}</h2>
        <p className="soft">{first.text}</p>
        {role ? <p>{role}</p> : null}
        {data.waitingForOthers > 0 ? <p className="soft small">Waiting: {othersText(data.waitingForOthers)}.</p> : null}
      </div>
      <WorkButton busy={busy} onClick={start}>
        {first.button}
      </WorkButton>
    </section>
  );
}
