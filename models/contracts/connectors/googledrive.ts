import type { ConnectorCard } from '../connectorCard.ts';

export const googledriveCard = {
  id: 'googledrive',
  name: 'Google Drive',
  icon: 'drive',
  status: 'in-preparation',
  tools: [
    { id: 'googledrive', name: 'Google Drive', description: 'Files', scope: 'drive' },
    { id: 'googledocs', name: 'Google Docs', description: 'Documents', scope: 'docs' },
  ],
  aliases: ['google'],
  place: {
    category: 'Documentation and Process',
    description: 'Read files and save drafts to Google Drive.',
    documentation: true,
  },
  needs: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
