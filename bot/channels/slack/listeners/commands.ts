import type { App } from '@slack/bolt';
import { AGENTS } from '../../../../models/contracts/catalogue.ts';
import { toPublicError } from '../../../../models/contracts/errors.ts';
import { Conversation } from '../../../../models/conversation.ts';
import { baseUrl } from '../../../../models/env.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { UserAgent, type UserAgentRow } from '../../../../models/userAgent.ts';
import { readEngineStatus } from '../../../engine/accounts/engineStatus.ts';
import { hireAgent } from '../../../engine/accounts/hireAgent.ts';
import { readBalance } from '../../../engine/billing/credits.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { listQuestions } from '../../../engine/interrupts/listQuestions.ts';
import { openConversation } from '../../../engine/turns/conversations.ts';
import { addressOf } from '../address.ts';
import { questionPost } from '../cards/interruptBlocks.ts';
import { hear, installationFrom, type Source } from '../inbound.ts';
import type { SlackInstallation } from '../installations.ts';
import { requireMember } from './answers.ts';

type Said = { installation: SlackInstallation; user: string; channel: string; rest: string; eventId: string };
type Reply = { text: string; blocks?: ReturnType<typeof questionPost>['blocks'] };

const HELP = [
  '`/arc ask …` asks the agent of this conversation',
  '`/arc agent NAME` chooses the agent of this conversation',
  '`/arc inbox` shows what waits for you',
  '`/arc status` shows agents and credits',
  '`/arc hire` shows who can be hired, `/arc hire NAME` hires',
].join('\n');

const named = (name: string) =>
  AGENTS.find(({ id, displayName }) => [id, displayName.toLowerCase()].includes(name.trim().toLowerCase()));

/** What `/arc` can do, by its first word. */
const WORDS: Record<string, (said: Said) => Promise<Reply>> = {
  async help() {
    return { text: HELP };
  },
  async ask({ installation, user, channel, rest, eventId }) {
    if (!rest) return { text: 'Say what you want to ask: `/arc ask which hazards have no owner?`' };
    await hear(
      installation,
      { key: installation.row.key, channel, thread: null },
      { user, text: rest, files: [], eventId },
    );
    return { text: `You asked: ${rest}` };
  },
  async agent({ installation, user, channel, rest }) {
    const who = await requireMember(installation, user);
    const wanted = named(rest);
    const userAgent =
      wanted && (await UserAgent.findOne({ accountId: who.accountId, agentId: wanted.id, status: 'onboarded' }).lean());
    if (!userAgent)
      return { text: `No onboarded agent is called “${rest || '…'}”. \`/arc status\` shows who is there.` };
    const conversation = await openConversation(
      who.accountId,
      addressOf({ key: installation.row.key, channel, thread: null }),
    );
    await Conversation.updateOne({ _id: conversation._id }, { $set: { userAgentId: userAgent._id } });
    return { text: `${wanted.displayName} answers here from now on.` };
  },
  async inbox({ installation, user }) {
    const who = await requireMember(installation, user);
    const [questions, mode] = await Promise.all([
      listQuestions(who.accountId, who),
      consentFor(who.accountId, 'slack'),
    ]);
    const pending = questions.filter(({ status }) => status === 'pending');
    if (pending.length === 0) return { text: 'Nothing waits for you.' };
    // An ephemeral answer is a list to read: the buttons are in App Home, where they can be redrawn.
    const lines = pending.slice(0, 10).map((question) => `• ${questionPost(question, mode).text}`);
    return {
      text: [
        `*${pending.length}* waiting. Answer in the Home tab of this app, or at ${baseUrl()}/agent-inbox`,
        ...lines,
      ].join('\n'),
    };
  },
  async status({ installation, user }) {
    const who = await requireMember(installation, user);
    const [engine, agents, balance] = await Promise.all([
      readEngineStatus(who.accountId),
      UserAgent.find({ accountId: who.accountId }).lean(),
      readBalance(who.accountId),
    ]);
    const list = (agents as UserAgentRow[]).map(
      ({ agentId, status }) => `• ${named(agentId)?.displayName ?? agentId}, ${named(agentId)?.role ?? ''}: ${status}`,
    );
    return {
      text: [`Engine: ${engine.model}. Credits: ${balance.tokensRemaining.toLocaleString('en-GB')}.`, ...list].join(
        '\n',
      ),
    };
  },
  async hire({ installation, user, rest }) {
    const who = await requireMember(installation, user);
    const wanted = named(rest);
    if (!wanted)
      return {
        text: ['Who can be hired:', ...AGENTS.map(({ displayName, role }) => `• ${displayName}, ${role}`)].join('\n'),
      };
    await hireAgent(who, wanted.id);
    return { text: `${wanted.displayName} is hired. Complete the onboarding at ${baseUrl()}/workspace` };
  },
};

/** `/arc`, and the shortcut on a message. */
export function registerCommands(app: App): void {
  app.command('/arc', async ({ ack, command, context }) => {
    const installation = await installationFrom(context as Source);
    if (!installation) return ack('Arc is not connected to this workspace any more.');
    const [word = 'help', ...rest] = command.text.trim().split(/\s+/);
    const run = WORDS[word.toLowerCase()] ?? (word ? WORDS.ask : WORDS.help);
    const known = word.toLowerCase() in WORDS;
    const said: Said = {
      installation,
      user: command.user_id,
      channel: command.channel_id,
      rest: known ? rest.join(' ') : command.text.trim(),
      eventId: `command:${command.trigger_id}`,
    };
    try {
      const reply = await runInAccount(installation.row.accountId, async () => run?.(said));
      await ack({ response_type: 'ephemeral', text: reply?.text ?? HELP });
    } catch (error) {
      await ack({ response_type: 'ephemeral', text: toPublicError(error, command.trigger_id).body.error });
    }
  });

  app.shortcut('send_to_arc', async ({ ack, shortcut, context }) => {
    const installation = await installationFrom(context as Source);
    if (installation && shortcut.type === 'message_action') {
      const { channel, message, user, trigger_id: trigger } = shortcut;
      const thread = message.thread_ts ?? message.ts;
      const files = (message as { files?: { id: string; name?: string }[] }).files ?? [];
      await runInAccount(installation.row.accountId, () =>
        hear(
          installation,
          { key: installation.row.key, channel: channel.id, thread },
          { user: user.id, text: message.text ?? '', files, eventId: `shortcut:${trigger}` },
        ),
      );
    }
    await ack();
  });
}
