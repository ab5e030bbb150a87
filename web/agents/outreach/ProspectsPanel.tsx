import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { POLLS } from '../../../models/contracts/limits.ts';
import { listProspects, type ProspectList } from '../../../models/contracts/outreach/lists.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import classes from '../../parts/agents/Pieces.module.css';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';

/** The outreach agent's panel: lists with what became of their drafts, and how many opt-outs are kept. */
export function ProspectsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data, error, mutate } = useCall(listProspects, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!data) {
    return <SectionNotLoaded title="Your lists can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <section className={classes.list} aria-label="Drafts">
      {agent.pendingInterrupts > 0 ? (
        <p className="soft">
          Drafts continue once their question is answered. <Link to="/agent-inbox">Answer it in the inbox</Link>
        </p>
      ) : null}
      {data.lists.length === 0 ? (
        <p className="soft">
          No drafts yet. Name a list of your company below, or paste one with its head, with lines “Offer: …”, “Ask: …”
          and “From: …”. Nothing is ever sent.
        </p>
      ) : null}
      <p className="soft small">
        {count(data.optOuts, 'opt-out')} kept. Say “Opt out jo@example.org” or “Opt out @example.org” to add one; who
        opted out is in no draft.
      </p>
      {data.lists.map((list) => (
        <OneList key={list.id} list={list} />
      ))}
    </section>
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
    <article className={classes.piece} aria-label={title}>
      <div className={classes.head}>
        <h3>{title}</h3>
        <Tag tone={tone}>{label}</Tag>
      </div>
      <p className="soft small">
        From {sourceName}, {momentOf(createdAt)}
      </p>
      <p>
        {count(counts.drafts, 'draft')}
        {state === 'decided' ? ` (${counts.approved} approved, ${counts.rejected} rejected)` : ''}.{' '}
        {count(counts.optedOut, 'person', 'people')} who opted out and {count(counts.leftOut, 'other row')} got none.
      </p>
      {files.length > 0 ? (
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
      ) : null}
    </article>
  );
}
