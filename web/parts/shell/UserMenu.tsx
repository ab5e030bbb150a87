import '../../styles/wholePage.ts';
import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconLayoutDashboard, IconListDetails, IconLogout, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { textOf } from '../../data/call.ts';
import { goToCompany, nameOf, signOut, useCompanies } from '../../data/session.ts';
import { showFailure } from '../../data/toasts.ts';
import classes from './Header.module.css';
import { MAIN_PLACES } from './mainPlaces.ts';

const schemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** The account menu: pages, companies, the theme and logging out. */
export function UserMenu({ user, status }: { user: SessionUser; status: string }) {
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
        {MAIN_PLACES.map(({ to, label, Icon }) => (
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
