import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import type { UserDetails } from '../../../models/contracts/admin.ts';
import { endSessionOfUser, endSessionsOfUser, useUserDetails } from '../../data/admin.ts';
import { codeOf } from '../../data/call.ts';
import { parseId } from '../../data/parseId.ts';
import { useSession } from '../../data/session.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { dateOf, momentOf } from '../../data/words.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { Callout, Notice } from '../../parts/Notice.tsx';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import classes from './Admin.module.css';
import { AdminOnly } from './AdminOnly.tsx';
import { FAILURE_COLUMNS } from './failureColumns.tsx';
import { AGENTS, COMPANIES, CONNECTIONS, GRANTS, RUNS } from './userColumns.tsx';

const TITLE = 'User';

/** One user, as administrators see them: no content of their companies and no secrets. */
export function UserPage() {
  const id = parseId(useParams().id);
  return (
    <AdminOnly title={TITLE}>
      {id === null ? (
        <Page title={TITLE}>
          <NoSuchUser />
        </Page>
      ) : (
        <OneUser id={id} />
      )}
    </AdminOnly>
  );
}

const NoSuchUser = () => (
  <Notice
    level={1}
    title="There is no such user"
    text="They may have been erased, or the address is incomplete."
    action={
      <Button component={Link} to="/admin">
        See all users
      </Button>
    }
  />
);

const nameOf = ({ firstName, lastName, email }: UserDetails['user']) =>
  [firstName, lastName].filter(Boolean).join(' ') || email;

function OneUser({ id }: { id: number }) {
  const { data, error, mutate } = useUserDetails(id);
  if (!data && codeOf(error) === 'not_found') {
    return (
      <Page title={TITLE}>
        <NoSuchUser />
      </Page>
    );
  }
  const name = data ? nameOf(data.user) : TITLE;
  return (
    <Page title={name}>
      <PageHead
        title={name}
        {...(data ? { subtitle: subtitleOf(data.user) } : {})}
        before={
          <Link to="/admin" className={classes.back}>
            <IconArrowLeft size={16} aria-hidden />
            Back to Admin
          </Link>
        }
      />
      {data ? <Details data={data} name={name} /> : <NotLoaded failed={Boolean(error)} retry={mutate} />}
    </Page>
  );
}

function subtitleOf({ email, id, createdAt, emailVerified, isAdmin }: UserDetails['user']): string {
  const joined = createdAt ? [`joined ${dateOf(createdAt)}`] : [];
  return [
    email,
    `ID: ${id}`,
    ...joined,
    emailVerified ? 'e-mail verified' : 'e-mail not verified',
    isAdmin ? 'admin' : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function Details({ data, name }: { data: UserDetails; name: string }) {
  const { mailRefusedAt } = data.user;
  return (
    <>
      {mailRefusedAt ? (
        <Callout tone="waiting" title="No notices are mailed to this person">
          Their mail server refused the address on {dateOf(mailRefusedAt)}.
        </Callout>
      ) : null}
      <Section title="Companies" rows={data.companies} columns={COMPANIES} empty="This person belongs to no company." />
      <Sessions data={data} name={name} />
      <Section title="Agents" rows={data.agents} columns={AGENTS} empty="No agent is hired." />
      <Section
        title="Latest work"
        note="Of every person of these companies, without what was asked or answered."
        rows={data.runs}
        columns={RUNS}
        empty="No work has been started."
      />
      <Section title="Connections" rows={data.connections} columns={CONNECTIONS} empty="Nothing was ever connected." />
      <Section title="Credits granted" rows={data.grants} columns={GRANTS} empty="No credits were granted." />
      <Section title="What failed last" rows={data.failures} columns={FAILURE_COLUMNS} empty="Nothing has failed." />
    </>
  );
}

function Section<Row>({
  title,
  note,
  rows,
  columns,
  empty,
}: {
  title: string;
  note?: string;
  rows: readonly Row[];
  columns: Column<Row>[];
  empty: string;
}) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {note ? <p className={`soft small ${classes.lead}`}>{note}</p> : null}
      <SortableTable
        label={title}
        rows={rows}
        columns={columns}
        keyOf={(row) => String(rows.indexOf(row))}
        empty={empty}
      />
    </section>
  );
}

function Sessions({ data: { user, sessions }, name }: { data: UserDetails; name: string }) {
  const { user: own } = useSession();
  const [, attempt] = useAttempt();
  const isOwn = own?.id === user.id;
  const columns: Column<UserDetails['sessions'][number]>[] = [
    { id: 'device', header: 'Browser', cell: ({ device }) => device ?? 'Another browser' },
    { id: 'company', header: 'Company', cell: ({ companyName }) => companyName },
    { id: 'since', header: 'Since', width: '130px', cell: ({ since }) => dateOf(since) },
    { id: 'used', header: 'Last used', width: '170px', cell: ({ lastUsed }) => momentOf(lastUsed) },
    {
      id: 'end',
      header: 'Sign out',
      width: '150px',
      cell: ({ id, device }) => (
        <ConfirmButton
          label="Sign out"
          of={device ?? 'another browser'}
          sure={`Sign ${name} out of ${device ?? 'another browser'}`}
          onConfirm={() => attempt(() => endSessionOfUser(user.id, id))}
        />
      ),
    },
  ];
  return (
    <section className={classes.section}>
      <div className={classes.tableHead}>
        <h2>Sessions</h2>
        {isOwn || sessions.length === 0 ? null : (
          <ConfirmButton
            label="Sign out everywhere"
            of={name}
            sure={`Sign ${name} out everywhere now`}
            note="Each of their companies can read in its audit that an administrator did this."
            onConfirm={() => attempt(() => endSessionsOfUser(user.id))}
          />
        )}
      </div>
      {isOwn ? (
        <p className={`soft small ${classes.lead}`}>
          These are your own. Sign out of them in your <Link to="/#preferences">preferences</Link>.
        </p>
      ) : null}
      <SortableTable
        label="Sessions"
        rows={sessions}
        columns={isOwn ? columns.slice(0, -1) : columns}
        keyOf={({ id }) => id}
        empty="Not signed in anywhere."
      />
    </section>
  );
}
