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
): Promise<Raised> {
  const { accountId, userAgentId } = run;
  const askKey = `${run._id}:${run.step}:${run.round}`;
  const asker = {
    accountId,
    userAgentId,
    agentId: agent.id,
    agentName: agent.displayName,
    runId: run._id,
    startedBy: run.userId,
    askKey,
  };
  return askOnce(asker, conversation, question);
}

/** A question and a function that sends its deliveries. */
type Raised = { asked: InterruptRow; deliver: () => Promise<void> };
type Asker = Pick<
  InterruptRow,
  'accountId' | 'userAgentId' | 'agentId' | 'agentName' | 'runId' | 'startedBy' | 'askKey' | 'outside'
>;

/**
 * Asks a person, once per key of the asker, and writes one delivery per surface to the outbox.
 * @returns as {@link raiseInterrupt}
 */
export async function askOnce(asker: Asker, conversation: ConversationRow | null, question: Question): Promise<Raised> {
  const { accountId, askKey, outside } = asker;
  const kind = kindOf(question.interruptType);
  const shown = { prompt: question.prompt, options: question.options ?? [], context: question.context ?? {} };
  const row: InterruptRow = {
    _id: await nextId('interrupt'),
    ...asker,
    conversationId: conversation?._id ?? null,
    interruptType: question.interruptType,
    requires: question.requires ?? kind.requires ?? null,
    status: 'pending',
    ...shown,
    shownDigest: digestOf(outside ? { ...shown, askedBy: outside.name } : shown),
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
    decidedBy: question.keptBy ?? [],
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
