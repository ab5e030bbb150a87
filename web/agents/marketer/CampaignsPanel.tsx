import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { POLLS } from '../../../models/contracts/limits.ts';
import { type Campaign, listCampaigns } from '../../../models/contracts/marketer/campaigns.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import classes from '../../parts/agents/Pieces.module.css';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';

/** The marketer's panel: its copy with state, counts of what was left out, and files. */
export function CampaignsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: campaigns, error, mutate } = useCall(listCampaigns, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!campaigns) {
    return <SectionNotLoaded title="Your copy can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <section className={classes.list} aria-label="Copy">
      {agent.pendingInterrupts > 0 ? (
        <p className="soft">
          Copy continues once its question is answered. <Link to="/agent-inbox">Answer it in the inbox</Link>
        </p>
      ) : null}
      {campaigns.length === 0 ? (
        <p className="soft">
          No copy yet. Paste a text about your product below, or name a document. Every sentence of the copy is one of
          the text’s own; claims without evidence and medical claims are left out, with the reason.
        </p>
      ) : null}
      {campaigns.map((campaign) => (
        <OneCampaign key={campaign.id} campaign={campaign} />
      ))}
    </section>
  );
}

const STATES = {
  waiting: { tone: 'waiting', label: 'Waits for approval' },
  final: { tone: 'done', label: 'Final' },
  draft: { tone: 'plain', label: 'Draft' },
} as const;

const FILE_LABELS = ['Document', 'Text'];

function OneCampaign({ campaign: { title, sourceName, createdAt, counts, state, files } }: { campaign: Campaign }) {
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
        {count(counts.written, 'sentence')} may be used, {count(counts.flagged, 'claim')} left out ({counts.medical}{' '}
        medical), {count(counts.toFill, 'place')} to fill in.
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
