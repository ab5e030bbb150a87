import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import {
  USE_GROUPS,
  USE_PERIODS,
  type UsedBy,
  type UseGroup,
  type UsePeriod,
} from '../../../models/contracts/creditUse.ts';
import { saveCreditUse, useCreditUse } from '../../data/billing.ts';
import { textOf } from '../../data/call.ts';
import { showFailure } from '../../data/toasts.ts';
import { grouped } from '../../data/words.ts';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import { AgentBudgets } from './AgentBudgets.tsx';
import classes from './CreditUse.module.css';
import dashboard from './DashboardPage.module.css';

const GROUP_NAMES: Record<UseGroup, string> = { agent: 'Agent', person: 'Person', channel: 'Channel', model: 'Model' };
const groups = USE_GROUPS.map((value) => ({ value, label: GROUP_NAMES[value] }));
const periods = USE_PERIODS.map((value) => ({ value, label: `${value} days` }));

const columnsFor = (group: UseGroup, total: number): Column<UsedBy>[] => [
  { id: 'name', header: GROUP_NAMES[group], sort: (it) => it.name, cell: (it) => it.name },
  { id: 'runs', header: 'Work', align: 'right', width: '90px', sort: (it) => it.runs, cell: (it) => grouped(it.runs) },
  {
    id: 'used',
    header: 'Credits',
    align: 'right',
    width: '110px',
    sort: (it) => it.used,
    cell: (it) => grouped(it.used),
  },
  {
    id: 'share',
    header: 'Share',
    width: '30%',
    cell: (it) => (
      <span className={classes.share} aria-hidden>
        <span style={{ width: `${(it.used / total) * 100}%` }} />
      </span>
    ),
  },
];

/** Who and what used the credits of a period, and the agents' budgets. */
export function CreditUse({ owner }: { owner: boolean }) {
  const [group, setGroup] = useState<UseGroup>('agent');
  const [days, setDays] = useState<UsePeriod>('30');
  const { data, error, mutate } = useCreditUse(days);
  const rows = data?.by[group] ?? [];
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await saveCreditUse(days).catch((fault: unknown) =>
      showFailure('Nothing was saved', textOf(fault, 'Please try again.')),
    );
    setSaving(false);
  };
  return (
    <div className={dashboard.section}>
      <div className={dashboard.sectionHead}>
        <h2>Where credits go</h2>
        <WorkButton size="xs" variant="default" busy={saving} onClick={() => void save()}>
          Download CSV
        </WorkButton>
      </div>
      <div className={classes.choices}>
        <SegmentedControl
          size="xs"
          aria-label="Counted by"
          data={groups}
          value={group}
          onChange={(value) => setGroup(value as UseGroup)}
        />
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={periods}
          value={days}
          onChange={(value) => setDays(value as UsePeriod)}
        />
      </div>
      {error ? (
        <SectionNotLoaded failed title="Use could not be loaded" retry={mutate} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : (
        <>
          <SortableTable
            label={`Credits by ${GROUP_NAMES[group].toLowerCase()}`}
            rows={rows}
            columns={columnsFor(
              group,
              rows.reduce((sum, { used }) => sum + used, 0),
            )}
            keyOf={({ id }) => id ?? ''}
            empty={`No credits were used in the last ${days} days.`}
          />
          <AgentBudgets budgets={data.budgets} owner={owner} onSaved={() => void mutate()} />
        </>
      )}
    </div>
  );
}
