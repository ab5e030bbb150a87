import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { Address } from '../../models/contracts/turn.ts';

export type Asked = {
  interruptType: Interrupt['interruptType'];
  prompt: string;
  options?: readonly unknown[];
  context?: object;
};
type Asking = { accountId: number; userId: number; agentId: string; userAgentId: number };

/** Makes an agent ask a question in a conversation, with a test workflow that repeats the answer. */
export async function askIn(
  address: Address,
  question: Asked,
  { accountId, userId, agentId, userAgentId }: Asking,
): Promise<void> {
  const { registerWorkflow } = await import('../../bot/engine/workflows/workflow.ts');
  const { startRun } = await import('../../bot/engine/workflows/startRun.ts');
  const { executeRun } = await import('../../bot/engine/workflows/executeRun.ts');
  const { openConversation } = await import('../../bot/engine/conversations/conversations.ts');
  const { UserAgent } = await import('../../models/userAgent.ts');
  const { findAgent } = await import('../../models/contracts/catalogue.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  registerWorkflow({
    name: 'test-question',
    title: 'A question',
    first: 'ask',
    reserve: 0,
    steps: {
      ask: { label: 'Ask', run: async () => ({ ask: question as never, next: 'tell' }) },
      tell: {
        label: 'Tell',
        async run({ answer, say }) {
          const { userResponse } = await answer();
          await say({ key: 'told', kind: 'text', text: `You said ${JSON.stringify(userResponse)}` });
          return { done: { output: 'told' } };
        },
      },
    },
  });
  await runInAccount(accountId, async () => {
    const userAgent = await UserAgent.findOne({ _id: userAgentId }).lean();
    const conversation = await openConversation(accountId, address);
    const agent = findAgent(agentId);
    if (!userAgent || !agent) throw new Error('no agent');
    const { run } = await startRun({
      workflow: 'test-question',
      goal: 'Ask',
      state: {},
      userAgent,
      agent,
      conversation,
      userId,
      startKey: question.prompt,
    });
    await executeRun(run, conversation);
  });
}
