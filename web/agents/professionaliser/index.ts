import { lazy } from 'react';
import { processDocuments } from '../../../models/contracts/professionaliser/documents.ts';
import { call } from '../../data/call.ts';
import type { WebAgent } from '../agent.ts';

const Panel = lazy(async () => ({ default: (await import('./DocumentsPanel.tsx')).DocumentsPanel }));

/** The document professionaliser's parts of the pages. */
export const professionaliser: WebAgent = {
  id: 'professionaliser',
  Panel,
  tasks: {
    async assign({ id }, objective) {
      await call(processDocuments, { params: { userAgentId: id }, body: { objective } });
    },
    done: 'Document Management Started',
    failed: 'Failed to start document management workflow',
  },
};
