import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type FindingState, stateOf } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { useSession } from '../../../data/session.ts';
import { Tag } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import classes from '../result/AnalysisResult.module.css';
import { FINDING_LEVELS } from '../result/findingLevels.ts';
import { placesText, placeText } from '../result/placeText.ts';
import { withFinding } from '../result/shownParts.ts';
import drawer from './FindingDrawer.module.css';
import { FindingDrawer } from './FindingDrawer.tsx';
import { FINDING_STATES, useFindingLives } from './findings.ts';

/** A recorded or expected value, cut to two lines with the whole text on hover; formulas are set as code. */
function Value({ text }: { text: string | null }) {
  if (!text) return <span className="soft">–</span>;
  return (
    <span className={text.startsWith('=') ? `mono ${classes.clamped}` : classes.clamped} title={text}>
      {text}
    </span>
  );
}

type Row = { finding: Finding; state: FindingState | null; assignee: string | null };

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
    cell: ({ finding }) => <span className="mono">{placesText(finding.places)}</span>,
  },
  {
    id: 'finding',
    header: 'Finding',
    sort: ({ finding }) => finding.title,
    cell: ({ finding }) => (
      <span>
        <button type="button" className={drawer.open} onClick={() => onOpen(finding.id)}>
          {finding.title}
        </button>
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

/** Every finding of the rules, with its sheet and cell, its state and who has it. */
export function FindingsTable({ analysisId, findings }: { analysisId: number; findings: readonly Finding[] }) {
  const { user } = useSession();
  const { data: lives } = useFindingLives(analysisId);
  const [level, setLevel] = useState('all');
  const [words, setWords] = useState('');
  const [wanted, setWanted] = useState('all');
  const [isMine, setMine] = useState(false);
  const [address, setAddress] = useSearchParams();
  const open = (id: string | null) => setAddress(withFinding(address, id), { replace: true });
  const byId = new Map(lives?.lives.map((life) => [life.findingId, life]));
  const all = findings.map((finding) => ({
    finding,
    life: byId.get(finding.id),
    state: lives ? stateOf(finding, byId.get(finding.id), lives.next) : null,
    assignee: byId.get(finding.id)?.assignee?.name ?? null,
  }));
  const number = (name: Finding['level']) => findings.filter((finding) => finding.level === name).length;
  const rows = all.filter(
    ({ finding, state, life }) =>
      (level === 'all' || finding.level === level) &&
      (wanted === 'all' || state === wanted) &&
      (!isMine || life?.assignee?.userId === user?.id) &&
      holds(words, finding.title, finding.message, finding.hazardId, finding.places.map(placeText).join(' ')),
  );
  const shown = all.find(({ finding }) => finding.id === address.get('finding'));
  return (
    <>
      <FilterBar
        label="Findings"
        value={level}
        onChange={setLevel}
        words={words}
        onWords={setWords}
        options={[
          { value: 'all', label: `All ${findings.length}` },
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
          ]}
        />
        <Checkbox size="xs" label="Mine" checked={isMine} onChange={(event) => setMine(event.currentTarget.checked)} />
      </FilterBar>
      <SortableTable
        label="Findings"
        rows={rows}
        columns={makeColumns(open)}
        keyOf={({ finding }) => finding.id}
        empty={
          findings.length === 0
            ? 'No rule found a fault in this log.'
            : 'No findings match. Change or clear the filter.'
        }
      />
      {shown && lives ? (
        <FindingDrawer
          analysisId={analysisId}
          finding={shown.finding}
          life={shown.life}
          lives={lives}
          onClose={() => open(null)}
        />
      ) : null}
    </>
  );
}
