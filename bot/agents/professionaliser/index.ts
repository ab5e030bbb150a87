import { processDocuments } from '../../../models/contracts/agentWork.ts';
import { defineInPreparation, refusalInPreparation } from '../../engine/agents/inPreparation.ts';
import { requireReadyAgentOf } from '../../engine/agents/requireAgentOf.ts';
import { defineCall } from '../../engine/calls/call.ts';

/** The document professionaliser. Its work is in preparation; its call of the specification says so. */
export const professionaliser = defineInPreparation('professionaliser', {
  calls: [
    defineCall(processDocuments, async ({ who, params }) => {
      await requireReadyAgentOf(who, params.userAgentId, 'professionaliser');
      throw refusalInPreparation('Bringing documents into one structure');
    }),
  ],
});
