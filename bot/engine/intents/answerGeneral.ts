import { AutomationJob } from '../../../models/automationJob.ts';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { momentText } from '../../../models/contracts/zonedText.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { Run } from '../../../models/run.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { readBalance } from '../credits/credits.ts';
import { configuredModel } from '../llm/model.ts';
import { listLines } from '../queries/listLines.ts';
import { findOtherAgent } from './otherAgents.ts';
import type { GeneralIntent } from './readGeneral.ts';

/** An agent's own texts, where a general one says too little. */
export type OwnTexts = Partial<Record<Exclude<GeneralIntent, 'status' | 'other-agent' | 'small-talk'>, string>> & {
  /** The next steps that the agent suggests where nothing waits. */
  next?: readonly string[];
};

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** What waits, what runs and what is next for an account, with the credits that are left. */
export async function describeStatus(accountId: number, next: readonly string[] = []): Promise<string> {
  const [waiting, running, job, { tokensRemaining }, timeZone] = await Promise.all([
    Interrupt.countDocuments({ accountId, status: 'pending' }),
    Run.countDocuments({ accountId, status: 'ready' }),
    AutomationJob.findOne({ accountId, enabled: true, nextRunAt: { $ne: null } })
      .sort({ nextRunAt: 1 })
      .lean(),
    readBalance(accountId),
    readTimeZone(accountId),
  ]);
  const scheduled = job?.nextRunAt ? `${job.name}, ${momentText(job.nextRunAt, timeZone)}` : 'nothing';
  const lines = [
    `${counted(waiting, 'question waits', 'questions wait')} for an answer; ${counted(running, 'run is', 'runs are')} in progress.`,
    `Next on schedule: ${scheduled}. ${counted(tokensRemaining, 'credit', 'credits')} left.`,
  ];
  const steps = waiting > 0 ? ['Open the inbox, or the bell, and answer what waits.', ...next] : next;
  return steps.length > 0 ? `${lines.join('\n')}\nWhat you can do next:\n${listLines(steps)}` : lines.join('\n');
}

const IDENTITY =
  'I’m software, not a person: one of Arc’s agents. What I say comes from rules over your company’s records, the same every time.';

/** The sentence on the language model: whether one is configured here. */
const ofModel = () =>
  configuredModel()
    ? 'A language model is configured here; where it helped with an answer, the answer says so.'
    : 'No language model is configured here.';

const SAYS: Record<Exclude<GeneralIntent, 'status' | 'other-agent' | 'help' | 'identity' | 'small-talk'>, string> = {
  undo: 'I can’t undo that from here, and nothing was changed.\n• Each decision stands in the audit, with who made it.\n• Files are never overwritten: the earlier version is still there.\n• Start the work again to decide anew.',
  cancel:
    'Nothing was stopped by this message.\n• Work in progress: say “stop” while it runs, or press Cancel on its card.\n• A question that waits: withdraw it in the inbox.\n• A schedule: switch it off under Automation.',
  files:
    'Drop a file into the chat, or use the paper clip; the newest of its kind is the one I use. Documents of your company are in the workspace.',
  export: 'What I make is offered for download in the chat and in its workspace. Choose Download there.',
  access:
    'Only members of your company in Arc see its files, results and chats; nobody of another company does, and I can’t show you theirs.\n• Members and their roles: Preferences, Members. The owner invites, changes and removes them.\n• What Arc may send to each channel: Preferences, Company.\n• Where this Arc runs, how long it keeps files and which language model it may use are set by whoever runs it; the privacy page says more.',
  goal: 'I can help with my part of that.',
};

/** The answer that names the agent for a message's request. */
function nameOther(text: string, { id, displayName }: CatalogueAgent, onboarded: readonly string[] | null): string {
  const other = findOtherAgent(text.toLowerCase(), id);
  if (!other) return `That is not ${displayName}’s work. Say “help” to see what I do.`;
  const { displayName: name } = other;
  const next = onboarded?.includes(other.id)
    ? `Say “ask ${name} …” and I will, or begin your message with @${name}.`
    : `Hire ${name} under Team${onboarded ? '' : ' if you have not yet'}, then begin your message with @${name}, or say “ask ${name} …” and I will.`;
  const state =
    other.status === 'working' ? next : `${name}’s own work is in preparation, so nobody in Arc can do it yet.`;
  return `That is the work of ${name}, ${other.role}, not mine. ${state}`;
}

/** Remarks and questions about the day or about Arc, to which “You’re welcome” is no answer. */
const ASIDE =
  /\b(?:rain\w*|sunny|snow\w*|coffee|lunch|tired|bored|sleep|dream|how old|(?:long|busy|tough|hard|quiet|slow|rough) (?:day|week|morning|afternoon|meeting)|(?:hang|hold) on|moment|back in|there|off (?:home|to|for))\b/i;

/** The answer to small talk, by its first words. */
function answerTalk(text: string): string {
  if (
    /^\W*(?:hi|hello|hey|hiya|heya|howdy|good (?:morning|afternoon|evening)|morning|afternoon|evening|how\b)/i.test(
      text,
    )
  )
    return 'Hello. Say “help” to see what I do, or ask what waits for you.';
  if (/\b(?:bye|goodbye|good night|see (?:you|ya))\b/i.test(text)) return 'Goodbye. Everything is saved here.';
  if (ASIDE.test(text)) return 'I’ll be here when you need something. Say “help” to see what I do.';
  return /\b(?:sorry|apologi[sz]e|apologies|mistake|oops)\b/i.test(text) ? 'No problem.' : 'You’re welcome.';
}

/**
 * The answer to a general intent: free, and the same for every agent but for its own texts.
 * @param status what {@link describeStatus} says; null for a visitor, who has no status
 * @param onboarded catalogue ids of the agents that the account has at work; null where that is not known
 */
export function answerGeneral(
  intent: GeneralIntent,
  text: string,
  agent: CatalogueAgent,
  status: string | null,
  own: OwnTexts = {},
  onboarded: readonly string[] | null = null,
): string {
  const help = own.help ?? `I am ${agent.displayName}, ${agent.role}. ${agent.description}`;
  if (intent === 'status') return status ?? (own.next ? `In this order:\n${listLines(own.next)}` : help);
  if (intent === 'other-agent') return nameOther(text, agent, onboarded);
  if (intent === 'help') return help;
  if (intent === 'small-talk') return answerTalk(text);
  if (intent === 'identity') return `${IDENTITY} ${ofModel()}${own.identity ? ` ${own.identity}` : ''}`;
  if (intent === 'goal') return own.goal ?? `${SAYS.goal}\n${help}`;
  return own[intent] ?? SAYS[intent];
}
