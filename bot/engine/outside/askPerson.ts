import { runInBackground } from '../../../models/background.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { OutsideAsk } from '../../../models/contracts/outsideQuestions.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import type { TokenHolder } from '../access/accessTokens.ts';
import { readHiredAgents } from '../accounts/hiredAgents.ts';
import { digestOf } from '../interrupts/digest.ts';
import { askOnce } from '../interrupts/raiseInterrupt.ts';
import { addressFault } from '../network/address.ts';
import { unfit } from '../questions/kinds/kind.ts';
import { chatOf } from './chatOf.ts';
import { readAsk } from './readAsk.ts';

/**
 * Puts a program's question into the company's inbox, once per token and key.
 * @returns the question, new or the one that was asked with the key
 * @throws AppError not_available, bad_request, key_reused where the key belongs to another question
 */
export async function askPerson({ token, who }: TokenHolder, ask: OutsideAsk): Promise<InterruptRow> {
  const { accountId } = who;
  const question = readAsk(ask);
  const fault = ask.webhook === undefined ? null : addressFault(ask.webhook);
  if (fault) throw unfit('webhook', fault);
  const askKey = `outside:${token._id}:${ask.idempotencyKey}`;
  const standing = await Interrupt.findOne({ accountId, askKey }).lean();
  if (!standing) await requireRoom(token);
  const userAgent = await chooseInbox(accountId, ask.agent);
  const conversation = ask.to === undefined ? null : await chatOf(accountId, ask.to);
  const { asked, deliver } = await askOnce(
    {
      accountId,
      userAgentId: userAgent._id,
      agentId: userAgent.agentId,
      // Every surface names who asks by it.
      agentName: `${token.name} (outside Arc)`,
      runId: null,
      askKey,
      outside: {
        tokenId: token._id,
        name: token.name,
        expiresAt: new Date(Date.now() + ask.expiresInSeconds * 1000),
        webhook: ask.webhook ?? null,
      },
    },
    conversation,
    question,
  );
  if (!isSameQuestion(asked, question) || asked.outside?.webhook !== (ask.webhook ?? null))
    throw new AppError('key_reused');
  runInBackground('delivering a question from outside', deliver());
  return asked;
}

const isSameQuestion = (row: InterruptRow, { interruptType, prompt, options, context }: ReturnType<typeof readAsk>) =>
  digestOf([row.interruptType, row.prompt, row.options, row.context]) ===
  digestOf([interruptType, prompt, options, context]);

async function requireRoom({ accountId, _id }: TokenHolder['token']): Promise<void> {
  const { pending } = LIMITS.outside;
  if ((await Interrupt.countDocuments({ accountId, 'outside.tokenId': _id, status: 'pending' })) < pending) return;
  const text = `${pending} questions of this token wait for an answer, the most that may. Withdraw some, or wait for answers.`;
  throw new AppError('not_available', { text });
}

/** The onboarded agent in whose inbox the question is shown. @throws AppError not_available */
async function chooseInbox(accountId: number, agentId: OutsideAsk['agent']): Promise<UserAgentRow> {
  const ready = (await readHiredAgents(accountId)).filter(({ status }) => status === 'onboarded');
  const chosen = agentId ? ready.find((one) => one.agentId === agentId) : ready[0];
  if (chosen) return chosen;
  const name = agentId ? findAgent(agentId)?.displayName : undefined;
  throw new AppError('not_available', {
    text: `Questions are shown in an agent’s inbox. ${name ? `Hire and onboard ${name}` : 'Hire and onboard an agent'} first.`,
  });
}
