import { z } from 'zod';
import type { Route } from '../../../engine/agents/agent.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { DESIGN_TOOL, describeFiles } from '../designTool/connected.ts';
import type { DesignFileIntent } from '../intents.ts';
import { beginLink } from './linkPrototype.ts';
import { replyWorkflow } from './proposal.ts';

const NO_DESIGN = 'There is no design to export yet. Say for example “Design a screen for nurses to record pulse”.';

/** Says what the chosen design files show: frames with their sizes and texts. It costs nothing. */
export const readFilesWorkflow = defineWorkflow({
  name: 'design-files',
  state: z.object({}),
  title: null,
  first: 'read',
  reserve: 0,
  tool: DESIGN_TOOL,
  steps: { read: { label: 'Read the design files', run: read } },
});

async function read({ run, say }: StepContext): Promise<StepResult> {
  const output = await describeFiles(run.accountId);
  const short = 'The frames are listed in Arc.';
  await say({ key: 'answer', kind: 'text', text: output, derived: { redacted: short, reference: short } });
  return { done: { output }, cost: 0 };
}

/** The workflow for a message about the connected design tool. */
export async function routeDesignFile(
  intent: DesignFileIntent,
  text: string,
  { accountId, userAgentId }: { accountId: number; userAgentId: number },
): Promise<Route> {
  if (intent === 'read') return beginWith(readFilesWorkflow, text, {});
  return (await beginLink(accountId, userAgentId)) ?? beginWith(replyWorkflow, text, { general: NO_DESIGN });
}
