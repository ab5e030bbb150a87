import { downloadPath } from '../../../../models/contracts/files.ts';
import * as contract from '../../../../models/contracts/marketer/campaigns.ts';
import { requireAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { readCampaigns } from '../workflows/keepCampaign.ts';

const list = defineCall(
  contract.listCampaigns,
  async ({ who, params }) => {
    await requireAgentOf(who, params.userAgentId, 'marketer');
    return (await readCampaigns(who.accountId)).map(
      ({ runId, title, sourceName, createdAt, counts, state, files }) => ({
        id: String(runId),
        title,
        sourceName,
        createdAt: createdAt.toISOString(),
        counts,
        state,
        files: files.map((name) => ({ name, url: downloadPath(name) })),
      }),
    );
  },
  { topics: ['workspaces'] },
);

/** The calls of the marketer. */
export const calls: readonly Call[] = [list];
