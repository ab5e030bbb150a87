import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { findingPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { FindingLife } from '../../../../models/contracts/clinical_safety/findingLives.ts';
import { type FindingState, stateOf } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { placesText, placeText } from '../../../../models/contracts/clinical_safety/placeText.ts';
import { useSession } from '../../../data/session.ts';
import { dateOf } from '../../../data/words.ts';
import { Callout } from '../../../parts/Notice.tsx';
import { Tag } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import { useComparison } from '../comparison/comparison.ts';
import classes from '../result/AnalysisResult.module.css';
import { FINDING_LEVELS } from '../result/findingLevels.ts';
import { withFinding } from '../result/shownParts.ts';
import drawer from './FindingDrawer.module.css';
import { FINDING_STATES, useFindingLives } from './findings.ts';

const FindingDrawer = lazy(async () => ({ default: (await import('./FindingDrawer.tsx')).FindingDrawer }));

/** A recorded or expected value, cut to two lines with the whole text on hover; formulas are set as code. */
function Value({ text }: { text: string | null }) {
  if (!text) return <span className="soft">–</span>;
  return (
    <span className={text.startsWith('=') ? `mono ${classes.clamped}` : classes.clamped} title={text}>
      {text}
    </span>
  );
}

type Row = {
  finding: Finding;
  state: FindingState | null;
  assignee: string | null;
  /** Path of its page, for a finding of the previous analysis. */
  earlier?: string;
};

const makeColumns = (onOpen: (id: string) => void): Column<Row>[] => [
  {
    id: 'level',
    header: 'Level',
    width: '84px',
    sort: ({ finding }) => FINDING_LEVELS[finding.level].order,
    cell: ({ finding }) => (
      <span>
        <Tag tone={FINDING_LEVELS[finding.level].tone}>{FINDING_LEVELS[finding.level].label}</Tag>
      </span>
    ),
  },
  {
    id: 'hazard',
    header: 'Hazard',
    width: '96px',
    sort: ({ finding }) => finding.hazardId ?? '',
    cell: ({ finding }) =>
      finding.hazardId ? <span className="mono">{finding.hazardId}</span> : <span className="soft">Whole log</span>,
  },
  {
    id: 'place',
    header: 'Cell',
    width: '160px',
    sort: ({ finding }) => (finding.places[0] ? placeText(finding.places[0]) : ''),
    cell: ({ finding, earlier }) => (
      <span>
        <span className="mono">{placesText(finding.places)}</span>
        {earlier ? <span className="soft small"> then</span> : null}
      </span>
    ),
  },
  {
    id: 'finding',
    header: 'Finding',
    sort: ({ finding }) => finding.title,
    cell: ({ finding, earlier }) => (
      <span>
        {earlier ? (
          <Link to={earlier} className={drawer.open}>
            {finding.title}
          </Link>
        ) : (
          <button type="button" className={drawer.open} onClick={() => onOpen(finding.id)}>
            {finding.title}
          </button>
        )}
        <br />
        <span className="soft">{finding.message}</span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '120px',
    sort: ({ state }) => (state ? FINDING_STATES[state].label : ''),
    cell: ({ state, assignee }) => (
      <div>
        {state ? <Tag tone={FINDING_STATES[state].tone}>{FINDING_STATES[state].label}</Tag> : null}
        {assignee ? <p className="soft small">{assignee}</p> : null}
      </div>
    ),
  },
  {
    id: 'found',
    header: 'Recorded',
    width: '110px',
    cell: ({ finding }) => <Value text={finding.found} />,
  },
  {
    id: 'expected',
    header: 'Expected',
    width: '110px',
    cell: ({ finding }) => <Value text={finding.expected} />,
  },
  {
    id: 'clause',
    header: 'Clause',
    width: '90px',
    sort: ({ finding }) => finding.clause ?? '',
    cell: ({ finding }) => <span className="figures">{finding.clause ?? <span className="soft">Practice</span>}</span>,
  },
];

const SHOWN_STATES: FindingState[] = ['open', 'accepted', 'fixed', 'gone'];
/** The filter for findings of the previous analysis that this one no longer has. */
const FIXED_SINCE = 'fixed-since';

/** Every finding of the rules, with its sheet and cell, its state and its assignee. */
export function FindingsTable({ analysisId, findings }: { analysisId: number; findings: readonly Finding[] }) {
  const { user } = useSession();
  const { data: lives, error, mutate } = useFindingLives(analysisId);
  const before = useComparison(analysisId, null);
  const [level, setLevel] = useState('all');
  const [words, setWords] = useState('');
  const [wanted, setWanted] = useState('all');
  const [address, setAddress] = useSearchParams();
  const [isMine, setMine] = useState(address.has('mine'));
  const open = (id: string | null) => setAddress(withFinding(address, id), { replace: true });
  const byId = new Map(lives?.lives.map((life) => [life.findingId, life]));
  const own = findings.map((finding) => ({
    finding,
    life: byId.get(finding.id),
    state: lives ? stateOf(finding, byId.get(finding.id), lives.next) : null,
    assignee: byId.get(finding.id)?.assignee?.name ?? null,
  }));
  const fixedSince = (before.data?.findings.fixed ?? []).map((finding) => ({
    finding,
    life: undefined,
    state: 'fixed' as const,
    assignee: null,
    earlier: findingPath(before.data?.before.id ?? 0, finding.id),
  }));
  const all: (Row & { life: FindingLife | undefined })[] = wanted === FIXED_SINCE ? fixedSince : own;
  const number = (name: Finding['level']) => all.filter(({ finding }) => finding.level === name).length;
  const rows = all.filter(
    ({ finding, state, life }) =>
      (level === 'all' || finding.level === level) &&
      (wanted === 'all' || wanted === FIXED_SINCE || state === wanted) &&
      (!isMine || life?.assignee?.userId === user?.id) &&
      holds(words, finding.title, finding.message, finding.hazardId, finding.places.map(placeText).join(' ')),
  );
  const shown = own.find(({ finding }) => finding.id === address.get('finding'));
  return (
    <>
      <FilterBar
        label="Findings"
        value={level}
        onChange={setLevel}
        words={words}
        onWords={setWords}
        options={[
          { value: 'all', label: `All ${all.length}` },
          { value: 'fix', label: `Fix ${number('fix')}` },
          { value: 'check', label: `Check ${number('check')}` },
          { value: 'note', label: `Note ${number('note')}` },
        ]}
      >
        <NativeSelect
          size="xs"
          aria-label="State"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          data={[
            { value: 'all', label: 'Every state' },
            ...SHOWN_STATES.map((state) => ({ value: state, label: FINDING_STATES[state].label })),
            ...(before.data
              ? [{ value: FIXED_SINCE, label: `Fixed since ${dateOf(before.data.before.createdAt)}` }]
              : []),
          ]}
        />
        <Checkbox size="xs" label="Mine" checked={isMine} onChange={(event) => setMine(event.currentTarget.checked)} />
      </FilterBar>
      {error && !lives ? (
        <Callout tone="error" title="What people decided on these findings could not be read">
          States, assignees and comments are missing.{' '}
          <Button size="compact-sm" variant="default" onClick={() => void mutate()}>
            Try again
          </Button>
        </Callout>
      ) : null}
      <SortableTable
        label="Findings"
        rows={rows}
        columns={makeColumns(open)}
        keyOf={({ finding }) => finding.id}
        empty={
          all.length === 0 && wanted === FIXED_SINCE
            ? 'No finding of the previous analysis was fixed.'
            : findings.length === 0
              ? 'No rule found a fault in this log.'
              : 'No findings match. Change or clear the filter.'
        }
      />
      {shown && lives ? (
        <Suspense fallback={null}>
          <FindingDrawer
            analysisId={analysisId}
            finding={shown.finding}
            life={shown.life}
            lives={lives}
            onClose={() => open(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
