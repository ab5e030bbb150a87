import type { ConnectorCard } from '../connectorCard.ts';

export const sharepointCard = {
  id: 'sharepoint',
  name: 'SharePoint',
  icon: 'sharepoint',
  status: 'working',
  tools: [{ id: 'sharepoint', name: 'SharePoint', description: 'Files and sites' }],
  aliases: [],
  begins: '/api/oauth/sharepoint/initiate',
  place: {
    category: 'Documentation and Process',
    description: 'Read files and save drafts to SharePoint.',
    documentation: true,
  },
  consent: {
    reads:
      'the files of the library that you choose and of its folders: Word, Excel, CSV, Markdown and text, not PDF. Microsoft also asks you to allow reading and changing other sites, because it offers nothing narrower without an administrator; Arc lists the names of your sites and their libraries and reads none of their files.',
    writes: 'drafts of agents, as new files in that library. It changes and deletes nothing else.',
    stays:
      'Microsoft’s cloud. Arc keeps a copy of these files on its own server until you disconnect, and reads changes every ten minutes.',
  },
  scoped: true,
  needs: ['SHAREPOINT_CLIENT_ID', 'SHAREPOINT_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
