import type { UserCompany, UserConnection, UserDetails, UserRun } from '../../../models/contracts/admin.ts';
import type { MemberRole } from '../../data/preferences.ts';
import { dateOf, grouped, momentOf } from '../../data/words.ts';
import { Tag, type TagTone } from '../../parts/Tag.tsx';
import type { Column } from '../../parts/table/SortableTable.tsx';
import { ROLE_NAMES } from '../dashboard/roleNames.ts';
import { companyColumn } from './companyColumn.tsx';
import { PLAN_NAMES } from './planNames.ts';

const when = <Row,>(read: (row: Row) => string): Column<Row> => ({
  id: 'at',
  header: 'When',
  width: '170px',
  cell: (row) => momentOf(read(row)),
});

export const COMPANIES: Column<UserCompany>[] = [
  companyColumn,
  {
    id: 'roles',
    header: 'Roles',
    cell: ({ roles }) => roles.map((role) => ROLE_NAMES[role as MemberRole] ?? role).join(', '),
  },
  { id: 'plan', header: 'Plan', width: '110px', cell: ({ plan }) => PLAN_NAMES[plan] },
  {
    id: 'ends',
    header: 'Ends',
    width: '170px',
    cell: ({ endsAt, isOver }) => (
      <span>
        {endsAt === null ? 'No end' : isOver ? <Tag tone="error">Over since {dateOf(endsAt)}</Tag> : dateOf(endsAt)}
      </span>
    ),
  },
];

export const AGENTS: Column<UserDetails['agents'][number]>[] = [
  { id: 'agent', header: 'Agent', cell: ({ name }) => name },
  companyColumn,
  { id: 'hired', header: 'Hired', width: '130px', cell: ({ hiredAt }) => dateOf(hiredAt) },
  {
    id: 'state',
    header: 'Set up',
    width: '110px',
    cell: ({ isOnboarded }) => (
      <span>{isOnboarded ? <Tag tone="done">Set up</Tag> : <Tag tone="outline">Not yet</Tag>}</span>
    ),
  },
];

const RUN_TAGS: Record<UserRun['status'], [words: string, tone: TagTone]> = {
  running: ['Running', 'blue'],
  waiting: ['Waiting', 'waiting'],
  completed: ['Completed', 'done'],
  failed: ['Failed', 'error'],
  cancelled: ['Cancelled', 'plain'],
};

export const RUNS: Column<UserRun>[] = [
  when(({ startedAt }) => startedAt),
  { id: 'title', header: 'Work', cell: ({ title }) => title },
  { id: 'agent', header: 'Agent', cell: ({ agent }) => agent },
  companyColumn,
  {
    id: 'status',
    header: 'Status',
    width: '110px',
    cell: ({ status }) => (
      <span>
        <Tag tone={RUN_TAGS[status][1]}>{RUN_TAGS[status][0]}</Tag>
      </span>
    ),
  },
  { id: 'cost', header: 'Credits', align: 'right', width: '90px', cell: ({ cost }) => grouped(cost) },
];

const CONNECTION_TAGS: Record<UserConnection['state'], [words: string, tone: TagTone]> = {
  connected: ['Connected', 'done'],
  broken: ['Broken', 'error'],
  ended: ['Ended', 'plain'],
};

export const CONNECTIONS: Column<UserConnection>[] = [
  {
    id: 'name',
    header: 'Connection',
    cell: ({ name, kind }) => (
      <span>
        {name} <span className="soft small">{kind === 'channel' ? 'Channel' : 'Tool'}</span>
      </span>
    ),
  },
  companyColumn,
  {
    id: 'state',
    header: 'State',
    cell: ({ state, reason }) => (
      <span>
        <Tag tone={CONNECTION_TAGS[state][1]}>{CONNECTION_TAGS[state][0]}</Tag>
        {reason ? <span className="soft small"> {reason}</span> : null}
      </span>
    ),
  },
  { id: 'since', header: 'Since', width: '130px', cell: ({ since }) => dateOf(since) },
];

export const GRANTS: Column<UserDetails['grants'][number]>[] = [
  when(({ at }) => at),
  { id: 'note', header: 'Why', cell: ({ note }) => note },
  companyColumn,
  { id: 'amount', header: 'Credits', align: 'right', width: '120px', cell: ({ amount }) => grouped(amount) },
];
