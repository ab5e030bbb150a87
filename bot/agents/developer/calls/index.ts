import { randomUUID } from 'node:crypto';
import * as contract from '../../../../models/contracts/agentWork.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { downloadPath } from '../../../../models/contracts/files.ts';
import type { Who } from '../../../../models/policies/who.ts';
import type { ProjectRow } from '../../../../models/project.ts';
import { UserAgent, type UserAgentRow } from '../../../../models/userAgent.ts';
import { continueTask } from '../../../engine/agents/continueTask.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { previewUrl, readProjects } from '../../../engine/files/projects.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { developWorkflow } from '../workflows/develop.ts';

/** A project as pages get it. */
const presentProject = (row: ProjectRow): contract.Project => {
  const archive = row.files.find(({ about }) => about.part === 'archive');
  return {
    id: row._id,
    projectName: row.name,
    objective: row.objective,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    previewUrl: previewUrl(row),
    archive: archive ? { name: archive.name, url: downloadPath(archive.name) } : null,
  };
};

async function listProjects({ who, params }: { who: Who; params: { id: number } }) {
  await requireAgentOf(who, params.id, 'developer');
  return { projects: (await readProjects(who.accountId, params.id)).map(presentProject) };
}

/** The account's developer; a call that names no agent means this one. @throws AppError agent_not_ready */
async function requireDeveloper({ accountId }: Who): Promise<UserAgentRow> {
  const developer = await UserAgent.findOne({ accountId, agentId: 'developer', status: 'onboarded' }).lean();
  if (!developer) throw new AppError('agent_not_ready');
  return developer;
}

async function start(who: Who, agent: UserAgentRow, objective: string, isDirect: boolean) {
  const work = beginWith(developWorkflow, objective, { objective, isDirect });
  const run = await startWork(who, agent, `call:${randomUUID()}`, work);
  return {
    success: true as const,
    runId: String(run._id),
    workspaceId: run.workspaceId ?? 0,
    response: isDirect
      ? 'The project is being built. Its preview will appear in the chat and the inbox.'
      : 'The work has started. Its questions will appear in the chat and the inbox.',
  };
}

/** The developer's calls. */
export const calls: readonly Call[] = [
  defineCall(contract.startTask, async ({ who, body }) =>
    start(who, await requireDeveloper(who), body.taskObjective, false),
  ),
  defineCall(contract.continueTask, ({ who, params, body }) =>
    continueTask(who, 'developer', params.interruptId, body),
  ),
  defineCall(contract.createProject, async ({ who, body }) =>
    start(who, await requireReadyAgentOf(who, body.userAgentId, 'developer'), body.prompt, true),
  ),
  defineCall(contract.listReplitProjects, listProjects, { topics: ['workspaces'] }),
  defineCall(contract.listBoltProjects, listProjects, { topics: ['workspaces'] }),
];
