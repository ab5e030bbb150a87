import * as contract from '../../../models/contracts/agentWork.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { ProjectRow } from '../../../models/project.ts';
import { continueTask } from '../../engine/agents/continueTask.ts';
import { refusalInPreparation } from '../../engine/agents/inPreparation.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../engine/calls/call.ts';
import { previewUrl, readProjects } from '../../engine/files/projects.ts';

/** A project as pages get it. */
const presentProject = (row: ProjectRow): contract.Project => ({
  id: row._id,
  projectName: row.name,
  objective: row.objective,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  previewUrl: previewUrl(row),
});

async function listProjects({ who, params }: { who: Who; params: { id: number } }) {
  await requireAgentOf(who, params.id, 'developer');
  return { projects: (await readProjects(who.accountId, params.id)).map(presentProject) };
}

/** The developer's calls. Those that would start its work refuse: it is in preparation. */
export const calls: readonly Call[] = [
  defineCall(contract.startTask, async () => {
    throw refusalInPreparation('The developer’s workflow');
  }),
  defineCall(contract.continueTask, ({ who, params, body }) =>
    continueTask(who, 'developer', params.interruptId, body),
  ),
  defineCall(contract.createProject, async ({ who, body }) => {
    await requireReadyAgentOf(who, body.userAgentId, 'developer');
    throw refusalInPreparation('Creating projects');
  }),
  defineCall(contract.listReplitProjects, listProjects),
  defineCall(contract.listBoltProjects, listProjects),
];
