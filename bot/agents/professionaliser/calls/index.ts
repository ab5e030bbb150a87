import { randomUUID } from 'node:crypto';
import { downloadPath } from '../../../../models/contracts/files.ts';
import * as contract from '../../../../models/contracts/professionaliser/documents.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { controlWorkflow } from '../workflows/control.ts';
import { readControlled } from '../workflows/keepControlled.ts';

const process = defineCall(contract.processDocuments, async ({ who, params, body: { objective } }) => {
  const agent = await requireReadyAgentOf(who, params.userAgentId, 'professionaliser');
  const work = beginWith(controlWorkflow, 'Bring a document into controlled form', { request: objective });
  const run = await startWork(who, agent, `call:${randomUUID()}`, work);
  return {
    success: true as const,
    runId: String(run._id),
    workspaceId: run.workspaceId ?? 0,
    response: 'The document is being read. Questions and the result will appear in the chat and the inbox.',
  };
});

const list = defineCall(
  contract.listControlled,
  async ({ who, params }) => {
    await requireAgentOf(who, params.userAgentId, 'professionaliser');
    return (await readControlled(who.accountId)).map(
      ({ runId, title, sourceName, createdAt, counts, state, fileName }) => ({
        id: String(runId),
        title,
        sourceName,
        createdAt: createdAt.toISOString(),
        counts,
        state,
        file: { name: fileName, url: downloadPath(fileName) },
      }),
    );
  },
  { topics: ['workspaces'] },
);

/** The calls of the document professionaliser. */
export const calls: readonly Call[] = [process, list];
