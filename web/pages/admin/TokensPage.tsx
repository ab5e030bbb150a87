import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { useUserTokens } from '../../data/admin.ts';
import { grouped } from '../../data/words.ts';
import { Notice } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import { AddTokensDialog } from './AddTokensDialog.tsx';
import classes from './Admin.module.css';
import { AdminOnly } from './AdminOnly.tsx';
import { Summary } from './Summary.tsx';

type UserTokens = { id: number; email: string; tokensUsed: number; tokensRemaining: number };

/** Class of the colour for remaining tokens. */
function levelClass(remaining: number): string {
  if (remaining < LIMITS.credits.low) return classes.red ?? '';
  return (remaining < LIMITS.credits.running ? classes.yellow : classes.green) ?? '';
}

const columns: Column<UserTokens>[] = [
  {
    id: 'id',
    header: 'User ID',
    width: '100px',
    sort: (user) => user.id,
    cell: (user) => <span className="figures">{user.id}</span>,
  },
  { id: 'email', header: 'Email', sort: (user) => user.email, cell: (user) => user.email },
  {
    id: 'remaining',
    header: 'Tokens Remaining',
    align: 'right',
    width: '160px',
    sort: (user) => user.tokensRemaining,
    cell: (user) => <span className={levelClass(user.tokensRemaining)}>{grouped(user.tokensRemaining)}</span>,
  },
  {
    id: 'used',
    header: 'Tokens Used',
    align: 'right',
    width: '140px',
    sort: (user) => user.tokensUsed,
    cell: (user) => grouped(user.tokensUsed),
  },
  {
    id: 'granted',
    header: 'Total Granted',
    align: 'right',
    width: '140px',
    sort: (user) => user.tokensRemaining + user.tokensUsed,
    cell: (user) => grouped(user.tokensRemaining + user.tokensUsed),
  },
];

/** Every user's credits, with a dialog to add some. */
export function TokensPage() {
  return (
    <AdminOnly title="Token Management">
      <Tokens />
    </AdminOnly>
  );
}

function Tokens() {
  const { data, error, mutate } = useUserTokens();
  const [adding, setAdding] = useState(false);
  const users = data?.users ?? [];
  return (
    <Page title="Token Management">
      <PageHead
        title="Token Management"
        subtitle="Manage user API token credits"
        before={
          <Link to="/admin" className={classes.back}>
            <IconArrowLeft size={16} aria-hidden />
            Back to Admin
          </Link>
        }
        actions={data ? <Button onClick={() => setAdding(true)}>Add Tokens</Button> : null}
      />
      {error && !data ? (
        <Notice
          tone="error"
          title="Failed to fetch user tokens"
          text="Nothing was changed. Check your connection and try again."
          action={<Button onClick={() => void mutate()}>Try again</Button>}
        />
      ) : !data ? (
        <p role="status">Loading user token data...</p>
      ) : (
        <>
          <Summary
            figures={[
              { value: users.length, label: 'Total Users', note: 'Registered users' },
              { value: data.totals.tokensUsed, label: 'Total Tokens Used', note: 'Across all accounts' },
              {
                value: data.totals.tokensRemaining,
                label: 'Total Tokens Remaining',
                note: 'Across all accounts',
              },
              {
                value: users.filter((user) => user.tokensRemaining < LIMITS.credits.running).length,
                label: 'Low Token Users',
                note: '< 10,000 tokens',
              },
            ]}
          />
          <div className={classes.tableHead}>
            <h2>User Token Balances</h2>
          </div>
          <SortableTable
            label="User Token Balances"
            rows={users}
            columns={columns}
            keyOf={(user) => String(user.id)}
            empty="Nobody has signed up yet."
          />
        </>
      )}
      {adding ? <AddTokensDialog users={users} onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}
