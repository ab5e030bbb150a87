import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { POLLS } from '../../../models/contracts/limits.ts';
import { type Brief, listBriefs } from '../../../models/contracts/researcher/briefs.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import classes from '../../parts/agents/Pieces.module.css';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';

/** The researcher's panel: its briefs. */
export function BriefsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: briefs, error, mutate } = useCall(listBriefs, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!briefs) return <SectionNotLoaded title="Your briefs can’t be shown" failed={Boolean(error)} retry={mutate} />;
  return (
    <section className={classes.list} aria-label="Briefs">
      {agent.pendingInterrupts > 0 ? (
        <p className="soft">
          A brief continues once its question is answered. <Link to="/agent-inbox">Answer it in the inbox</Link>
        </p>
      ) : null}
      {briefs.length === 0 ? (
        <p className="soft">
          No brief yet. Ask below what your documents say about something. Every sentence of a brief is a quote with its
          document; it also lists words of your question that no document holds.
        </p>
      ) : null}
      {briefs.map((brief) => (
        <OneBrief key={brief.id} brief={brief} />
      ))}
    </section>
  );
}

function OneBrief({ brief: { question, createdAt, counts, file } }: { brief: Brief }) {
  return (
    <article className={classes.piece} aria-label={question}>
      <div className={classes.head}>
        <h3>{question}</h3>
        <span className="soft">{momentOf(createdAt)}</span>
      </div>
      <p>
        {count(counts.quotes, 'quote')} from {count(counts.documents, 'document')}; {counts.read} read.
        {counts.missing > 0 ? ` In no document: ${count(counts.missing, 'word')} of the question.` : ''}
      </p>
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={`Download the brief on ${question}`}
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
