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
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { describeScreen, proposeComponents, proposeLayout } from '../screen/propose.ts';
import { readObjective } from '../screen/readObjective.ts';
import { designWorkflow } from '../workflows/design.ts';
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

const figmaError = (what: string) =>
  new AppError('not_configured', {
    text: `Figma is not connected, so ${what}, and it cost no credits. Run the workflow instead: it gives a clickable prototype, and frames as SVG that Figma can import.`,
  });

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

const demo = defineCall(contract.designDemo, async ({ who, body }) => {
  const { objective } = body;
  const work = beginWith(designWorkflow, objective, { objective });
  const run = await startWork(who, await requireDesigner(who), `call:${randomUUID()}`, work);
  return {
    success: true as const,
    runId: String(run._id),
    workspaceId: run.workspaceId ?? 0,
    response: 'The design has started. Its questions will appear in the chat and the inbox.',
  };
});

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

const createFigma = defineCall(contract.createFigma, async ({ who, params }) => {
  await requireReadyAgentOf(who, params.id, 'designer');
  throw figmaError('nothing was created');
});
const generate = defineCall(contract.generateDesign, async () => {
  throw figmaError('nothing was generated');
});
const exportToFigma = defineCall(contract.figmaExport, async () => {
  throw figmaError('nothing was exported');
});

/** The calls of the design service. Those for Figma refuse until Figma can be connected. */
export const calls: readonly Call[] = [layout, components, demo, health, list, createFigma, generate, exportToFigma];
