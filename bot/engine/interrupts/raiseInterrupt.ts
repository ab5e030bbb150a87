import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { nextId } from '../../../models/counter.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { RunRow } from '../../../models/run.ts';
import { isDuplicateKey } from '../../../models/store/duplicate.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { changing } from '../../../models/store/revisions.ts';
import { prepareQuestion } from '../delivery/deliverQuestion.ts';
import { kindOf } from '../questions/kinds/index.ts';
import { digestOf } from './digest.ts';
import type { Question } from './question.ts';

/**
 * Asks a person, once per run, step and round, and writes one delivery per surface to the outbox.
 * @returns the question, new or existing, and a function that sends its deliveries; after a crash the sweeper sends
 *   them
 */
export async function raiseInterrupt(
  run: RunRow,
  conversation: ConversationRow | null,
  agent: CatalogueAgent,
  question: Question,
): Promise<{ asked: InterruptRow; deliver: () => Promise<void> }> {
  const { accountId } = run;
  const kind = kindOf(question.interruptType);
  const askKey = `${run._id}:${run.step}:${run.round}`;
  const shown = { prompt: question.prompt, options: question.options ?? [], context: question.context ?? {} };
  const row: InterruptRow = {
    _id: await nextId('interrupt'),
    accountId,
    userAgentId: run.userAgentId,
    agentId: agent.id,
    agentName: agent.displayName,
    runId: run._id,
    conversationId: conversation?._id ?? null,
    askKey,
    interruptType: question.interruptType,
    requires: question.requires ?? kind.requires ?? null,
    status: 'pending',
    ...shown,
    shownDigest: digestOf(shown),
    draft: kind.hasDraft
      ? {
          rows: question.draft ?? [],
          ...(question.chosen ? { chosen: question.chosen } : {}),
          ...(question.kept ? { kept: question.kept } : {}),
          version: 0,
          savedAt: null,
          savedBy: null,
        }
      : null,
    userResponse: null,
    answerDigest: null,
    resolution: null,
    outbox: [],
    createdAt: new Date(),
    resolvedAt: null,
  };
  let asked = row;
  try {
    await changing(accountId, ['interrupts', 'agents'], () => insertRow(Interrupt, row));
  } catch (error) {
    if (!isDuplicateKey(error, 'askKey')) throw error;
    asked = (await Interrupt.findOne({ accountId, askKey }).lean()) ?? row;
  }
  return { asked, deliver: await prepareQuestion(asked, conversation) };
}
