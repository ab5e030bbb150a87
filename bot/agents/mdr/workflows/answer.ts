import { z } from 'zod';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { mdrCard } from '../../../../models/contracts/mdr/card.ts';
import { Run } from '../../../../models/run.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { defineReply } from '../../../engine/agents/defineReply.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { readDocuments } from '../../../engine/documents/sandbox.ts';
import { answerFreely } from '../../../engine/intents/answerFreely.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { describeGaps, describeRequirements, findRequirements } from '../answers/requirements.ts';
import { chooseDevice, type KeptDevice, keepFacts, readDevices } from '../facts/devices.ts';
import { type Fact, factOf, labelOf, shownValue } from '../facts/facts.ts';
import { readFacts } from '../facts/readFacts.ts';
import type { Intent } from '../intents.ts';
import { classify } from '../rules/classify.ts';
import { describeClass, describeReasoning, listFacts } from '../rules/describe.ts';
import { TO_CHECK } from '../rules/editions.ts';
import { describeDue } from '../surveillance/describeDue.ts';
import { contentOf, readCompany } from './keepFiles.ts';
import { MDR_TOOL, technicalFileWorkflow } from './technicalFile.ts';

/** The intents that are answered from the facts and documents, at the price of a step. */
const ANSWERED = ['class', 'requirements', 'gaps', 'dates'] as const;
type Answered = (typeof ANSWERED)[number];

const answerState = z.object({ intent: z.enum(ANSWERED), question: z.string(), device: z.string() });

/** Answers a question about a known product. */
export const answerWorkflow = defineWorkflow({
  name: 'mdr-answer',
  state: answerState,
  tool: MDR_TOOL,
  title: null,
  first: 'answer',
  reserve: LIMITS.credits.step,
  steps: { answer: { label: 'Answer', run: answer } },
});

/** Sends a free reply: what the agent does, what it knows, or that it has noted facts. */
export const replyWorkflow = defineReply('mdr-reply');

/** The reply to a message that asks for nothing that the agent does. */
const HELP = [
  'I draft technical files of medical device software. Say “Make the technical file”: I ask for the facts once, and give the class with its reasons, a checklist of Annex I as a sheet, and Annex II and III as a document with marked passages for you to write.',
  'You can also ask: “Which class is it?”, “Show the GSPR on security”, “What is missing?”, “When is the PSUR due?”. Facts can be told in lines, for example “Version: 2.2”.',
  'I work by rules on your facts and documents, without a language model. My results are drafts and no assessment of conformity.',
].join('\n');

const NO_PRODUCT =
  'I know no product of yours yet. Say “Make the technical file” and I’ll ask for the facts once, or tell me in lines: “Name: …”, “Intended purpose: …”.';

const toReply = (goal: string, text: string): Route => beginWith(replyWorkflow, goal, { text });

/** Whether a technical file waits for facts in this conversation. */
const isFileWaiting = async (accountId: number, conversationId: unknown): Promise<boolean> =>
  (await Run.exists({
    accountId,
    conversationId,
    workflow: technicalFileWorkflow.name,
    status: 'waiting',
  } as never)) !== null;

/** Facts that came without a question: kept, and said again. A file that waits for facts goes on with them. */
async function routeFacts(accountId: number, conversationId: unknown, text: string): Promise<Route> {
  if (await isFileWaiting(accountId, conversationId)) return beginWith(technicalFileWorkflow, text, { request: text });
  const { facts: given, unread } = readFacts(text);
  const name = factOf(given, 'name') ?? (await chooseDevice(accountId, text))?.name;
  if (!name) return toReply(text, NO_PRODUCT);
  const { facts } = await keepFacts(accountId, name, given);
  const { eu, uk } = classify(facts);
  const noted = (Object.keys(given) as Fact[]).map((fact) => `• ${labelOf(fact)}: ${shownValue(given, fact)}`);
  return toReply(
    text,
    [
      `Noted for ${name}:`,
      ...noted,
      ...(unread.length > 0 ? [`I couldn’t read: ${unread.join('; ')}.`] : []),
      `With these facts the EU class is ${eu ? describeClass(eu) : 'none, because it is no device'}${uk ? `, in Great Britain ${describeClass(uk)}` : ''}. Say “Make the technical file” to draft it again.`,
    ].join('\n'),
  );
}

const describeProduct = ({ name, facts, latest }: KeptDevice): string =>
  [
    `**${name}**${latest ? ', with a drafted technical file' : ''}`,
    ...listFacts(facts).map((line) => `• ${line}`),
  ].join('\n');

/** The workflow for a message: work, an answer, or a free reply. */
export async function routeMessage(
  intent: Intent | null,
  text: string,
  { accountId, conversationId }: { accountId: number; conversationId: unknown },
): Promise<Route> {
  if (intent === 'file') return beginWith(technicalFileWorkflow, text, { request: text });
  if (intent === 'facts') return routeFacts(accountId, conversationId, text);
  if (intent === 'products') {
    const devices = await readDevices(accountId);
    return toReply(text, devices.length > 0 ? devices.map(describeProduct).join('\n\n') : NO_PRODUCT);
  }
  if (intent === null) return toReply(text, (await answerFreely(text, mdrCard, accountId, { help: HELP })) ?? HELP);
  const device = await chooseDevice(accountId, text);
  if (!device) return toReply(text, NO_PRODUCT);
  return beginWith(answerWorkflow, text, { intent, question: text, device: device.name });
}

type Context = StepContext<z.output<typeof answerState>>;

/** The answer for each intent. */
const ANSWERS: Record<Answered, (device: KeptDevice, context: Context) => Promise<string> | string> = {
  class: ({ name, facts }) =>
    [
      `**${name}**`,
      ...describeReasoning(facts, classify(facts)).flatMap(({ heading, lines }) => [
        `**${heading}**`,
        ...lines.map((line) => `• ${line}`),
      ]),
    ].join('\n'),
  async requirements({ name, facts }, { run, state, progress }) {
    const { checklist } = contentOf(facts, await readCompany(run.accountId, progress));
    return describeRequirements(name, findRequirements(checklist, state.question));
  },
  async gaps({ name, facts }, { run, progress }) {
    const { checklist, unread } = contentOf(facts, await readCompany(run.accountId, progress));
    return describeGaps(name, checklist, unread, (await readDocuments(run.accountId)).length);
  },
  async dates({ name, facts }, { run, progress }) {
    const { due } = contentOf(facts, await readCompany(run.accountId, progress));
    if (due.length === 0)
      return `No report of ${name} is counted, because its class is not settled. Ask “Which class is it?” for what is open.`;
    return [`Reports of ${name}:`, ...due.map((it) => `• ${describeDue(it)}`), TO_CHECK].join('\n');
  },
};

async function answer(context: Context): Promise<StepResult> {
  const { run, state, say } = context;
  const device = await chooseDevice(run.accountId, state.device);
  const text = device ? await ANSWERS[state.intent](device, context) : NO_PRODUCT;
  const short = `The answer is in Arc. ${linkToChat()}`;
  await say({ key: 'answer', kind: 'text', text, derived: { redacted: short, reference: short } });
  return { done: { output: text }, cost: device ? LIMITS.credits.step : 0 };
}
