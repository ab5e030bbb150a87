import { useState } from 'react';
import type { Comparison } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { placesText } from '../../../../models/contracts/clinical_safety/placeText.ts';
import { Tag, type TagTone } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';

type Kind = keyof Comparison['findings'];
const KINDS: { kind: Kind; label: string; tone: TagTone }[] = [
  { kind: 'fixed', label: 'Fixed', tone: 'done' },
  { kind: 'added', label: 'New', tone: 'error' },
  { kind: 'open', label: 'Still open', tone: 'waiting' },
  { kind: 'accepted', label: 'Accepted', tone: 'plain' },
  { kind: 'gone', label: 'Hazard removed', tone: 'plain' },
];
/** Kinds whose filter is hidden while there are none. */
const IF_ANY: Kind[] = ['accepted', 'gone'];
type Row = { finding: Finding; at: number };

const columns: Column<Row>[] = [
  {
    id: 'kind',
    header: 'Since then',
    width: '130px',
    sort: ({ at }) => at,
    cell: ({ at }) => (
      <div>
        <Tag tone={KINDS[at]?.tone ?? 'plain'}>{KINDS[at]?.label}</Tag>
      </div>
    ),
  },
  {
    id: 'hazard',
    header: 'Hazard',
    width: '110px',
    sort: ({ finding }) => finding.hazardId ?? '',
    cell: ({ finding }) =>
      finding.hazardId ? <span className="mono">{finding.hazardId}</span> : <span className="soft">Several</span>,
  },
  {
    id: 'place',
    header: 'Cell',
    width: '160px',
    cell: ({ finding, at }) => (
      <div>
        <span className="mono">{placesText(finding.places)}</span>
        {['fixed', 'gone'].includes(KINDS[at]?.kind ?? '') ? <span className="soft small"> then</span> : null}
      </div>
    ),
  },
  {
    id: 'finding',
    header: 'Finding',
    sort: ({ finding }) => finding.title,
    cell: ({ finding }) => <div>{finding.title}</div>,
  },
];

/** The findings of both analyses: what was fixed, what is new, what is still open. */
export function ChangedFindings({ findings }: { findings: Comparison['findings'] }) {
  const [kind, setKind] = useState('all');
  const [words, setWords] = useState('');
  const all = KINDS.flatMap(({ kind: of }, at) => findings[of].map((finding): Row => ({ finding, at })));
  const rows = all.filter(
    ({ finding, at }) =>
      (kind === 'all' || KINDS[at]?.kind === kind) && holds(words, finding.title, finding.message, finding.hazardId),
  );
  return (
    <>
      <FilterBar
        label="Changes of findings"
        value={kind}
        onChange={setKind}
        words={words}
        onWords={setWords}
        options={[
          { value: 'all', label: `All ${all.length}` },
          ...KINDS.filter(({ kind: of }) => !IF_ANY.includes(of) || findings[of].length > 0).map(
            ({ kind: of, label }) => ({
              value: of,
              label: `${label} ${findings[of].length}`,
            }),
          ),
        ]}
      />
      <SortableTable
        label="Changes of findings"
        rows={rows}
        columns={columns}
        keyOf={({ finding, at }) => `${at} ${finding.id}`}
        empty={
          all.length === 0
            ? 'Neither analysis has a finding to fix or check.'
            : 'No findings match. Change or clear the filter.'
        }
      />
    </>
  );
}
