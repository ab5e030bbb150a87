import { Button, Tabs } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { readQueryOf } from '../../../../models/contracts/askedQuery.ts';
import { describeModelWork } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { describeBasis } from '../../../../models/contracts/clinical_safety/matrixBasis.ts';
import { placeText } from '../../../../models/contracts/clinical_safety/placeText.ts';
import { useAsked } from '../../../data/askAgain.ts';
import { usePrinting } from '../../../data/printing.ts';
import { dateOf, momentOf, timeOf } from '../../../data/words.ts';
import { Callout } from '../../../parts/Notice.tsx';
import { Skeleton } from '../../../parts/Skeleton.tsx';
import { Tag } from '../../../parts/Tag.tsx';
import { analysisTag } from '../analyses/analyses.ts';
import { FindingsTable } from '../findings/FindingsTable.tsx';
import { useFindingLives } from '../findings/findings.ts';
import { AnalysisActions } from './AnalysisActions.tsx';
import classes from './AnalysisResult.module.css';
import { CoverageBar } from './CoverageBar.tsx';
import { HazardsTable, keyOfHazard } from './HazardsTable.tsx';
import { HowItWasRead } from './HowItWasRead.tsx';
import { Proposals } from './Proposals.tsx';
import { hasRatings, type MatrixCell, RiskMatrix } from './RiskMatrix.tsx';
import { resultFigures } from './resultFigures.ts';
import { openedHazard, type Part, shownPart, withHazard, withPart } from './shownParts.ts';
import { TicketsTable } from './TicketsTable.tsx';

// What is opened later is loaded then.
const Changes = lazy(async () => ({ default: (await import('../comparison/Changes.tsx')).Changes }));
const HazardDrawer = lazy(async () => ({ default: (await import('./HazardDrawer.tsx')).HazardDrawer }));

const WITHOUT_RESULT: Partial<Record<HazardAnalysis['status'], string>> = {
  running: 'The analysis is running. Its figures appear here when it is complete.',
  failed: 'The analysis failed before it had a result. The chat says why.',
  cancelled: 'The analysis was cancelled before it had a result.',
};

