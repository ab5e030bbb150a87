import { POLLS } from '../../../models/contracts/limits.ts';
import { type Campaign, listCampaigns } from '../../../models/contracts/marketer/campaigns.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { useCall } from '../../data/useCall.ts';
import { count, momentOf } from '../../data/words.ts';
import { filesOf, Piece, PieceFiles, Pieces } from '../../parts/agents/Pieces.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';

const EMPTY =
  'No copy yet. Paste a text about your product below, or name a document. Every sentence of the copy is one of the text’s own; claims without evidence and medical claims are left out, with the reason.';

/** The marketer's panel: its copy with state, counts of what was left out, and files. */
export function CampaignsPanel({ agent }: { agent: UserAgent }) {
  const path = { params: { userAgentId: agent.id } };
  const { data: campaigns, error, mutate } = useCall(listCampaigns, path, { poll: POLLS.result });
  if (agent.status !== 'onboarded') return null;
  if (!campaigns) {
    return <SectionNotLoaded title="Your copy can’t be shown" failed={Boolean(error)} retry={mutate} />;
  }
  return (
    <Pieces
      label="Copy"
      waiting={agent.pendingInterrupts > 0 ? 'Copy continues once its question is answered.' : null}
      empty={campaigns.length === 0 ? EMPTY : null}
    >
      {campaigns.map((campaign) => (
        <OneCampaign key={campaign.id} campaign={campaign} />
      ))}
    </Pieces>
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
    <Piece title={title} aside={<Tag tone={tone}>{label}</Tag>} source={`From ${sourceName}, ${momentOf(createdAt)}`}>
      <p>
        {count(counts.written, 'sentence')} may be used, {count(counts.flagged, 'claim')} left out ({counts.medical}{' '}
        medical), {count(counts.toFill, 'place')} to fill in.
      </p>
      <PieceFiles files={filesOf(title, files, FILE_LABELS)} />
    </Piece>
  );
}
