import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { labelOfProposal } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { download } from '../../../data/call.ts';
import { showDownloadFailure } from '../../../data/chat.ts';
import { SectionNotLoaded } from '../../../parts/NotLoaded.tsx';
import { Tag, type TagTone } from '../../../parts/Tag.tsx';
import { FilterBar, holds } from '../../../parts/table/FilterBar.tsx';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import { ticketsCsv, useTickets } from '../analysis.ts';
import { decisionsUrlOf } from '../decisions/decisions.ts';
import { PossibleMatches } from './PossibleMatches.tsx';

const verdicts: Record<TicketVerdict['relevance'], { label: string; tone: TagTone; order: number }> = {
  relevant: { label: 'Relevant', tone: 'accent', order: 0 },
  unsure: { label: 'Unsure', tone: 'waiting', order: 1 },
  not: { label: 'Not relevant', tone: 'plain', order: 2 },
};

/** What the proposal that names a ticket is called. */
type ProposalOf = (ticket: TicketVerdict) => string | undefined;

/** Whether a ticket is relevant, nothing covers it, and no known kind of hazard fits it well enough to propose one. */
const isWithoutKind = (ticket: TicketVerdict, proposalOf: ProposalOf): boolean =>
  ticket.relevance === 'relevant' && ticket.coveredBy === null && proposalOf(ticket) === undefined;

const makeColumns = (proposalOf: ProposalOf): Column<TicketVerdict>[] => [
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
    // Within a verdict the surest first.
    sort: (ticket) => verdicts[ticket.relevance].order - ticket.score / 10_000,
    cell: (ticket) => (
      <span>
        <Tag tone={verdicts[ticket.relevance].tone}>{verdicts[ticket.relevance].label}</Tag>
      </span>
    ),
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
    width: '260px',
    sort: (ticket) => ticket.hazardIds[0] ?? '',
    cell: (ticket) =>
      ticket.hazardIds.length > 0 ? (
        <span>
          <span className="mono">{ticket.hazardIds.join(', ')}</span>
          {ticket.coveredBy === 'person' ? (
            <>
              {' '}
              <Link className="soft" to={decisionsUrlOf(ticket.key)}>
                confirmed by a person
              </Link>
            </>
          ) : null}
        </span>
      ) : (
        <div>
          <PossibleMatches ticket={ticket} />
          {isWithoutKind(ticket, proposalOf) ? <p className="soft small">Without a kind: in no proposal</p> : null}
          {proposalOf(ticket) ? (
            <p className="soft small">
              Proposed as <span className="mono">{proposalOf(ticket)}</span>
            </p>
          ) : null}
        </div>
      ),
  },
];

/** The verdict on every ticket, with the quote that decided it. */
export function TicketsTable({
  analysisId,
  proposals,
  only,
}: {
  analysisId: number;
  proposals: readonly NewHazard[];
  /** Keys of the tickets to show; all where it is null. */
  only: ReadonlySet<string> | null;
}) {
  const { data: all, error, mutate } = useTickets(analysisId);
  const data = only ? all?.filter(({ key }) => only.has(key)) : all;
  const [verdict, setVerdict] = useState('all');
  const [words, setWords] = useState('');
  if (!data)
    return (
      <SectionNotLoaded title="The tickets could not be loaded" failed={Boolean(error)} retry={mutate} lines={6} />
    );
  const number = (name: TicketVerdict['relevance']) => data.filter((ticket) => ticket.relevance === name).length;
  const proposed = new Map(
    proposals.flatMap((proposal) => proposal.evidence.map(({ ticketKey }) => [ticketKey, labelOfProposal(proposal)])),
  );
  const proposalOf: ProposalOf = ({ key }) => proposed.get(key);
  const open = data.filter((ticket) => ticket.relevance === 'relevant' && ticket.hazardIds.length === 0);
  const possible = open.filter(({ possibleHazardIds }) => possibleHazardIds?.length);
  const withoutKind = open.filter((ticket) => isWithoutKind(ticket, proposalOf));
  const lists: Partial<Record<string, TicketVerdict[]>> = { all: data, open, possible, withoutKind };
  const rows = (lists[verdict] ?? data.filter(({ relevance }) => relevance === verdict)).filter((ticket) =>
    holds(
      words,
      ticket.key,
      ticket.summary,
      ticket.quote,
      [...ticket.hazardIds, ...(ticket.possibleHazardIds ?? [])].join(' '),
      ticket.kbIds.join(' '),
      ...(ticket.possible ?? []).flatMap(({ hazardName, hazardQuote }) => [hazardName, hazardQuote]),
    ),
  );
  const save = () => {
    download(ticketsCsv(analysisId), `tickets-${analysisId}.csv`).catch(showDownloadFailure);
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
          { value: 'possible', label: `Possible match ${possible.length}` },
          { value: 'withoutKind', label: `Without a kind ${withoutKind.length}` },
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
        columns={makeColumns(proposalOf)}
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
