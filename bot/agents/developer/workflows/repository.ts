import { z } from 'zod';
import { CODE_TOOL } from '../../../../models/contracts/developer/card.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { findFile, readFileBytes } from '../../../../models/files.ts';
import { Project } from '../../../../models/project.ts';
import { readProjects } from '../../../engine/files/projects.ts';
import { readToolUseAnswer, TOOL_USE, type ToolUseContext } from '../../../engine/questions/kinds/toolUse.ts';
import {
  type Beginning,
  beginWith,
  defineWorkflow,
  type StepContext,
  type StepResult,
} from '../../../engine/workflows/workflow.ts';
import { requireRepository } from '../repository/connected.ts';
import { branchOf, filesOf, slugOf } from '../repository/proposal.ts';
import { describePath } from '../repository/readCode.ts';

const UNDONE = 'no pull request was opened';
const proposalState = z.object({
  projectId: z.number(),
  /** The repository that somebody approves. */
  repository: z.string().default(''),
});
type Context = StepContext<z.output<typeof proposalState>>;

/** Proposes a project to the connected repository as a pull request, after somebody has approved its exact content. */
export const proposeWorkflow = defineWorkflow({
  name: 'code-proposal',
  state: proposalState,
  title: 'Propose an app as a pull request',
  first: 'ask',
  reserve: 0,
  tool: CODE_TOOL.id,
  steps: {
    ask: { label: 'Ask for approval', run: askApproval },
    decided: { label: 'Open the pull request', run: openRequest },
  },
});

/** The pull request of the latest project of a developer; null where it has built none. */
export async function beginProposal(accountId: number, userAgentId: number): Promise<Beginning | null> {
  const [latest] = await readProjects(accountId, userAgentId);
  return latest ? beginWith(proposeWorkflow, `Propose “${latest.name}”`, { projectId: latest._id }) : null;
}

/** What is proposed, as it is kept. @throws AppError expired where the archive is deleted already */
async function readProposal({ run: { accountId }, state: { projectId } }: Context) {
  const project = await Project.findOne({ _id: projectId, accountId }).lean();
  const archive = project?.files.find(({ about }) => about.part === 'archive');
  if (!project || !archive) throw new AppError('not_found');
  const bytes = await readFileBytes(await findFile({ name: archive.name }));
  return {
    branch: branchOf(project),
    title: `Add ${project.name}`,
    text: `${project.name}: an app made by Arc from this objective, by rules and without a language model.\n\n${project.objective}`,
    files: filesOf(bytes, slugOf(project.name)),
    name: project.name,
  };
}

async function askApproval(context: Context): Promise<StepResult> {
  const { name: tool, repository } = await requireRepository(context.run.accountId, UNDONE);
  const { branch, title, text, files, name } = await readProposal(context);
  const asked: ToolUseContext & { step: string } = {
    step: 'proposal',
    toolLabel: `Open a pull request in ${tool}`,
    arguments: [
      { name: 'repository', label: 'Repository', text: repository },
      { name: 'branch', label: 'New branch', text: branch },
      { name: 'title', label: 'Title', text: title },
      { name: 'text', label: 'Description', text },
      { name: 'files', label: 'Files', text: files.map(({ path }) => path).join('\n') },
    ],
  };
  const prompt = `May I propose “${name}” to ${repository} as a pull request? It adds these files on a branch of its own and merges nothing.`;
  return { ask: { interruptType: TOOL_USE, prompt, context: asked }, next: 'decided', state: { repository } };
}

async function openRequest(context: Context): Promise<StepResult> {
  const { run, answer, say, state } = context;
  const end = async (output: string): Promise<StepResult> => {
    const short = 'The proposal to the repository has ended.';
    await say({ key: 'ended', kind: 'text', text: output, derived: { redacted: short, reference: short } });
    return { done: { output } };
  };
  const { approved, edits } = readToolUseAnswer((await answer()).userResponse);
  if (!approved) return end('No pull request was opened. The app and its archive stay as they are.');
  const { title, text, ...others } = edits;
  if (Object.keys(others).length > 0)
    return end('No pull request was opened: only its title and its description can be changed here.');
  const { source, values, repository, connection } = await requireRepository(run.accountId, UNDONE);
  if (repository !== state.repository)
    return end(`No pull request was opened: ${state.repository} was approved, and ${repository} is chosen now.`);
  const { name, ...proposal } = await readProposal(context);
  const url = await connection.use(run.accountId, (access) =>
    source.propose(access, values, { ...proposal, title: title ?? proposal.title, text: text ?? proposal.text }),
  );
  return end(
    `“${name}” is proposed to ${repository}: ${url}\nNothing is merged: that is for whoever reviews it there.`,
  );
}

/** Shows a folder or a file of the connected repository. It costs nothing. */
export const readCodeWorkflow = defineWorkflow({
  name: 'code-read',
  state: z.object({ path: z.string() }),
  title: null,
  first: 'read',
  reserve: 0,
  tool: CODE_TOOL.id,
  steps: {
    read: {
      label: 'Read the repository',
      async run({ run, say, state }) {
        const output = await describePath(run.accountId, state.path);
        const short = 'The code is in Arc.';
        await say({ key: 'answer', kind: 'text', text: output, derived: { redacted: short, reference: short } });
        return { done: { output }, cost: 0 };
      },
    },
  },
});
