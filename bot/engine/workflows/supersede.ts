import type { ConversationRow } from '../../../models/conversation.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { withdraw } from './executeRun.ts';
import { workflowNamed } from './workflow.ts';

/** Ends what waits in a conversation and is about to be done anew: its question is withdrawn, and nobody answers it late. */
export async function supersede(conversation: ConversationRow | null, workflow: string): Promise<void> {
  if (!conversation || !workflowNamed(workflow).exclusive) return;
  const { accountId, _id: conversationId } = conversation;
  const waiting = (await Run.find({ accountId, conversationId, workflow, status: 'waiting' }).lean()) as RunRow[];
  for (const run of waiting) {
    await withdraw(
      run,
      conversation,
      'A newer analysis takes the place of this one. What was not reviewed is proposed again.',
    );
  }
}
