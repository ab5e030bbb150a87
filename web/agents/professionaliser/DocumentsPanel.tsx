import { POLLS } from '../../../models/contracts/limits.ts';
import { type ControlledDocument, listControlled } from '../../../models/contracts/professionaliser/documents.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import { Piece, PieceFiles, Pieces } from '../../parts/agents/Pieces.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';

const EMPTY =
  'No document yet. Name one of your company’s documents below, or paste a text under your request. Lines such as “Version: 2” fill the control block; missing values are marked for a person.';

/** The professionaliser's panel: its controlled documents with their state and counts of what is left to do. */
export function DocumentsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: documents, error, mutate } = useCall(listControlled, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!documents) {
    return <SectionNotLoaded title="Your documents can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <Pieces
      label="Controlled documents"
      waiting={agent.pendingInterrupts > 0 ? 'A document continues once its question is answered.' : null}
      empty={documents.length === 0 ? EMPTY : null}
    >
      {documents.map((document) => (
        <OneDocument key={document.id} document={document} />
      ))}
    </Pieces>
  );
}

const STATES = {
  waiting: { tone: 'waiting', label: 'Waits for approval' },
  saved: { tone: 'done', label: 'Saved as a draft' },
  'not-saved': { tone: 'plain', label: 'Not saved' },
} as const;

function OneDocument({
  document: { title, sourceName, createdAt, counts, state, file },
}: {
  document: ControlledDocument;
}) {
  const { tone, label } = STATES[state];
  return (
    <Piece title={title} aside={<Tag tone={tone}>{label}</Tag>} source={`From ${sourceName}, ${momentOf(createdAt)}`}>
      <p>
        {count(counts.changes, 'kind of change', 'kinds of change')}, {count(counts.open, 'open point')},{' '}
        {count(counts.toFill, 'place')} to fill in. Accept or reject each change in Word.
      </p>
      <PieceFiles files={[{ ...file, label: 'Download', fullLabel: `Download ${title}` }]} />
    </Piece>
  );
}
