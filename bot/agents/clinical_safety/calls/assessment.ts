import { randomUUID } from 'node:crypto';
import * as contract from '../../../../models/contracts/clinical_safety/assessment.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { waitForRun } from '../../../engine/workflows/waitForRun.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { describeAssessment } from '../assessment/assess.ts';
import { assessmentState, assessmentWorkflow } from '../assessment/workflow.ts';

const TIMEOUT_MS = 30_000;

/** The call for a product or a concern, as ordinary work that is shown in the chat. */
export const assessmentCall: Call = defineCall(contract.analyse, async ({ who, params, body }) => {
  const agent = await requireReadyAgentOf(who, params.id, 'clinical_safety');
  requireTool(agent, assessmentWorkflow.tool ?? null);
  const work = beginWith(assessmentWorkflow, body.message, { text: body.message });
  const run = await startWork(who, agent, `call:${randomUUID()}`, work);
  const ended = await waitForRun(run._id, TIMEOUT_MS);
  const { found } = assessmentState.parse(ended?.state ?? work.state);
  if (ended?.status !== 'completed' || !found) {
    throw new AppError('not_available', {
      text: ended?.error ?? 'The list is not ready yet. It will appear in the chat.',
    });
  }
  return { success: true as const, response: describeAssessment(found), ...found, workspaceId: run.workspaceId ?? 0 };
});
