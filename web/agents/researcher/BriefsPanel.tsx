import { POLLS } from '../../../models/contracts/limits.ts';
import { type Brief, listBriefs } from '../../../models/contracts/researcher/briefs.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import { Piece, PieceFiles, Pieces } from '../../parts/agents/Pieces.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';

const EMPTY =
  'No brief yet. Ask below what your documents say about something. Every sentence of a brief is a quote with its document; it also lists words of your question that no document holds.';

/** The researcher's panel: its briefs. */
export function BriefsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: briefs, error, mutate } = useCall(listBriefs, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!briefs) return <SectionNotLoaded title="Your briefs can’t be shown" failed={Boolean(error)} retry={mutate} />;
  return (
    <Pieces
      label="Briefs"
      waiting={agent.pendingInterrupts > 0 ? 'A brief continues once its question is answered.' : null}
      empty={briefs.length === 0 ? EMPTY : null}
    >
      {briefs.map((brief) => (
        <OneBrief key={brief.id} brief={brief} />
      ))}
    </Pieces>
  );
}

function OneBrief({ brief: { question, createdAt, counts, file } }: { brief: Brief }) {
  return (
    <Piece title={question} aside={<span className="soft">{momentOf(createdAt)}</span>}>
      <p>
        {count(counts.quotes, 'quote')} from {count(counts.documents, 'document')}; {counts.read} read.
        {counts.missing > 0 ? ` In no document: ${count(counts.missing, 'word')} of the question.` : ''}
      </p>
      <PieceFiles files={[{ ...file, label: 'Download', fullLabel: `Download the brief on ${question}` }]} />
    </Piece>
  );
}
