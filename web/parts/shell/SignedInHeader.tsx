import '../../styles/mantineFrame.css';
import { IconBell, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { NavLink } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { statusText, useAgents } from '../../data/agents.ts';
import { type Question, useAsked } from '../../data/live.ts';
import { showToast } from '../../data/toasts.ts';
import classes from './Header.module.css';
import { MAIN_PLACES } from './mainPlaces.ts';
import { useWaitingInTitle } from './pageTitle.ts';
import { useSearchKey } from './useSearchKey.ts';

const InboxDialog = lazy(async () => ({ default: (await import('../inbox/InboxDialog.tsx')).InboxDialog }));

const UserMenu = lazy(async () => ({ default: (await import('./UserMenu.tsx')).UserMenu }));

const SearchDialog = lazy(async () => ({ default: (await import('../search/SearchDialog.tsx')).SearchDialog }));

/** How much later than the announcement of a question its message in the chat can be. */
const MESSAGE_DELAY_MS = 600;

/** Links to the main pages, the search, agent status, the inbox bell and the user menu. */
export function SignedInHeader({ user }: { user: SessionUser }) {
  const hired = useAgents(true).data;
  const agents = hired ?? [];
  const status = hired ? statusText(hired) : '';
  const waiting = agents.reduce((sum, agent) => sum + agent.waitingForYou, 0);
  const [open, setOpen] = useState<{ interruptId: number | null } | null>(null);
  const search = useSearchKey();
  useWaitingInTitle(waiting);

  const showQuestion = useCallback(async (question: Question) => {
    // Its message may be on its way: where the chat shows the question, an announcement would only cover it.
    await new Promise((resolve) => setTimeout(resolve, MESSAGE_DELAY_MS));
    if (document.querySelector(`[data-asks="${question.interruptId}"]`)) return;
    showToast({
      title: 'Agent Needs Input',
      message: `${question.agentName}: ${question.prompt}`,
      tone: 'waiting',
      interruptId: question.interruptId,
      action: { label: 'View', run: () => setOpen({ interruptId: question.interruptId }) },
    });
  }, []);
  useAsked(showQuestion);

  const shown = waiting > LIMITS.badgeMax ? `${LIMITS.badgeMax}+` : String(waiting);
  return (
    <>
      <nav className={classes.places} aria-label="Main pages">
        {MAIN_PLACES.map(({ to, label }) => (
          <NavLink key={to} to={to}>
            {label}
          </NavLink>
        ))}
      </nav>
      <span className={classes.status}>{status}</span>
      <button type="button" className={classes.search} aria-keyshortcuts="Control+K Meta+K" onClick={search.open}>
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <span className={classes.searchLabel}>Search</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      <button
        type="button"
        className={classes.round}
        aria-label={waiting === 0 ? 'Agent inbox' : `Agent inbox, ${waiting} waiting`}
        onClick={() => setOpen({ interruptId: null })}
      >
        <IconBell size={20} stroke={1.7} aria-hidden />
        {waiting > 0 ? <span className={classes.badge}>{shown}</span> : null}
      </button>
      <Suspense fallback={<span className={classes.round} aria-hidden />}>
        <UserMenu user={user} status={status} />
      </Suspense>
      {open ? (
        <Suspense fallback={null}>
          <InboxDialog agents={agents} interruptId={open.interruptId} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
      {search.isSearching ? (
        <Suspense fallback={null}>
          <SearchDialog user={user} takeTyped={search.takeTyped} onClose={search.close} />
        </Suspense>
      ) : null}
    </>
  );
}
