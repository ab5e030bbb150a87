import type { ConnectorCard } from '../connectorCard.ts';

export const figmaCard = {
  id: 'figma',
  name: 'Figma',
  icon: 'figma',
  status: 'working',
  tools: [{ id: 'figma', name: 'Figma', description: 'Design files' }],
  aliases: [],
  place: { category: 'Enterprise', description: 'Read frames of design files and leave links to prototypes.' },
  consent: {
    reads:
      'the file that you choose, or the files of the project or team that you choose: names of pages and frames, their sizes and their texts, each time the designer is asked for them. It reads no pictures, and looks through comments only for its own.',
    writes:
      'a comment and a developers’ link to a prototype in Arc, on one frame, each time only after somebody has approved the exact words. It changes and deletes nothing else: Figma lets no other program draw.',
    stays: 'Figma’s cloud. Arc keeps no copy of the files; what the designer reads is in the chat that asked for it.',
  },
  scoped: true,
  needs: ['FIGMA_CLIENT_ID', 'FIGMA_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
