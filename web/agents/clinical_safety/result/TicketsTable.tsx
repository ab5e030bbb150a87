import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { download } from '../../../data/call.ts';
import { downloadFailure } from '../../../data/chat.ts';
import { showFailure } from '../../../data/toasts.ts';
import { Callout } from '../../../parts/Notice.tsx';
import { Skeleton } from '../../../parts/Skeleton.tsx';
import { Tag, type TagTone } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import { ticketsCsv, useTickets } from '../analysis.ts';

const verdicts: Record<TicketVerdict['relevance'], { label: string; tone: TagTone; order: number }> = {
  relevant: { label: 'Relevant', tone: 'accent', order: 0 },
  unsure: { label: 'Unsure', tone: 'waiting', order: 1 },
  not: { label: 'Not relevant', tone: 'plain', order: 2 },
};

const columns: Column<TicketVerdict>[] = [
  {
    id: 'key',
    header: 'Ticket',
    width: '110px',
    sort: (ticket) => ticket.key,
    cell: (ticket) => <span className="mono">{ticket.key}</span>,
  },
  {
    id: 'summary',
    header: 'Summary and deciding quote',
    sort: (ticket) => ticket.summary,
    cell: (ticket) => (
      <span>
        {ticket.summary}
        {ticket.quote ? (
          <>
            <br />
            <span className="soft">“{ticket.quote}”</span>
          </>
        ) : null}
      </span>
    ),
  },
  {
    id: 'relevance',
    header: 'Verdict',
    width: '120px',
    sort: (ticket) => verdicts[ticket.relevance].order,
    cell: (ticket) => (
      <span>
        <Tag tone={verdicts[ticket.relevance].tone}>{verdicts[ticket.relevance].label}</Tag>
      </span>
    ),
  },
  {
    id: 'score',
    header: 'Score',
    align: 'right',
    width: '72px',
    sort: (ticket) => ticket.score,
    cell: (ticket) => ticket.score.toFixed(2),
  },
  {
    id: 'kb',
    header: 'Knowledge base',
    width: '130px',
    cell: (ticket) => <span className="mono">{ticket.kbIds.slice(0, 3).join(', ') || '–'}</span>,
  },
  {
    id: 'hazards',
    header: 'Covered by',
    width: '120px',
    sort: (ticket) => ticket.hazardIds[0] ?? '',
    cell: (ticket) =>
      ticket.hazardIds.length > 0 ? (
        <span className="mono">{ticket.hazardIds.join(', ')}</span>
      ) : ticket.possibleHazardIds?.length ? (
        <span className="soft">
          Possible: <span className="mono">{ticket.possibleHazardIds.join(', ')}</span>
        </span>
      ) : (
        <span className="soft">{ticket.relevance === 'relevant' ? 'No hazard' : '–'}</span>
      ),
  },
];

/** The verdict on every ticket, with the quote that decided it. */
export function TicketsTable({ analysisId }: { analysisId: number }) {
  const { data, error, mutate } = useTickets(analysisId);
  const [verdict, setVerdict] = useState('all');
  const [words, setWords] = useState('');
  if (error && !data) {
    return (
      <Callout
        tone="error"
        title="The tickets could not be loaded"
        action={
          <Button size="xs" variant="default" onClick={() => void mutate()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!data) return <Skeleton lines={6} />;
  const number = (name: TicketVerdict['relevance']) => data.filter((ticket) => ticket.relevance === name).length;
  const open = data.filter((ticket) => ticket.relevance === 'relevant' && ticket.hazardIds.length === 0);
  const rows = (verdict === 'open' ? open : data).filter(
    (ticket) =>
      (verdict === 'all' || verdict === 'open' || ticket.relevance === verdict) &&
      holds(
        words,
        ticket.key,
        ticket.summary,
        ticket.quote,
        [...ticket.hazardIds, ...(ticket.possibleHazardIds ?? [])].join(' '),
        ticket.kbIds.join(' '),
      ),
  );
  const save = () => {
    download(ticketsCsv(analysisId), `tickets-${analysisId}.csv`).catch((failure: unknown) =>
      showFailure('Download failed', downloadFailure(failure)),
    );
  };
  return (
    <>
      <FilterBar
        label="Tickets"
        value={verdict}
        onChange={setVerdict}
        words={words}
        onWords={setWords}
        options={[
          { value: 'all', label: `All ${data.length}` },
          { value: 'relevant', label: `Relevant ${number('relevant')}` },
          { value: 'open', label: `Not covered ${open.length}` },
          { value: 'unsure', label: `Unsure ${number('unsure')}` },
          { value: 'not', label: `Not relevant ${number('not')}` },
        ]}
      >
        {data.length > 0 ? (
          <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={save}>
            Export CSV
          </Button>
        ) : null}
      </FilterBar>
      <SortableTable
        label="Tickets"
        rows={rows}
        columns={columns}
        keyOf={(ticket) => ticket.key}
        empty={
          data.length === 0
            ? 'No tickets were analysed. Upload a ticket export and run the analysis again.'
            : 'No tickets match. Change or clear the filter.'
        }
      />
    </>
  );
}
