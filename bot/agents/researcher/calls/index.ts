import { downloadPath } from '../../../../models/contracts/files.ts';
import * as contract from '../../../../models/contracts/researcher/briefs.ts';
import { requireAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { readBriefs } from '../workflows/keepBrief.ts';

const list = defineCall(
  contract.listBriefs,
  async ({ who, params }) => {
    await requireAgentOf(who, params.userAgentId, 'researcher');
    return (await readBriefs(who.accountId)).map(({ runId, question, createdAt, counts, fileName }) => ({
      id: String(runId),
      question,
      createdAt: createdAt.toISOString(),
      counts,
      file: { name: fileName, url: downloadPath(fileName) },
    }));
  },
  { topics: ['workspaces'] },
);

/** The calls of the researcher. */
export const calls: readonly Call[] = [list];
