import '../../styles/wholePage.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router-dom';
import type { AuditEvent, AuditKind } from '../../../models/contracts/audit.ts';
import { type AuditFilter, useAudit } from '../../data/audit.ts';
import { textOf } from '../../data/call.ts';
import { useMembers } from '../../data/preferences.ts';
import { momentOf } from '../../data/words.ts';
import { Notice } from '../../parts/Notice.tsx';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { FilterBar } from '../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import classes from './AuditPage.module.css';
import { eventInWords, outcomeInWords, subjectInWords, surfaceInWords } from './eventWords.ts';
import { VerifyChain } from './VerifyChain.tsx';

/** The company's audit chain; only owners can read it. */
export function AuditPage() {
  return (
    <SignInNeeded title="Audit" text="Please sign in to see the audit." button="Sign In">
      {(user) =>
        user.roles.includes('owner') ? (
          <Audit />
        ) : (
          <Page title="Audit">
            <Notice
              level={1}
              icon={<IconListDetails size={20} />}
              title="Only owners see the audit"
              text="Ask an owner of the company to look something up."
              action={
                <Button component={Link} to="/">
                  Return to Home
                </Button>
              }
            />
          </Page>
        )
      }
    </SignInNeeded>
  );
}

const KINDS: { value: AuditKind | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'answers', label: 'Answers' },
  { value: 'work', label: 'Work' },
  { value: 'people', label: 'People' },
  { value: 'sign-ins', label: 'Sign-ins' },
  { value: 'agents', label: 'Agents' },
  { value: 'settings', label: 'Settings' },
];

function Audit() {
  const { data: members } = useMembers();
  const [kind, setKind] = useState('all');
  const [person, setPerson] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [words, setWords] = useState('');
  const search = useDeferredValue(words.trim());
  const filter: AuditFilter = {
    ...(kind === 'all' ? {} : { kind: kind as AuditKind }),
    ...(person === '' ? {} : { userId: Number(person) }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(search === '' ? {} : { search }),
  };
  const names = new Map((members?.members ?? []).map(({ userId, name }) => [userId, name]));
  return (
    <Page title="Audit">
      <PageHead
        title="Audit"
        subtitle="Who did what, when and where. Each row is sealed with the one before it, so nothing can be changed or removed unnoticed."
      />
      <VerifyChain />
      <FilterBar label="Events" options={KINDS} value={kind} onChange={setKind} words={words} onWords={setWords}>
        <NativeSelect
          aria-label="Person"
          size="xs"
          value={person}
          data={[
            { value: '', label: 'Everybody' },
            ...[...names].map(([userId, name]) => ({ value: String(userId), label: name })),
          ]}
          onChange={(event) => setPerson(event.currentTarget.value)}
        />
        <TextInput
          aria-label="From day"
          type="date"
          size="xs"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          aria-label="To day"
          type="date"
          size="xs"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </FilterBar>
      <Rows key={JSON.stringify(filter)} filter={filter} names={names} />
    </Page>
  );
}

/** Who acted where no person did, by surface. */
const ACTORS: Record<string, string> = { command: 'Server', link: 'Auditor, by a link' };

const makeColumns = (names: ReadonlyMap<number, string>): Column<AuditEvent>[] => [
  {
    id: 'seq',
    header: 'Row',
    width: '70px',
    align: 'right',
    cell: ({ seq }) => <span className="figures">{seq}</span>,
  },
  { id: 'at', header: 'When', width: '150px', cell: ({ at }) => <span className="figures">{momentOf(at)}</span> },
  {
    id: 'who',
    header: 'Who',
    width: '170px',
    cell: ({ userId, userName, surface }) =>
      userName ?? <span className="soft">{userId !== null ? 'Erased person' : (ACTORS[surface] ?? 'Arc')}</span>,
  },
  { id: 'what', header: 'What', cell: ({ event }) => eventInWords(event) },
  {
    id: 'subject',
    header: 'On',
    width: '150px',
    cell: ({ subject, subjectName }) => {
      const text = subjectName?.text ?? subjectInWords(subject, names);
      const [kind, id] = subject.split(':');
      const to = kind === 'interrupt' ? `/agent-inbox?interrupt=${id}` : subjectName?.path;
      return to ? <Link to={to}>{text}</Link> : text;
    },
  },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ event, outcome, hash }) => (
      <div>
        {outcomeInWords(event, outcome, names)}
        <p className={`soft small mono ${classes.hash}`} title={hash}>
          {hash.slice(0, 12)}
        </p>
      </div>
    ),
  },
  { id: 'surface', header: 'Where', width: '120px', cell: ({ surface }) => surfaceInWords(surface) },
];

/** The rows that fit one filter; older ones on request. */
function Rows({ filter, names }: { filter: AuditFilter; names: ReadonlyMap<number, string> }) {
  const { events, hasOlder, error, isReading, readOlder, readAgain } = useAudit(filter);
  if (!events) return <NotLoaded failed={Boolean(error)} retry={readAgain} />;
  return (
    <>
      <SortableTable
        label="Audit"
        rows={events}
        columns={makeColumns(names)}
        keyOf={({ seq }) => String(seq)}
        empty={hasOlder ? 'Nothing found in the newest rows.' : 'No event matches. Change or clear the filter.'}
      />
      {error ? (
        <p role="alert" className={classes.older}>
          {textOf(error, 'Further rows could not be read. Check your connection and try again.')}
        </p>
      ) : null}
      {hasOlder || error ? (
        <Button className={classes.older} variant="default" loading={isReading} onClick={() => void readOlder()}>
          {error ? 'Try again' : 'Show older rows'}
        </Button>
      ) : null}
    </>
  );
}
