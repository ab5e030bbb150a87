import { POLLS } from '../../../models/contracts/limits.ts';
import { listProspects, type ProspectList } from '../../../models/contracts/outreach/lists.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import { filesOf, Piece, PieceFiles, Pieces } from '../../parts/agents/Pieces.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';

const EMPTY =
  'No drafts yet. Name a list of your company below, or paste one with its head, with lines “Offer: …”, “Ask: …” and “From: …”. Nothing is ever sent.';

/** The outreach agent's panel: lists with what became of their drafts, and how many opt-outs are kept. */
export function ProspectsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data, error, mutate } = useCall(listProspects, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!data) {
    return <SectionNotLoaded title="Your lists can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <Pieces
      label="Drafts"
      waiting={agent.pendingInterrupts > 0 ? 'Drafts continue once their question is answered.' : null}
      empty={data.lists.length === 0 ? EMPTY : null}
    >
      <p className="soft small">
        {count(data.optOuts, 'opt-out')} kept. Say “Opt out jo@example.org” or “Opt out @example.org” to add one; who
        opted out is in no draft.
      </p>
      {data.lists.map((list) => (
        <OneList key={list.id} list={list} />
      ))}
    </Pieces>
  );
}

const STATES = {
  waiting: { tone: 'waiting', label: 'Waits for review' },
  decided: { tone: 'done', label: 'Reviewed' },
} as const;

const FILE_LABELS = ['Workbook', 'CSV'];

function OneList({ list: { title, sourceName, createdAt, counts, state, files } }: { list: ProspectList }) {
  const { tone, label } = STATES[state];
  return (
    <Piece title={title} aside={<Tag tone={tone}>{label}</Tag>} source={`From ${sourceName}, ${momentOf(createdAt)}`}>
      <p>
        {count(counts.drafts, 'draft')}
        {state === 'decided' ? ` (${counts.approved} approved, ${counts.rejected} rejected)` : ''}.{' '}
        {count(counts.optedOut, 'person', 'people')} who opted out and {count(counts.leftOut, 'other row')} got none.
      </p>
      <PieceFiles files={filesOf(title, files, FILE_LABELS)} />
    </Piece>
  );
}
