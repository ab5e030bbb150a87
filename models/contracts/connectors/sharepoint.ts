import type { ConnectorCard } from '../connectorCard.ts';

export const sharepointCard = {
  id: 'sharepoint',
  name: 'SharePoint',
  icon: 'sharepoint',
  status: 'in-preparation',
  tools: [{ id: 'sharepoint', name: 'SharePoint', description: 'Files and sites' }],
  aliases: [],
  begins: '/api/oauth/sharepoint/initiate',
  place: {
    category: 'Documentation and Process',
    description: 'Read files and save drafts to SharePoint.',
    documentation: true,
  },
  needs: ['SHAREPOINT_CLIENT_ID', 'SHAREPOINT_CLIENT_SECRET'],
} as const satisfies ConnectorCard;
