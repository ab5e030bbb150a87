import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { POLLS } from '../../../models/contracts/limits.ts';
import { type ControlledDocument, listControlled } from '../../../models/contracts/professionaliser/documents.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import classes from '../../parts/agents/Pieces.module.css';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';

/** The professionaliser's panel: its controlled documents with their state and counts of what is left to do. */
export function DocumentsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: documents, error, mutate } = useCall(listControlled, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!documents) {
    return <SectionNotLoaded title="Your documents can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <section className={classes.list} aria-label="Controlled documents">
      {agent.pendingInterrupts > 0 ? (
        <p className="soft">
          A document continues once its question is answered. <Link to="/agent-inbox">Answer it in the inbox</Link>
        </p>
      ) : null}
      {documents.length === 0 ? (
        <p className="soft">
          No document yet. Name one of your company’s documents below, or paste a text under your request. Lines such as
          “Version: 2” fill the control block; missing values are marked for a person.
        </p>
      ) : null}
      {documents.map((document) => (
        <OneDocument key={document.id} document={document} />
      ))}
    </section>
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
    <article className={classes.piece} aria-label={title}>
      <div className={classes.head}>
        <h3>{title}</h3>
        <Tag tone={tone}>{label}</Tag>
      </div>
      <p className="soft small">
        From {sourceName}, {momentOf(createdAt)}
      </p>
      <p>
        {count(counts.changes, 'kind of change', 'kinds of change')}, {count(counts.open, 'open point')},{' '}
        {count(counts.toFill, 'place')} to fill in. Accept or reject each change in Word.
      </p>
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={`Download ${title}`}
          onClick={() => {
            download(file.url, file.name).catch(showDownloadFailure);
          }}
        >
          Download
        </Button>
      </div>
    </article>
  );
}
