import type { ChannelCard } from '../channelCard.ts';

/** The product's own pages. */
export const arcCard = {
  id: 'arc',
  name: 'Arc',
  surfaces: { inbox: 'the inbox', 'arc-chat': 'arc-chat' },
  wordsOn: 'arc-chat',
  isRemote: false,
  integration: {
    id: 'arc-chat',
    name: 'arc-chat',
    icon: 'chat',
    description: 'Talk to your agents here, in the browser.',
    aliases: [],
  },
  needs: [],
} as const satisfies ChannelCard;
