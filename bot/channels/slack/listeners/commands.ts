import type { App, MessageShortcut } from '@slack/bolt';
import { AppError } from '../../../../models/contracts/errors.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import { baseUrl } from '../../../../models/env.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { CHANNEL_COMMANDS } from '../../../engine/turns/channelCommands.ts';
import { addressOf } from '../address.ts';
import { toMrkdwn } from '../cards/text.ts';
import { hear, installationFrom, isHeard, type Source } from '../inbound.ts';
import type { SlackInstallation } from '../installations.ts';
import { openPlace } from '../openPlace.ts';
import { identifySlackUser } from '../people.ts';
import { readWords } from '../words.ts';
import { requireMember } from './answers.ts';
import { inTime, tell } from './inTime.ts';
import { tellError } from './refusals.ts';

type Said = { installation: SlackInstallation; user: string; channel: string; rest: string; eventId: string };
type Reply = { text: string };

const HELP = [
  '`/arc ask …` asks the agent of this conversation',
  '`/arc agent NAME` chooses the agent of this conversation',
  '`/arc inbox` shows what waits for you',
  '`/arc status` shows agents and credits',
  '`/arc hire` shows who can be hired, `/arc hire NAME` hires',
].join('\n');

/** Says a command of every channel. */
const sayCommand =
  (run: (typeof CHANNEL_COMMANDS)[keyof typeof CHANNEL_COMMANDS]) =>
  async ({ installation, user, channel, rest }: Said): Promise<Reply> => {
    const { text } = await run({
      who: await requireMember(installation, user),
      address: addressOf({ key: installation.row.key, channel, thread: null }),
      rest,
      write: (word) => `\`/arc ${word}\``,
      // An ephemeral answer is a list to read: the buttons are in App Home, where they can be redrawn.
      answerAt: `Answer in the Home tab of this app, or at ${baseUrl()}/agent-inbox`,
    });
    return { text: toMrkdwn(text) };
  };

/** What `/arc` alone can do, by its first word. */
const WORDS: Record<string, (said: Said) => Promise<Reply>> = {
  async help() {
    return { text: HELP };
  },
  async ask({ installation, user, channel, rest, eventId }) {
    if (!rest) return { text: 'Say what you want to ask: `/arc ask what can you do?`' };
    await requireAsker(installation, user);
    const words = readWords(rest, installation.tokens.botUserId);
    const { place, elsewhere } = await openPlace(installation, { user, channel, thread: null, words });
    await hear(installation, place, { user, text: words, files: [], eventId, manner: 'said' });
    return { text: elsewhere ? ELSEWHERE : 'I answer in the channel.' };
  },
};

/** `/arc`, and the shortcut on a message. */
export function registerCommands(app: App): void {
  app.command('/arc', async ({ ack, command, context, respond }) => {
    const installation = await installationFrom(context as Source);
    if (!installation) return ack('Arc is not connected to this workspace any more.');
    const text = command.text.trim();
    const [word = '', ...rest] = text.split(/\s+/);
    const name = word.toLowerCase();
    const shared = ownEntry(CHANNEL_COMMANDS, name);
    const known = shared ? sayCommand(shared) : ownEntry(WORDS, name);
    // What begins with no word of ours is a question.
    const run = (known ?? (text ? WORDS.ask : WORDS.help)) as (typeof WORDS)[string];
    const said: Said = {
      installation,
      user: command.user_id,
      channel: command.channel_id,
      rest: known ? rest.join(' ') : text,
      eventId: `command:${command.trigger_id}`,
    };
    const work = runInAccount(installation.row.accountId, () => run(said)).then(({ text: reply }) => reply, tellError);
    const reply = await inTime(work, respond);
    await ack({ response_type: 'ephemeral', text: reply ?? 'I am on it. Slack takes its time.' });
  });

  app.shortcut('send_to_arc', async ({ ack, shortcut, context, respond }) => {
    const installation = await installationFrom(context as Source);
    if (installation && shortcut.type === 'message_action') {
      const work = runInAccount(installation.row.accountId, () => sendToArc(installation, shortcut)).catch(tellError);
      const told = await inTime(work, respond);
      if (told) await tell(respond, told);
    }
    await ack();
  });
}

/** Takes a message into the agent's hands, with its files. @returns what to tell the person alone; null for nothing */
async function sendToArc(installation: SlackInstallation, shortcut: MessageShortcut): Promise<string | null> {
  const { channel, message, user } = shortcut;
  await requireAsker(installation, user.id);
  const files = (message as { files?: { id: string; name?: string }[] }).files ?? [];
  const words = readWords(message.text ?? '', installation.tokens.botUserId);
  if (!words && files.length === 0) return 'There are no words and no files in that message.';
  // Sent twice by one person it is one message.
  const eventId = `shortcut:${installation.row.key}:${channel.id}:${message.ts}:${user.id}`;
  if (await isHeard(eventId)) return 'You have sent me that message before.';
  const { place, elsewhere } = await openPlace(installation, {
    user: user.id,
    channel: channel.id,
    thread: message.thread_ts ?? message.ts,
    words: words || files.map(({ name }) => name ?? 'a file').join(', '),
  });
  // The words may be another's: handed over they are work to do, and never the answer to a question.
  await hear(installation, place, { user: user.id, text: words, files, eventId, manner: 'handed-over' });
  return elsewhere ? ELSEWHERE : null;
}

const ELSEWHERE = 'I am not a member of this channel: I answer in our direct messages.';

/** @throws AppError not_allowed for whoever may not ask */
async function requireAsker(installation: SlackInstallation, user: string): Promise<void> {
  if (!(await identifySlackUser(installation, user)).mayAsk) throw new AppError('not_allowed');
}
