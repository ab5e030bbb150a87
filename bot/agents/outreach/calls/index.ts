import { downloadPath } from '../../../../models/contracts/files.ts';
import * as contract from '../../../../models/contracts/outreach/lists.ts';
import { requireAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { countOptOuts } from '../optOuts/keepOptOuts.ts';
import { readLists } from '../workflows/keepLists.ts';

const list = defineCall(
  contract.listProspects,
  async ({ who, params }) => {
    await requireAgentOf(who, params.userAgentId, 'outreach');
    const lists = await readLists(who.accountId);
    return {
      lists: lists.map(({ runId, title, sourceName, createdAt, counts, state, files }) => ({
        id: String(runId),
        title,
        sourceName,
        createdAt: createdAt.toISOString(),
        counts,
        state,
        files: files.map((name) => ({ name, url: downloadPath(name) })),
      })),
      optOuts: await countOptOuts(who.accountId),
    };
  },
  { topics: ['workspaces'] },
);

/** The calls of the outreach agent. */
export const calls: readonly Call[] = [list];
