import type { ConnectorCard } from '../connectorCard.ts';

export const googledriveCard = {
  id: 'googledrive',
  name: 'Google Drive',
  icon: 'drive',
  status: 'working',
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
  consent: {
    reads:
      'the files directly in the folder that you choose: Google Docs and Sheets, Word, Excel, CSV, Markdown and text. Google also asks you to allow reading other files, because it offers nothing narrower; Arc lists the names of your folders and reads none of their files.',
    writes: 'drafts of agents, as new files in that folder. It changes and deletes nothing else.',
    stays:
      'Google’s cloud. Arc keeps a copy of these files on its own server until you disconnect, and reads changes every ten minutes.',
  },
  scoped: true,
  needs: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
