import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { UserStatistics } from '../../../models/contracts/admin.ts';
import { type UserSort, useUserStats } from '../../data/admin.ts';
import { grouped } from '../../data/words.ts';
import { Notice } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import classes from './Admin.module.css';
import { AdminOnly } from './AdminOnly.tsx';
import { SetPlanDialog } from './SetPlanDialog.tsx';
import { Summary } from './Summary.tsx';

/** Users per page (docs/spec-coverage.md, S2 section 9). */
const PAGE_SIZE = 20;
/** Pause in typing before the server is asked. */
const SEARCH_PAUSE_MS = 250;

/** First and last name if both are set, else the first name, else the email. */
function displayName(user: UserStatistics): string {
  return user.firstName && user.lastName ? `${user.firstName} ${user.lastName}` : user.firstName || user.email;
}

function initials(user: UserStatistics): string {
  if (user.firstName && user.lastName) return (user.firstName.charAt(0) + user.lastName.charAt(0)).toUpperCase();
  return (user.firstName || user.email).charAt(0).toUpperCase();
}

function joinedDate(user: UserStatistics): string {
  if (!user.createdAt) return 'Unknown';
  return new Date(user.createdAt).toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
}

const columns: Column<UserStatistics>[] = [
  {
    id: 'user',
    header: 'User',
    cell: (user) => (
      <span className={classes.user}>
        <span className={classes.avatar} aria-hidden>
          {initials(user)}
        </span>
        <span>
          <Link to={`/admin/users/${user.id}`}>{displayName(user)}</Link>
          <br />
          <span className="soft small">ID: {user.id}</span>
        </span>
      </span>
    ),
  },
  { id: 'email', header: 'Email', cell: (user) => user.email },
  { id: 'joined', header: 'Joined', width: '120px', cell: joinedDate },
  { id: 'agents', header: 'Agents', align: 'right', width: '84px', cell: (user) => grouped(user.agentCount) },
  {
    id: 'integrations',
    header: 'Integrations',
    align: 'right',
    width: '110px',
    cell: (user) => grouped(user.integrationCount),
  },
  {
    id: 'billing',
    header: 'Billing',
    width: '100px',
    cell: (user) => (
      <span>
        <Tag tone={user.billingStatus === 'premium' ? 'done' : user.billingStatus === 'pro' ? 'blue' : 'plain'}>
          {user.billingStatus}
        </Tag>
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    width: '90px',
    cell: (user) => <span>{user.isAdmin ? <Tag tone="accent">Admin</Tag> : <Tag tone="outline">User</Tag>}</span>,
  },
];

/** Every user with their activity. */
export function AdminPage() {
  return (
    <AdminOnly title="Admin Dashboard">
      <Users />
    </AdminOnly>
  );
}

function Users() {
  const [page, setPage] = useState(1);
  const [sort, setSort] = useState<UserSort>('joined');
  const [paged, setPaged] = useState(false);
  const [planning, setPlanning] = useState(false);
  const [words, setWords] = useState('');
  const [search] = useDebouncedValue(words.trim(), SEARCH_PAUSE_MS);
  const read = useUserStats(paged ? page : 1, sort, search);
  const { error, mutate } = read;
  // While a search is read, the page keeps its place and its field.
  const last = useRef(read.data);
  if (read.data) last.current = read.data;
  const data = read.data ?? (error ? undefined : last.current);
  if (data && data.paged !== paged) setPaged(data.paged);
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / PAGE_SIZE));
  const from = (page - 1) * PAGE_SIZE;
  const shown = data ? (data.paged ? data.users : data.users.slice(from, from + PAGE_SIZE)) : [];
  return (
    <Page title="Admin Dashboard">
      <PageHead
        title="Admin Dashboard"
        subtitle="User management and analytics"
        before={
          <Link to="/" className={classes.back}>
            <IconArrowLeft size={16} aria-hidden />
            Back to Home
          </Link>
        }
        actions={
          <>
            <Button variant="default" disabled={!data} onClick={() => setPlanning(true)}>
              Set a plan
            </Button>
            <Button component={Link} to="/admin/tokens" variant="default">
              Manage Tokens
            </Button>
            <Button component={Link} to="/admin/failures" variant="default">
              What failed
            </Button>
          </>
        }
      />
      {planning ? <SetPlanDialog onClose={() => setPlanning(false)} /> : null}
      {error && !data ? (
        <Notice
          tone="error"
          title="Failed to fetch users"
          text="Nothing was changed. Check your connection and try again."
          action={<Button onClick={() => void mutate()}>Try again</Button>}
        />
      ) : !data ? (
        <Skeleton lines={8} height={18} />
      ) : (
        <>
          <Summary
            figures={[
              { value: data.totals.users, label: 'Total Users', note: 'Registered users' },
              { value: data.totals.agents, label: 'Active Agents', note: 'Total hired agents' },
              { value: data.totals.integrations, label: 'Integrations', note: 'Total active integrations' },
              { value: data.totals.admins, label: 'Admins', note: 'Admin users' },
            ]}
          />
          <div className={classes.tableHead}>
            <div>
              <h2>Users</h2>
              <p className="soft">All registered users and their activity summary</p>
            </div>
            <TextInput
              aria-label="Search users"
              placeholder="Name or email"
              size="xs"
              value={words}
              maxLength={200}
              onChange={(event) => {
                setWords(event.currentTarget.value);
                setPage(1);
              }}
            />
            <NativeSelect
              aria-label="Sort users by"
              size="xs"
              value={sort}
              onChange={(event) => {
                setSort(event.currentTarget.value as UserSort);
                setPage(1);
              }}
              data={[
                { value: 'joined', label: 'Newest first' },
                { value: 'email', label: 'By email' },
                { value: 'agents', label: 'Most agents first' },
              ]}
            />
          </div>
          <SortableTable
            label="Users"
            rows={shown}
            columns={columns}
            keyOf={(user) => String(user.id)}
            empty={search ? 'No user has these words in name or email.' : 'Nobody has signed up yet.'}
          />
          {pages > 1 ? (
            <nav className={classes.pages} aria-label="User pages">
              <span className="soft figures">
                Showing {from + 1} to {Math.min(from + PAGE_SIZE, data.total)} of {data.total} users
              </span>
              <span className={classes.pageButtons}>
                <Button size="xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Previous
                </Button>
                <span className="figures">
                  Page {page} of {pages}
                </span>
                <Button size="xs" variant="default" disabled={page === pages} onClick={() => setPage(page + 1)}>
                  Next
                </Button>
              </span>
            </nav>
          ) : null}
        </>
      )}
    </Page>
  );
}
