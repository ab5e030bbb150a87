import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import * as contract from '../../../../models/contracts/designer/design.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { downloadPath } from '../../../../models/contracts/files.ts';
import type { Who } from '../../../../models/policies/who.ts';
import type { ProjectRow } from '../../../../models/project.ts';
import { UserAgent, type UserAgentRow } from '../../../../models/userAgent.ts';
import { readTrial } from '../../../engine/accounts/trial.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { previewUrl, readProjects } from '../../../engine/files/projects.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { waitForRun } from '../../../engine/workflows/waitForRun.ts';
import { type Beginning, beginWith } from '../../../engine/workflows/workflow.ts';
import { readRequest, requireDesignTool } from '../designTool/connected.ts';
import { describeScreen, proposeComponents, proposeLayout } from '../screen/propose.ts';
import { readObjective } from '../screen/readObjective.ts';
import { designWorkflow } from '../workflows/design.ts';
import { beginLink } from '../workflows/linkPrototype.ts';
import { proposalWorkflow } from '../workflows/proposal.ts';

const PROPOSAL_TIMEOUT_MS = 30_000;

/** The account's designer; these calls do not name one. */
const findDesigner = (accountId: number): Promise<UserAgentRow | null> =>
  UserAgent.findOne({ accountId, agentId: 'designer', status: 'onboarded' }).lean();

/** @throws AppError agent_not_ready */
async function requireDesigner(who: Who): Promise<UserAgentRow> {
  const designer = await findDesigner(who.accountId);
  if (!designer) throw new AppError('agent_not_ready');
  return designer;
}

/** Runs a proposal as ordinary work, charged and shown in the chat, and returns it. */
async function propose(who: Who, objective: string, part: 'layout' | 'components') {
  const designer = await requireDesigner(who);
  const run = await startWork(
    who,
    designer,
    `call:${randomUUID()}`,
    beginWith(proposalWorkflow, objective, { objective, part }),
  );
  const ended = await waitForRun(run._id, PROPOSAL_TIMEOUT_MS);
  if (ended?.status !== 'completed') {
    throw new AppError('not_available', {
      text: ended?.error ?? 'The proposal is not ready yet. It will appear in the chat.',
    });
  }
  const screen = readObjective(objective);
  return {
    success: true as const,
    description: describeScreen(screen),
    layout: proposeLayout(screen),
    components: proposeComponents(screen),
    error: null,
  };
}

const layout = defineCall(contract.designLayout, ({ who, body }) => propose(who, body.objective, 'layout'));
const components = defineCall(contract.designComponents, ({ who, body }) => propose(who, body.objective, 'components'));

async function start(who: Who, designer: UserAgentRow, work: Beginning, response: string) {
  const run = await startWork(who, designer, `call:${randomUUID()}`, work);
  return { success: true as const, runId: String(run._id), workspaceId: run.workspaceId ?? 0, response };
}

const STARTED = 'The design has started. Its questions will appear in the chat and the inbox.';
const startDesign = (who: Who, designer: UserAgentRow, objective: string, response = STARTED) =>
  start(who, designer, beginWith(designWorkflow, objective, { objective }), response);

const demo = defineCall(contract.designDemo, async ({ who, body }) =>
  startDesign(who, await requireDesigner(who), body.objective),
);

/** Why the account can't have something designed now; null where it can. */
async function findObstacle(accountId: number): Promise<[status: string, error: string] | null> {
  if (!(await findDesigner(accountId)))
    return ['not onboarded', 'Hire the designer and complete its onboarding first.'];
  const { subscriptionStatus } = await readTrial(accountId);
  if (subscriptionStatus === 'expired')
    return ['paused', 'The trial or plan has ended. See Billing for how to continue.'];
  return null;
}

const health = defineCall(contract.designHealth, async ({ who }) => {
  const [status, error] = (await findObstacle(who.accountId)) ?? ['available', null];
  return { success: error === null, status, error };
});

const fileOf = ({ name }: { name: string }) => ({ name, url: downloadPath(name) });

function presentProject(row: ProjectRow): z.input<typeof contract.listDesigns.answer>[number] {
  const part = (name: string) => row.files.filter(({ about }) => about.part === name);
  const findPart = (name: string) => fileOf(part(name)[0] ?? { name: '' });
  return {
    id: row._id,
    title: row.name,
    objective: row.objective,
    createdAt: row.createdAt.toISOString(),
    previewUrl: previewUrl(row),
    prototype: findPart('prototype'),
    archive: findPart('archive'),
    frames: part('frame').map(({ name, about }) => ({
      ...fileOf({ name }),
      state: about.state ?? '',
      theme: about.theme === 'dark' ? ('dark' as const) : ('light' as const),
      width: Number(about.width),
    })),
  };
}

const list = defineCall(
  contract.listDesigns,
  async ({ who, params }) => {
    await requireAgentOf(who, params.userAgentId, 'designer');
    return (await readProjects(who.accountId, params.userAgentId)).map(presentProject);
  },
  { topics: ['workspaces'] },
);

const createFigma = defineCall(contract.createFigma, async ({ who, params, body }) => {
  const designer = await requireReadyAgentOf(who, params.id, 'designer');
  const { name } = await requireDesignTool(who.accountId, 'nothing was created');
  return startDesign(
    who,
    designer,
    body.goal,
    `${name} lets no other program draw frames, so I design it in Arc. Its questions will appear in the chat and the inbox; export it when it is drawn, and ${name} gets a comment with the link.`,
  );
});

const generate = defineCall(contract.generateDesign, async ({ who, body }) => {
  const designer = await requireDesigner(who);
  return startDesign(who, designer, await readRequest(who.accountId, body.figmaUrl, body.projectTitle));
});

const exportToFigma = defineCall(contract.figmaExport, async ({ who }) => {
  const designer = await requireDesigner(who);
  await requireDesignTool(who.accountId, 'nothing was exported');
  const work = await beginLink(who.accountId, designer._id);
  if (!work)
    throw new AppError('not_available', { text: 'There is no design yet, so nothing was exported. Make one first.' });
  return start(
    who,
    designer,
    work,
    'I ask before I write anything: the question will appear in the chat and the inbox.',
  );
});

/** The calls of the design service. */
export const calls: readonly Call[] = [layout, components, demo, health, list, createFigma, generate, exportToFigma];
