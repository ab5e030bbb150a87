import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { POLLS } from '../../../models/contracts/limits.ts';
import { listProcedures, type Procedure } from '../../../models/contracts/ops/procedures.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import classes from '../../parts/agents/Pieces.module.css';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';

/** The operations agent's panel: its procedures with their files. */
export function ProceduresPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: procedures, error, mutate } = useCall(listProcedures, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!procedures) {
    return <SectionNotLoaded title="Your procedures can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <section className={classes.list} aria-label="Procedures">
      {agent.pendingInterrupts > 0 ? (
        <p className="soft">
          A procedure continues once its question is answered. <Link to="/agent-inbox">Answer it in the inbox</Link>
        </p>
      ) : null}
      {procedures.length === 0 ? (
        <p className="soft">
          No procedure yet. Paste the description of a process below, or name a document that holds one. Whatever the
          description does not say is marked for a person.
        </p>
      ) : null}
      {procedures.map((procedure) => (
        <OneProcedure key={procedure.id} procedure={procedure} />
      ))}
    </section>
  );
}

const FILE_LABELS = ['Procedure', 'Checklist and risks'];

function OneProcedure({ procedure: { title, sourceName, createdAt, counts, files } }: { procedure: Procedure }) {
  return (
    <article className={classes.piece} aria-label={title}>
      <div className={classes.head}>
        <h3>{title}</h3>
      </div>
      <p className="soft small">
        From {sourceName}, {momentOf(createdAt)}
      </p>
      <p>
        {count(counts.steps, 'step')}, {count(counts.roles, 'role')}, {count(counts.risks, 'risk')} without a rating,{' '}
        {count(counts.toFill, 'place')} to fill in.
      </p>
      <div className={classes.files}>
        {files.map(({ name, url }, at) => (
          <Button
            key={name}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            aria-label={`${FILE_LABELS[at] ?? name} of ${title}`}
            onClick={() => {
              download(url, name).catch(showDownloadFailure);
            }}
          >
            {FILE_LABELS[at] ?? name}
          </Button>
        ))}
      </div>
    </article>
  );
}
