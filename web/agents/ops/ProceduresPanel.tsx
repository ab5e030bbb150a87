import { POLLS } from '../../../models/contracts/limits.ts';
import { listProcedures, type Procedure } from '../../../models/contracts/ops/procedures.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import { filesOf, Piece, PieceFiles, Pieces } from '../../parts/agents/Pieces.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';

const EMPTY =
  'No procedure yet. Paste the description of a process below, or name a document that holds one. Whatever the description does not say is marked for a person.';

/** The operations agent's panel: its procedures with their files. */
export function ProceduresPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: procedures, error, mutate } = useCall(listProcedures, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!procedures) {
    return <SectionNotLoaded title="Your procedures can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <Pieces
      label="Procedures"
      waiting={agent.pendingInterrupts > 0 ? 'A procedure continues once its question is answered.' : null}
      empty={procedures.length === 0 ? EMPTY : null}
    >
      {procedures.map((procedure) => (
        <OneProcedure key={procedure.id} procedure={procedure} />
      ))}
    </Pieces>
  );
}

const FILE_LABELS = ['Procedure', 'Checklist and risks'];

function OneProcedure({ procedure: { title, sourceName, createdAt, counts, files } }: { procedure: Procedure }) {
  return (
    <Piece title={title} source={`From ${sourceName}, ${momentOf(createdAt)}`}>
      <p>
        {count(counts.steps, 'step')}, {count(counts.roles, 'role')}, {count(counts.risks, 'risk')} without a rating,{' '}
        {count(counts.toFill, 'place')} to fill in.
      </p>
      <PieceFiles files={filesOf(title, files, FILE_LABELS)} />
    </Piece>
  );
}
