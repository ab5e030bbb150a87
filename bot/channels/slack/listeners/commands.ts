import type { App, MessageShortcut } from '@slack/bolt';
import { AppError } from '../../../../models/contracts/errors.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import { baseUrl } from '../../../../models/env.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { CHANNEL_COMMANDS } from '../../../engine/turns/channelCommands.ts';
import { addressOf } from '../address.ts';
import { toMrkdwn } from '../cards/text.ts';
import { installationFrom, isStored, type Source, storeTurn } from '../inbound.ts';
import type { SlackInstallation } from '../installations.ts';
import { openPlace } from '../openPlace.ts';
import { identifySlackUser } from '../people.ts';
import { readWords } from '../words.ts';
import { requireMember } from './answers.ts';
import { replyInTime, sendReply } from './inTime.ts';
import { describeError } from './refusals.ts';

type Command = { installation: SlackInstallation; user: string; channel: string; rest: string; eventId: string };
type Reply = { text: string };

const HELP = [
  '`/arc ask …` asks the agent of this conversation',
  '`/arc agent NAME` chooses the agent of this conversation',
  '`/arc inbox` shows the questions waiting for you',
  '`/arc status` shows agents and credits',
  '`/arc assign 34 to NAME`, `/arc snooze 34 until tomorrow` and `/arc comment 34 …` handle a question by its number',
  '`/arc hire` shows who can be hired, `/arc hire NAME` hires',
].join('\n');

/** Makes the Slack form of a command that every channel has. */
const makeSharedCommand =
  (run: (typeof CHANNEL_COMMANDS)[keyof typeof CHANNEL_COMMANDS]) =>
  async ({ installation, user, channel, rest }: Command): Promise<Reply> => {
    const { text } = await run({
      who: await requireMember(installation, user),
      address: addressOf({ key: installation.row.key, channel, thread: null }),
      rest,
      write: (word) => `\`/arc ${word}\``,
      // The reply is ephemeral and can't be redrawn, so the buttons are in App Home.
      answerAt: `Answer in the Home tab of this app, or at ${baseUrl()}/agent-inbox`,
    });
    return { text: toMrkdwn(text) };
  };

/** Commands that only `/arc` has, by their first word. */
const OWN_COMMANDS: Record<string, (given: Command) => Promise<Reply>> = {
  async help() {
    return { text: HELP };
  },
  async ask({ installation, user, channel, rest, eventId }) {
    if (!rest) return { text: 'Say what you want to ask: `/arc ask what can you do?`' };
    await requireAsker(installation, user);
    const words = readWords(rest, installation.tokens.botUserId);
    const { place, elsewhere } = await openPlace(installation, { user, channel, thread: null, words });
    await storeTurn(installation, place, { user, text: words, files: [], eventId, manner: 'said' });
    return { text: elsewhere ? ELSEWHERE : 'I’ll answer in the channel.' };
  },
};

/** `/arc`, and the shortcut on a message. */
export function registerCommands(app: App): void {
  app.command('/arc', async ({ ack, command, context, respond }) => {
    const installation = await installationFrom(context as Source);
    if (!installation) return ack('Arc is no longer connected to this workspace.');
    const text = command.text.trim();
    const [word = '', ...rest] = text.split(/\s+/);
    const name = word.toLowerCase();
    const shared = ownEntry(CHANNEL_COMMANDS, name);
    const found = shared ? makeSharedCommand(shared) : ownEntry(OWN_COMMANDS, name);
    // A text that begins with no known command is a question.
    const run = (found ?? (text ? OWN_COMMANDS.ask : OWN_COMMANDS.help)) as (typeof OWN_COMMANDS)[string];
    const given: Command = {
      installation,
      user: command.user_id,
      channel: command.channel_id,
      rest: found ? rest.join(' ') : text,
      eventId: `command:${command.trigger_id}`,
    };
    const work = runInAccount(installation.row.accountId, () => run(given)).then(
      ({ text: reply }) => reply,
      describeError,
    );
    const reply = await replyInTime(work, respond);
    await ack({ response_type: 'ephemeral', text: reply ?? 'I’m working on it. Slack is responding slowly.' });
  });

  app.shortcut('send_to_arc', async ({ ack, shortcut, context, respond }) => {
    const installation = await installationFrom(context as Source);
    if (installation && shortcut.type === 'message_action') {
      const work = runInAccount(installation.row.accountId, () => sendToArc(installation, shortcut)).catch(
        describeError,
      );
      const text = await replyInTime(work, respond);
      if (text) await sendReply(respond, text);
    }
    await ack();
  });
}

/** Hands a message and its files to the agent. @returns an ephemeral reply; null for none */
async function sendToArc(installation: SlackInstallation, shortcut: MessageShortcut): Promise<string | null> {
  const { channel, message, user } = shortcut;
  await requireAsker(installation, user.id);
  const files = (message as { files?: { id: string; name?: string }[] }).files ?? [];
  const words = readWords(message.text ?? '', installation.tokens.botUserId);
  if (!words && files.length === 0) return 'That message has no text and no files.';
  // The same message sent twice by the same person is a duplicate.
  const eventId = `shortcut:${installation.row.key}:${channel.id}:${message.ts}:${user.id}`;
  if (await isStored(eventId)) return 'You’ve already sent me that message.';
  const { place, elsewhere } = await openPlace(installation, {
    user: user.id,
    channel: channel.id,
    thread: message.thread_ts ?? message.ts,
    words: words || files.map(({ name }) => name ?? 'a file').join(', '),
  });
  // Somebody else may have written the text, so it is handed over as work and never answers a question.
  await storeTurn(installation, place, { user: user.id, text: words, files, eventId, manner: 'handed-over' });
  return elsewhere ? ELSEWHERE : null;
}

const ELSEWHERE = 'I’m not a member of this channel, so I’ll answer in our direct messages.';

/** @throws AppError not_allowed for people who may not ask */
async function requireAsker(installation: SlackInstallation, user: string): Promise<void> {
  if (!(await identifySlackUser(installation, user)).mayAsk) throw new AppError('not_allowed');
}
