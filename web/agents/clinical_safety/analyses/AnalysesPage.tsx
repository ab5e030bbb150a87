import { Button } from '@mantine/core';
import { IconFileAnalytics } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '../../../../models/contracts/auth.ts';
import {
  type AnalysisSummary,
  analysisPath,
  MAX_ANALYSES_LISTED,
} from '../../../../models/contracts/clinical_safety/analyses.ts';
import { dateOf, timeOf } from '../../../data/words.ts';
import { Notice } from '../../../parts/Notice.tsx';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../../parts/Page.tsx';
import { Tag } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import { ANALYSES_TITLE, analysisTag, useAnalyses } from './analyses.ts';

const none = <span className="soft">–</span>;

const makeColumns = (timeZone: string): Column<AnalysisSummary>[] => [
  {
    id: 'date',
    header: 'Date',
    width: '130px',
    sort: ({ createdAt }) => createdAt,
    cell: ({ id, createdAt }) => (
      <div>
        <Link to={analysisPath(id)}>
          {dateOf(createdAt, timeZone)}
          <span className="hidden-label">, analysis {id}</span>
        </Link>
        <br />
        <span className="soft small figures">{timeOf(createdAt, timeZone)}</span>
      </div>
    ),
  },
  {
    id: 'log',
    header: 'Hazard log',
    sort: ({ logFileName }) => logFileName,
    cell: ({ logFileName, logVersion, ticketsFileName, isSample }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <strong style={{ fontWeight: 600 }}>{logFileName}</strong>
        {logVersion ? <span className="soft figures"> v{logVersion}</span> : null}
        {isSample ? (
          <>
            {' '}
            <Tag tone="outline">Sample</Tag>
          </>
        ) : null}
        <br />
        <span className="soft small">{ticketsFileName ? `with ${ticketsFileName}` : 'without tickets'}</span>
      </div>
    ),
  },
  {
    id: 'findings',
    header: 'Findings',
    width: '130px',
    sort: ({ figures }) => figures?.toFix ?? -1,
    cell: ({ figures }) => (
      <div className="figures">
        {figures ? (
          <>
            {figures.toFix} to fix
            <br />
            <span className="soft small">{figures.toCheck} to check</span>
          </>
        ) : (
          none
        )}
      </div>
    ),
  },
  {
    id: 'coverage',
    header: 'Coverage',
    width: '120px',
    sort: ({ figures }) => (figures?.relevant ? figures.covered / figures.relevant : -1),
    cell: ({ figures }) => (
      <div className="figures">
        {figures === null ? (
          none
        ) : figures.ticketsAnalysed === 0 ? (
          <span className="soft">No tickets</span>
        ) : (
          `${figures.covered} of ${figures.relevant}`
        )}
      </div>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '160px',
    sort: ({ status, figures }) => analysisTag(status, figures !== null).label,
    cell: ({ status, figures }) => {
      const { tone, label } = analysisTag(status, figures !== null);
      return (
        <div>
          <Tag tone={tone}>{label}</Tag>
        </div>
      );
    },
  },
  {
    id: 'by',
    header: 'Started by',
    width: '140px',
    sort: ({ by }) => by ?? '',
    cell: ({ by }) => <div>{by ?? <span className="soft">Schedule, or a person who left</span>}</div>,
  },
];

/** Every analysis of the company, the newest first. */
export function AnalysesPage({ user }: { user: SessionUser }) {
  const { data, error, mutate } = useAnalyses();
  const [log, setLog] = useState('all');
  const [words, setWords] = useState('');
  const found = (data ?? []).filter(({ logFileName, ticketsFileName, by }) =>
    holds(words, logFileName, ticketsFileName, by),
  );
  const own = found.filter(({ isSample }) => !isSample);
  return (
    <Page title={ANALYSES_TITLE}>
      <PageHead
        title={ANALYSES_TITLE}
        subtitle="Every analysis of your hazard logs, with its findings, coverage and review."
      />
      {!data ? (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      ) : data.length === 0 ? (
        <div className="card">
          <Notice
            icon={<IconFileAnalytics size={20} />}
            title="No analysis yet"
            text="Add your hazard log in the chat, or try a sample, and start an analysis. It is kept here with its findings."
            action={
              <Button component={Link} to="/arc-chat" variant="light">
                Go to the chat
              </Button>
            }
          />
        </div>
      ) : (
        <>
          <FilterBar
            label="Analyses"
            value={log}
            onChange={setLog}
            words={words}
            onWords={setWords}
            options={[
              { value: 'all', label: `All ${found.length}` },
              { value: 'own', label: `Without samples ${own.length}` },
            ]}
          />
          <SortableTable
            label={ANALYSES_TITLE}
            rows={log === 'own' ? own : found}
            columns={makeColumns(user.timeZone)}
            keyOf={({ id }) => String(id)}
            empty="No analysis matches. Change or clear the filter."
          />
          {data.length === MAX_ANALYSES_LISTED ? (
            <p className="soft small">The latest {MAX_ANALYSES_LISTED} are listed.</p>
          ) : null}
        </>
      )}
    </Page>
  );
}
