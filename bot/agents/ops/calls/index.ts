import { downloadPath } from '../../../../models/contracts/files.ts';
import * as contract from '../../../../models/contracts/ops/procedures.ts';
import { requireAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { readProcedures } from '../workflows/keepProcedure.ts';

const list = defineCall(
  contract.listProcedures,
  async ({ who, params }) => {
    await requireAgentOf(who, params.userAgentId, 'ops');
    return (await readProcedures(who.accountId)).map(({ runId, title, sourceName, createdAt, counts, files }) => ({
      id: String(runId),
      title,
      sourceName,
      createdAt: createdAt.toISOString(),
      counts,
      files: files.map((name) => ({ name, url: downloadPath(name) })),
    }));
  },
  { topics: ['workspaces'] },
);

/** The calls of the operations agent. */
export const calls: readonly Call[] = [list];
