import type { HomeView, KnownBlock } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { drawPost } from './interruptBlocks.ts';

export const HOME_FILTERS = ['pending', 'overdue', 'resolved'] as const;
export type HomeFilter = (typeof HOME_FILTERS)[number];
const LABELS: Record<HomeFilter, string> = { pending: 'Pending', overdue: 'Overdue', resolved: 'Resolved' };
const OVERDUE_HOURS = 24;
const MAX_SHOWN = 15;
/** Slack's limit for a Home tab, and the blocks that are not questions: the header, the counts, the remainder. */
const MAX_BLOCKS = 100;
const OTHER_BLOCKS = 3;

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const isOverdue = ({ status, createdAt }: Interrupt, now: number) =>
  status === 'pending' && now - Date.parse(createdAt) > OVERDUE_HOURS * 3_600_000;

/** App Home: the inbox, overdue first, with the same cards as in a message. */
export function homeView(
  questions: readonly Interrupt[],
  mode: ConsentMode,
  filter: HomeFilter = 'pending',
  now = Date.now(),
): HomeView {
  const of: Record<HomeFilter, Interrupt[]> = {
    pending: questions
      .filter(({ status }) => status === 'pending')
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
    overdue: questions
      .filter((question) => isOverdue(question, now))
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
    resolved: questions.filter(({ status }) => status !== 'pending'),
  };
  const chosen = of[filter];
  const cards: KnownBlock[] = [];
  let shown = 0;
  for (const question of chosen.slice(0, MAX_SHOWN)) {
    const { blocks } = drawPost(question, mode);
    if (cards.length + 1 + blocks.length > MAX_BLOCKS - OTHER_BLOCKS) break;
    cards.push({ type: 'divider' }, ...blocks);
    shown += 1;
  }
  const option = (it: HomeFilter) => ({ value: it, text: plain(`${LABELS[it]} (${of[it].length})`) });
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('Inbox') },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `*${of.pending.length}* waiting · *${of.overdue.length}* overdue · <${linkToChat()}|Open Arc>`,
        },
        accessory: {
          type: 'static_select',
          action_id: 'home_filter',
          options: HOME_FILTERS.map(option),
          initial_option: option(filter),
        },
      },
      ...(chosen.length > 0
        ? cards
        : [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text: EMPTY[filter] } }]),
      ...(chosen.length > shown
        ? [
            {
              type: 'context' as const,
              elements: [{ type: 'mrkdwn' as const, text: `and ${chosen.length - shown} more in Arc` }],
            },
          ]
        : []),
    ],
  };
}

const EMPTY: Record<HomeFilter, string> = {
  pending: 'Nothing waits for you. When an agent needs an answer, its question appears here.',
  overdue: 'Nothing is overdue.',
  resolved: 'Nothing has been answered yet.',
};
