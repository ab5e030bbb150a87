import { useState } from 'react';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { Tag } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import classes from './AnalysisResult.module.css';
import { FINDING_LEVELS } from './findingLevels.ts';
import { placesText, placeText } from './placeText.ts';

/** A recorded or expected value, cut to two lines with the whole text on hover; formulas are set as code. */
function Value({ text }: { text: string | null }) {
  if (!text) return <span className="soft">–</span>;
  return (
    <span className={text.startsWith('=') ? `mono ${classes.clamped}` : classes.clamped} title={text}>
      {text}
    </span>
  );
}

const columns: Column<Finding>[] = [
  {
    id: 'level',
    header: 'Level',
    width: '84px',
    sort: (finding) => FINDING_LEVELS[finding.level].order,
    cell: (finding) => (
      <span>
        <Tag tone={FINDING_LEVELS[finding.level].tone}>{FINDING_LEVELS[finding.level].label}</Tag>
      </span>
    ),
  },
  {
    id: 'hazard',
    header: 'Hazard',
    width: '96px',
    sort: (finding) => finding.hazardId ?? '',
    cell: (finding) =>
      finding.hazardId ? <span className="mono">{finding.hazardId}</span> : <span className="soft">Whole log</span>,
  },
  {
    id: 'place',
    header: 'Cell',
    width: '160px',
    sort: (finding) => (finding.places[0] ? placeText(finding.places[0]) : ''),
    cell: (finding) => <span className="mono">{placesText(finding.places)}</span>,
  },
  {
    id: 'finding',
    header: 'Finding',
    sort: (finding) => finding.title,
    cell: (finding) => (
      <span>
        <strong style={{ fontWeight: 600 }}>{finding.title}</strong>
        <br />
        <span className="soft">{finding.message}</span>
      </span>
    ),
  },
  {
    id: 'found',
    header: 'Recorded',
    width: '110px',
    cell: (finding) => <Value text={finding.found} />,
  },
  {
    id: 'expected',
    header: 'Expected',
    width: '110px',
    cell: (finding) => <Value text={finding.expected} />,
  },
  {
    id: 'clause',
    header: 'Clause',
    width: '90px',
    sort: (finding) => finding.clause ?? '',
    cell: (finding) => <span className="figures">{finding.clause ?? <span className="soft">Practice</span>}</span>,
  },
];

/** Every finding of the rules, with its sheet and cell. */
export function FindingsTable({ findings }: { findings: readonly Finding[] }) {
  const [level, setLevel] = useState('all');
  const [words, setWords] = useState('');
  const number = (name: Finding['level']) => findings.filter((finding) => finding.level === name).length;
  const rows = findings.filter(
    (finding) =>
      (level === 'all' || finding.level === level) &&
      holds(words, finding.title, finding.message, finding.hazardId, finding.places.map(placeText).join(' ')),
  );
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
      />
      <SortableTable
        label="Findings"
        rows={rows}
        columns={columns}
        keyOf={(finding) => finding.id}
        empty={
          findings.length === 0
            ? 'No rule found a fault in this log.'
            : 'No findings match. Change or clear the filter.'
        }
      />
    </>
  );
}
