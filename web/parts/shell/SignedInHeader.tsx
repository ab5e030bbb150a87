import '../../styles/mantineSignedIn.css';
import { Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconBell,
  IconLayoutDashboard,
  IconListDetails,
  IconLogout,
  IconMessageCircle,
  IconReportSearch,
  IconSearch,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Link, NavLink } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { statusText, useAgents } from '../../data/agents.ts';
import { textOf } from '../../data/call.ts';
import { type Question, useAsked } from '../../data/live.ts';
import { goToCompany, nameOf, signOut, useCompanies } from '../../data/session.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import classes from './Header.module.css';
import { useWaitingInTitle } from './pageTitle.ts';

const InboxDialog = lazy(async () => ({ default: (await import('../inbox/InboxDialog.tsx')).InboxDialog }));

const SearchDialog = lazy(async () => ({ default: (await import('../search/SearchDialog.tsx')).SearchDialog }));

/** The pages that people go to and fro between, beside the dashboard. */
const PLACES = [
  { to: '/arc-chat', label: 'Chat', Icon: IconMessageCircle },
  ...AGENTS.flatMap(({ places = [] }) =>
    places.map(({ path, title }) => ({ to: path, label: title, Icon: IconReportSearch })),
  ),
  { to: '/agent-inbox', label: 'Inbox', Icon: IconBell },
];

/** How much later than the announcement of a question its message in the chat can be. */
const MESSAGE_DELAY_MS = 600;

const schemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Links to the main pages, the search, agent status, the inbox bell and the user menu. */
export function SignedInHeader({ user }: { user: SessionUser }) {
  const hired = useAgents(true).data;
  const agents = hired ?? [];
  const status = hired ? statusText(hired) : '';
  const waiting = agents.reduce((sum, agent) => sum + agent.pendingInterrupts, 0);
  const [open, setOpen] = useState<{ interruptId: number | null } | null>(null);
  const [searching, setSearching] = useState(false);
  useWaitingInTitle(waiting);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setSearching(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

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
        {PLACES.map(({ to, label }) => (
          <NavLink key={to} to={to}>
            {label}
          </NavLink>
        ))}
      </nav>
      <span className={classes.status}>{status}</span>
      <button
        type="button"
        className={classes.search}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setSearching(true)}
      >
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
      <UserMenu user={user} status={status} />
      {open ? (
        <Suspense fallback={null}>
          <InboxDialog agents={agents} interruptId={open.interruptId} onClose={() => setOpen(null)} />
        </Suspense>
      ) : null}
      {searching ? (
        <Suspense fallback={null}>
          <SearchDialog user={user} onClose={() => setSearching(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function UserMenu({ user, status }: { user: SessionUser; status: string }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const companies = useCompanies().data?.accounts ?? [];
  const [isOpen, setIsOpen] = useState(false);
  const letter = user.firstName?.trim().charAt(0).toUpperCase();
  const leave = () => {
    signOut().catch(() => showFailure('Log out failed', 'You are still logged in. Please try again.'));
  };
  return (
    <Menu
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width={264}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          className={classes.round}
          aria-label={`Account menu, ${nameOf(user)}`}
          // The menu itself closes on Escape only once the focus has moved into it.
          onKeyDown={(event) => event.key === 'Escape' && setIsOpen(false)}
        >
          <span className={classes.avatar} aria-hidden>
            {letter ?? <IconUser size={16} />}
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <p>
            <strong>{nameOf(user)}</strong>
          </p>
          <p className="soft small">{status}</p>
        </div>
        <Menu.Divider />
        {PLACES.map(({ to, label, Icon }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} aria-hidden />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item component={Link} to="/workspace" leftSection={<IconUsersGroup size={16} aria-hidden />}>
          My Workspace
        </Menu.Item>
        {user.roles.includes('owner') ? (
          <Menu.Item component={Link} to="/audit" leftSection={<IconListDetails size={16} aria-hidden />}>
            Audit
          </Menu.Item>
        ) : null}
        {user.isAdmin ? (
          <Menu.Item component={Link} to="/admin" leftSection={<IconLayoutDashboard size={16} aria-hidden />}>
            Admin Dashboard
          </Menu.Item>
        ) : null}
        {companies.length > 1 ? <CompanyItems companies={companies} /> : null}
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {schemes.map((scheme) => (
            <Menu.RadioItem key={scheme.value} value={scheme.value}>
              {scheme.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Menu items to switch company. */
function CompanyItems({ companies }: { companies: readonly { accountId: number; name: string; current: boolean }[] }) {
  const go = (accountId: number) => {
    goToCompany(accountId).catch((error: unknown) =>
      showFailure('You are still in the same company', textOf(error, 'Please try again.')),
    );
  };
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Switch company</Menu.Label>
      {companies.map(({ accountId, name, current }) => (
        <Menu.Item key={accountId} disabled={current} onClick={() => go(accountId)}>
          {current ? `${name} (you are here)` : name}
        </Menu.Item>
      ))}
    </>
  );
}
