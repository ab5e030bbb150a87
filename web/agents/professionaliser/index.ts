import { processDocuments } from '../../../models/contracts/agentWork.ts';
import { call } from '../../data/call.ts';
import type { WebAgent } from '../agent.ts';

/** The document professionaliser's parts of the pages. */
export const professionaliser: WebAgent = {
  id: 'professionaliser',
  tasks: {
    async assign({ id }, objective) {
      await call(processDocuments, { params: { userAgentId: id }, body: { objective } });
    },
    done: 'Document Management Started',
    failed: 'Failed to start document management workflow',
  },
};