/** One analysis: the figures, then the matrix and the coverage, then every finding, hazard, ticket and proposal. */
export function AnalysisResult({
  analysis,
  label,
  onReview,
}: {
  analysis: HazardAnalysis;
  /** Its name for screen readers. */
  label: string;
  onReview: ((interruptId: number) => void) | null;
}) {
  const [address, setAddress] = useSearchParams();
  const query = readQueryOf(address.get('query'));
  const rows = useAsked('clinical_safety', query, analysis.id);
  const asked = query && rows.data ? rows.data : null;
  const tab = shownPart(address);
  const go = (to: URLSearchParams) => setAddress(to, { replace: true });
  const openHazard = (hazard: ExistingHazard) => go(withHazard(address, hazard));
  const hazardShown = openedHazard(address, analysis.existingHazards);
  const [cell, setCell] = useState<MatrixCell | null>(null);
  const printing = usePrinting();
  const lives = useFindingLives(analysis.id).data;
  const metadata = analysis.analysisMetadata;
  const status = analysisTag(analysis.status, metadata !== null);
  const head = (
    <div className={classes.head}>
      <div>
        <h3>{analysis.logFileName}</h3>
        <p className="soft small">
          {printing ? `${dateOf(analysis.createdAt)}, ${timeOf(analysis.createdAt)}` : momentOf(analysis.createdAt)}
          {analysis.ticketsFileName ? `, with ${analysis.ticketsFileName}` : ', without tickets'}
          {metadata ? `. ${metadata.standard}. ` : '. '}
          {metadata
            ? metadata.modelUsed === false
              ? 'Built-in engine, no model.'
              : `Model: ${metadata.modelUsed}.`
            : ''}
        </p>
      </div>
      <Tag tone={status.tone}>{status.label}</Tag>
    </div>
  );
  if (!metadata) {
    return (
      <section className={classes.result} aria-label={label} id="result">
        {head}
        <p className="soft">{WITHOUT_RESULT[analysis.status] ?? 'This analysis has no result.'}</p>
      </section>
    );
  }
  const figures = resultFigures(analysis, metadata, lives);
  const overview = (
    <div className={classes.stack}>
      <RiskMatrix hazards={analysis.existingHazards} matrix={metadata.log.matrix} selected={cell} onSelect={setCell} />
      {hasRatings(analysis.existingHazards) ? (
        <p className="soft small">
          Matrix: {metadata.log.matrix.name}. {describeBasis(metadata.log.matrix)}
          {printing ? '' : ' Select a cell to list its hazards.'}
        </p>
      ) : null}
      {cell ? (
        <HazardsTable
          hazards={analysis.existingHazards}
          cell={cell}
          onClear={() => setCell(null)}
          onOpen={openHazard}
        />
      ) : null}
      <div>
        <h4>Coverage</h4>
        <CoverageBar
          coverage={metadata.coverage}
          analysed={metadata.jiraAnalysis.ticketsAnalyzed}
          chosen={describeModelWork(metadata).join(' ') || null}
        />
      </div>
      <HowItWasRead analysis={analysis} open={printing} />
    </div>
  );
  /** The rows of the query in the address, where it is about this table. */
  function only<Row>(entity: string, all: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
    if (!asked || query?.entity !== entity) return all;
    const keys = new Set(asked.rows);
    return all.filter((row) => keys.has(keyOf(row)));
  }
  const showAll = () => {
    // The part that the question opened stays open without it.
    const all = withPart(address, tab);
    all.delete('query');
    all.delete('rows');
    setAddress(all);
  };
  // One tab at a time on screen; on paper all of them, one below the other.
  const parts = [
    { id: 'overview', label: 'Overview', content: overview },
    {
      id: 'findings',
      label: 'Findings',
      content: (
        <FindingsTable analysisId={analysis.id} findings={only('findings', analysis.findings, ({ id }) => id)} />
      ),
    },
    {
      id: 'hazards',
      label: 'Hazards',
      content: (
        <HazardsTable
          hazards={only('hazards', analysis.existingHazards, keyOfHazard)}
          cell={cell}
          onClear={() => setCell(null)}
          onOpen={openHazard}
        />
      ),
    },
    {
      id: 'tickets',
      label: 'Tickets',
      // Tickets load when their tab opens, so they can be printed only from there.
      content:
        printing && tab !== 'tickets' ? (
          <p className="soft">To print the verdict on every ticket, open the Tickets tab first, or export it as CSV.</p>
        ) : (
          <TicketsTable
            analysisId={analysis.id}
            proposals={analysis.newHazards}
            only={asked && query?.entity === 'tickets' ? new Set(asked.rows) : null}
          />
        ),
    },
    // On paper an analysis stands for itself.
    ...(printing
      ? []
      : [
          {
            id: 'changes',
            label: 'Changes',
            content: (
              <Suspense fallback={<Skeleton lines={6} />}>
                <Changes analysis={analysis} />
              </Suspense>
            ),
          },
        ]),
    {
      id: 'proposed',
      label: 'Proposed',
      content: <Proposals hazards={analysis.newHazards} decisions={analysis.decisions} />,
    },
  ];
  return (
    <section className={classes.result} aria-label={label} id="result">
      {head}
      <dl className={classes.figures}>
        {figures.map((figure) => (
          <div key={figure.label}>
            <dd>
              <button
                type="button"
                onClick={() => go(withPart(address, figure.tab))}
                aria-label={`${figure.value}${figure.of ?? ''} ${figure.label}`}
              >
                {figure.value}
                {figure.of ? <span>{figure.of}</span> : null}
              </button>
            </dd>
            <dt>
              {figure.label}
              {figure.note ? <span className={classes.note}>{figure.note}</span> : null}
            </dt>
          </div>
        ))}
      </dl>
      <AnalysisActions analysis={analysis} onReview={onReview} />
      {analysis.conflicts.length > 0 ? (
        <Callout tone="waiting" title="The log changed since the analysis">
          <ul className={classes.conflicts}>
            {analysis.conflicts.map((conflict) => (
              <li key={conflict.hazardId + conflict.kind}>
                {conflict.message}
                {conflict.place ? <span className="mono"> {placeText(conflict.place)}</span> : null}
              </li>
            ))}
          </ul>
        </Callout>
      ) : null}
      {query ? (
        <div className={classes.filtered} role="status">
          <span>
            {rows.error
              ? 'The rows of this question could not be read.'
              : asked
                ? asked.text.split('\n')[0]?.replace(/:$/, '.')
                : 'Reading the rows of the question …'}
          </span>
          <Button size="xs" variant="default" onClick={showAll}>
            Show all rows
          </Button>
        </div>
      ) : null}
      {printing ? (
        parts.map((part) => (
          <div key={part.id} className={classes.stack}>
            <h4>{part.label}</h4>
            {part.content}
          </div>
        ))
      ) : (
        <Tabs value={tab} onChange={(part) => go(withPart(address, part as Part))} keepMounted={false}>
          <Tabs.List className={classes.tabs}>
            {parts.map((part) => (
              <Tabs.Tab key={part.id} value={part.id}>
                {part.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {parts.map((part) => (
            <Tabs.Panel key={part.id} value={part.id} pt="md">
              {part.content}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
      {hazardShown && !printing ? (
        <Suspense fallback={null}>
          <HazardDrawer
            analysisId={analysis.id}
            hazard={hazardShown}
            findings={analysis.findings}
            onClose={() => go(withHazard(address, null))}
          />
        </Suspense>
      ) : null}
    </section>
  );
}
