import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { WEB_AGENTS } from '../../agents/index.ts';
import { textOf } from '../../data/call.ts';
import { showFailure } from '../../data/toasts.ts';
import { takeVisitorTried } from '../../data/visitorTeam.ts';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './Desk.module.css';

/** The agent whose sample shows a first result; undefined where none has one. */
const starter = WEB_AGENTS.find(({ firstResult }) => firstResult);

/** What the person's role may do, in a sentence; null for an owner, who may do everything. */
function roleText({ roles }: Pick<SessionUser, 'roles'>): string | null {
  if (roles.includes('owner')) return null;
  return roles.every((role) => role === 'member')
    ? 'You can upload files, start work and read every result. Other people answer the agents’ questions; each question says who can.'
    : 'Questions that you can answer appear here and in your inbox; every other question says who can. You can also start work yourself.';
}

/**
 * For people who are new: how to get a first result, and what their role may do.
 * @param others questions that this person may not answer, in words; null where none waits
 */
export function FirstResult({ user, others }: { user: SessionUser; others: string | null }) {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sample that a visitor tried is started only once
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
        {others ? <p className="soft small">Waiting: {others}.</p> : null}
      </div>
      <WorkButton busy={busy} onClick={start}>
        {first.button}
      </WorkButton>
    </section>
  );
}
