import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { type ListedRows, readQueryOf } from '../../../models/contracts/askedQuery.ts';
import { type AgentId, isAgentId } from '../../../models/contracts/catalogueAgent.ts';
import { useAsked } from '../../data/askAgain.ts';
import { Notice } from '../../parts/Notice.tsx';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';

/** All rows of an answer whose kind of row has no table in a result, by the query in the address. */
export function RowsPage() {
  const [address] = useSearchParams();
  const agentId = address.get('agent') ?? '';
  return (
    <SignInNeeded title="Rows" text="Please sign in to see these rows." button="Sign In">
      {() => (isAgentId(agentId) ? <Rows agentId={agentId} address={address} /> : <NoQuery />)}
    </SignInNeeded>
  );
}

/** What an address without a query shows. */
const NoQuery = () => (
  <Page title="Rows">
    <Notice
      level={1}
      title="This address names no question"
      text="Ask for rows in the chat, and open them from the answer."
      action={
        <Button component={Link} to="/arc-chat">
          Open the chat
        </Button>
      }
    />
  </Page>
);

function Rows({ agentId, address }: { agentId: AgentId; address: URLSearchParams }) {
  const query = readQueryOf(address.get('query'));
  const of = address.get('of');
  const { data, error, mutate } = useAsked(agentId, query, of === null ? undefined : Number(of));
  if (!query) return <NoQuery />;
  const title = data ? capital(data.asked.noun) : 'Rows';
  return (
    <Page title={title}>
      <PageHead title={title} subtitle={data?.text.split('\n')[0]?.replace(/:$/, '.') ?? ''} />
      {data?.listed ? (
        <Listed listed={data.listed} noun={data.asked.noun} />
      ) : (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      )}
      <p>
        <Link to="/arc-chat">Back to the chat</Link>
      </p>
    </Page>
  );
}

function Listed({ listed: { columns, rows, count }, noun }: { listed: ListedRows; noun: string }) {
  const shown = columns.map(
    (header, at): Column<{ cells: string[]; place: number }> => ({
      ...{ id: String(at), header, cell: ({ cells }) => cells[at] || '–' },
      sort: ({ cells }) => sortKey(cells[at] ?? ''),
    }),
  );
  return (
    <>
      {count > rows.length ? <p className="soft">The first {rows.length} are shown.</p> : null}
      <SortableTable
        label={capital(noun)}
        rows={rows.map((cells, place) => ({ cells, place }))}
        columns={shown}
        keyOf={({ place }) => String(place)}
        empty={`No ${noun} match.`}
      />
    </>
  );
}

const sortKey = (cell: string): string | number => (cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell);
const capital = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
