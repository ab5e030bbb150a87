import { NativeSelect } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { Comparison, Rerated } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { dateOf, timeOf } from '../../../data/words.ts';
import { Callout } from '../../../parts/Notice.tsx';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import { useAnalyses } from '../analyses/analyses.ts';
import { ratingText } from '../result/ratingText.ts';
import { ChangedFindings } from './ChangedFindings.tsx';
import classes from './Changes.module.css';
import { useComparison } from './comparison.ts';
import { RatingMoves } from './RatingMoves.tsx';

const columns: Column<Rerated>[] = [
  {
    id: 'id',
    header: 'Hazard',
    width: '110px',
    sort: ({ id }) => id,
    cell: ({ id }) => <span className="mono">{id}</span>,
  },
  { id: 'name', header: 'Name', sort: ({ name }) => name, cell: ({ name }) => <div>{name}</div> },
  {
    id: 'stage',
    header: 'Risk',
    width: '100px',
    sort: ({ stage }) => stage,
    cell: ({ stage }) => <div>{stage === 'initial' ? 'Initial' : 'Residual'}</div>,
  },
  { id: 'before', header: 'Then', width: '190px', cell: ({ before }) => <div>{ratingText(before)}</div> },
  { id: 'after', header: 'Now', width: '190px', cell: ({ after }) => <div>{ratingText(after)}</div> },
];

function Named({ title, list }: { title: string; list: readonly { id: string; text: string }[] }) {
  if (list.length === 0) return null;
  return (
    <div>
      <h4>
        {title} {list.length}
      </h4>
      <ul className={classes.named}>
        {list.map(({ id, text }) => (
          <li key={`${id} ${text}`}>
            <span className="mono">{id}</span> {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

const coverageText = (coverage: Comparison['before']['coverage']) =>
  coverage ? `${coverage.covered} of ${coverage.relevant}` : 'no figure';

function Compared({ analysis, comparison }: { analysis: HazardAnalysis; comparison: Comparison }) {
  const { before, after, hazards, findings } = comparison;
  const figures = [
    { value: hazards.added.length, label: 'hazards added' },
    { value: hazards.removed.length, label: 'removed' },
    { value: new Set(hazards.rerated.map(({ id }) => id)).size, label: 're-rated' },
    { value: findings.fixed.length, label: 'findings fixed' },
    { value: findings.added.length, label: 'new' },
    { value: findings.open.length, label: 'still open' },
    ...(findings.accepted.length > 0 ? [{ value: findings.accepted.length, label: 'accepted' }] : []),
    { value: coverageText(after.coverage), label: `tickets covered; ${coverageText(before.coverage)} then` },
  ];
  const matrix = analysis.analysisMetadata?.log.matrix;
  return (
    <>
      <p>
        Since the <Link to={analysisPath(before.id)}>analysis of {dateOf(before.createdAt)}</Link> of{' '}
        {before.logFileName}
        {before.logVersion ? ` (v${before.logVersion})` : ''}
      </p>
      {before.engineVersion === after.engineVersion ? null : (
        <Callout tone="plain">Arc’s rules changed between the two analyses, which can add or remove findings.</Callout>
      )}
      <dl className={classes.figures}>
        {figures.map(({ value, label }) => (
          <div key={label}>
            <dd>{value}</dd>
            <dt>{label}</dt>
          </div>
        ))}
      </dl>
      {matrix && hazards.rerated.length > 0 ? (
        <div className={classes.pair}>
          <RatingMoves stage="initial" rerated={hazards.rerated} matrix={matrix} />
          <RatingMoves stage="residual" rerated={hazards.rerated} matrix={matrix} />
        </div>
      ) : null}
      {hazards.rerated.length > 0 ? (
        <SortableTable
          label="Re-rated hazards"
          rows={hazards.rerated}
          columns={columns}
          keyOf={({ id, name, stage }) => `${id} ${name} ${stage}`}
          empty=""
        />
      ) : null}
      <Named title="Hazards added:" list={hazards.added.map(({ id, name }) => ({ id, text: name }))} />
      <Named title="Hazards removed:" list={hazards.removed.map(({ id, name }) => ({ id, text: name }))} />
      <Named
        title="Hazards with another id:"
        list={hazards.renumbered.map(({ id, name, idBefore }) => ({ id, text: `${name}, was ${idBefore}` }))}
      />
      <Named
        title="Hazards with another name:"
        list={hazards.renamed.map(({ id, name, nameBefore }) => ({ id, text: `${name}, was “${nameBefore}”` }))}
      />
      <h4>Findings to fix or check</h4>
      <ChangedFindings findings={findings} />
    </>
  );
}

/** What changed since another analysis; by default since the previous one of the same log. */
export function Changes({ analysis }: { analysis: HazardAnalysis }) {
  const [address, setAddress] = useSearchParams();
  const other = Number(address.get('with')) || null;
  const { data, error, mutate } = useComparison(analysis.id, other);
  const { data: analyses = [] } = useAnalyses();
  const choose = (value: string) => {
    if (value) address.set('with', value);
    else address.delete('with');
    setAddress(address, { replace: true });
  };
  const others = analyses.filter(({ id, figures }) => id !== analysis.id && figures !== null);
  return (
    <div className={classes.changes}>
      <NativeSelect
        className="no-print"
        label="Compare with"
        value={other === null ? '' : String(other)}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: '', label: 'The previous analysis of the same log' },
          ...others.map(({ id, createdAt, logFileName }) => ({
            value: String(id),
            label: `${dateOf(createdAt)}, ${timeOf(createdAt)}: ${logFileName}`,
          })),
        ]}
      />
      {data === undefined ? (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      ) : data === null ? (
        <p className="soft">There is no earlier analysis of this log. Choose another one to compare with.</p>
      ) : (
        <Compared analysis={analysis} comparison={data} />
      )}
    </div>
  );
}
