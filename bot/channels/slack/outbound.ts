import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { baseUrl } from '../../../models/env.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import type { MessageRow } from '../../../models/message.ts';
import { readDownload } from '../../engine/agents/clinical_safety/exports.ts';
import type { Channel } from '../../engine/delivery/channel.ts';
import { consentFor, messageUnder } from '../../engine/delivery/consent.ts';
import { conversationOf } from '../../engine/delivery/deliverQuestion.ts';
import { listQuestions } from '../../engine/interrupts/listQuestions.ts';
import { isDirect, placeOf } from './address.ts';
import { type HomeFilter, homeView } from './cards/homeView.ts';
import { closedPost, questionPost } from './cards/interruptBlocks.ts';
import { messagePosts } from './cards/messageBlocks.ts';
import { clientOf, findInstallation, installationsOf, type SlackInstallation } from './installations.ts';
import { identifySlackUser, slackIdOf } from './people.ts';

/** Under which name an agent speaks. */
const personaOf = (agentId: string | null, agentName: string | null) => {
  const role = agentId ? findAgent(agentId)?.role : null;
  if (!agentName) return {};
  // Slack fetches the picture itself: it can only where people reach us by https.
  const icon = baseUrl().startsWith('https://') && agentId ? { icon_url: `${baseUrl()}/agents/${agentId}.png` } : {};
  return { username: role ? `${agentName}, ${role}` : agentName, ...icon };
};

async function installationOf(conversation: ConversationRow): Promise<SlackInstallation> {
  const found = await findInstallation(placeOf(conversation.address).key);
  if (!found) throw new Error('Slack is not installed for this conversation any more.');
  return found;
}

/** Says one message: figures, words, buttons; what is long in several posts; files as files. */
async function postMessage(
  conversation: ConversationRow,
  message: MessageRow,
): Promise<Record<string, unknown> | null> {
  const installation = await installationOf(conversation);
  const client = clientOf(installation);
  const { channel, thread } = placeOf(conversation.address);
  const mode = await consentFor(conversation.accountId, 'slack');
  const told = messageUnder(mode, message);
  const threaded = thread ? { thread_ts: thread } : {};
  let ts = await streamReply(installation, conversation, message, told);
  for (const post of ts ? [] : messagePosts(told)) {
    const answer = await client.chat.postMessage({
      channel,
      ...threaded,
      ...post,
      ...personaOf(message.agentId, message.agentName),
      unfurl_links: false,
      unfurl_media: false,
    });
    ts ??= answer.ts;
  }
  for (const { name } of told.attachments) {
    const file = await readDownload(conversation.accountId, name);
    if (file)
      await client.filesUploadV2({ channel_id: channel, ...threaded, file: file.bytes, filename: name } as never);
  }
  return { channel, ts };
}

/** Workspaces whose Slack does not stream; asked once in the life of the process. */
const withoutStreams = new Set<string>();
const STREAMED = 12_000;

/**
 * Streams a reply into the agent view, where Slack can. Elsewhere a stream needs to name one person as its reader,
 * which a channel is not.
 * @returns the message's timestamp; undefined where it has to be posted
 */
async function streamReply(
  installation: SlackInstallation,
  conversation: ConversationRow,
  message: MessageRow,
  { text, card }: ReturnType<typeof messageUnder>,
): Promise<string | undefined> {
  const { key, channel, thread } = placeOf(conversation.address);
  const plain = message.kind === 'text' && !card && text.length <= STREAMED;
  if (!plain || !thread || !isDirect(channel) || withoutStreams.has(key)) return undefined;
  const client = clientOf(installation);
  const persona = personaOf(message.agentId, message.agentName);
  try {
    const { ts } = await client.chat.startStream({
      channel,
      thread_ts: thread,
      markdown_text: text,
      ...persona,
    } as never);
    if (ts) await client.chat.stopStream({ channel, ts });
    return ts;
  } catch (error) {
    if ((error as { code?: string }).code !== 'slack_webapi_platform_error') throw error;
    withoutStreams.add(key);
    return undefined;
  }
}

/** The status of the agent's session in Slack; an older workspace may not know it, which changes nothing. */
async function setSessionStatus(
  conversation: ConversationRow,
  status: 'processing' | 'suspended' | 'active',
): Promise<void> {
  const { channel, thread } = placeOf(conversation.address);
  if (!thread) return;
  const installation = await installationOf(conversation);
  await clientOf(installation).agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status });
}

/** Draws App Home for one person. */
export async function publishHome(
  installation: SlackInstallation,
  slackUserId: string,
  filter: HomeFilter = 'pending',
): Promise<void> {
  const { accountId } = installation.row;
  const [questions, mode] = await Promise.all([listQuestions(accountId), consentFor(accountId, 'slack')]);
  await clientOf(installation).views.publish({ user_id: slackUserId, view: homeView(questions, mode, filter) });
}

/** What someone sees at Home who is no member, or is none any more. */
export async function publishStranger(installation: SlackInstallation, user: string): Promise<void> {
  const text =
    'This is the inbox of an Arc account. You see it once its owner has invited you with the e-mail that you use here.';
  const view = {
    type: 'home' as const,
    blocks: [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text } }],
  };
  await clientOf(installation).views.publish({ user_id: user, view });
}

/** Draws App Home anew for every member who is known in the account's workspaces. */
async function publishHomes(accountId: number): Promise<void> {
  for (const row of await installationsOf(accountId)) {
    const installation = await findInstallation(row.key);
    if (!installation) continue;
    const members = await ChannelIdentity.find({ accountId, channel: 'slack', userId: { $ne: null }, stranger: false })
      .limit(200)
      .lean();
    for (const { platformId } of members.filter((one) => one.platformId.startsWith(`${row.key}:`))) {
      const user = slackIdOf(platformId);
      // Asked again whether they still are a member; one who can't be reached keeps nobody else from seeing.
      await identifySlackUser(installation, user)
        .then(({ who }) => (who ? publishHome(installation, user) : publishStranger(installation, user)))
        .catch((error: unknown) => logger.warn({ err: error, user }, 'a Home could not be drawn'));
    }
  }
}

async function askInThread(question: Question): Promise<Record<string, unknown> | null> {
  const row = (await Interrupt.findOne({ _id: question.id }).lean()) as InterruptRow | null;
  const conversation = row && (await conversationOf(row));
  if (!row || conversation?.address.channel !== 'slack') return null;
  const installation = await installationOf(conversation);
  const { channel, thread } = placeOf(conversation.address);
  const mode = await consentFor(row.accountId, 'slack');
  const { ts } = await clientOf(installation).chat.postMessage({
    channel,
    ...(thread ? { thread_ts: thread } : {}),
    ...questionPost(question, mode),
    ...personaOf(question.agentId, question.agentName),
    unfurl_links: false,
  });
  await setSessionStatus(conversation, 'suspended').catch((error: unknown) =>
    logger.debug({ err: error }, 'session status'),
  );
  return { key: placeOf(conversation.address).key, channel, ts };
}

/** Slack's side of the port. */
export const slackChannel: Channel = {
  name: 'slack',
  remote: true,
  surfaces: ['slack'],
  boards: ['slack-home'],
  say: postMessage,

  progress(conversation, { status }) {
    const next = status === 'working' ? 'processing' : status === 'waiting' ? 'suspended' : 'active';
    setSessionStatus(conversation, next).catch((error: unknown) => logger.debug({ err: error }, 'session status'));
  },

  async ask(question, delivery) {
    if (delivery.surface === 'slack') return askInThread(question);
    await publishHomes(delivery.accountId);
    return null;
  },

  async redraw(question, delivery) {
    if (delivery.surface !== 'slack') return publishHomes(delivery.accountId);
    const { key, channel, ts } = (delivery.reference ?? {}) as { key?: string; channel?: string; ts?: string };
    const installation = key ? await findInstallation(key) : null;
    if (!installation || !channel || !ts) return;
    const mode = await consentFor(delivery.accountId, 'slack');
    await clientOf(installation).chat.update({ channel, ts, ...closedPost(question, mode) });
  },

  async identify(conversation, platformId) {
    return identifySlackUser(await installationOf(conversation), slackIdOf(platformId));
  },

  async tellPrivately(conversation, platformId, text) {
    const { channel, thread } = placeOf(conversation.address);
    const client = clientOf(await installationOf(conversation));
    const user = slackIdOf(platformId);
    if (isDirect(channel)) await client.chat.postMessage({ channel, text });
    else await client.chat.postEphemeral({ channel, user, text, ...(thread ? { thread_ts: thread } : {}) });
  },

  async fetchFile(conversation, { fileId }) {
    const installation = await installationOf(conversation);
    const { file } = await clientOf(installation).files.info({ file: fileId });
    if (!file?.url_private_download) throw new Error('Slack named no address for the file.');
    const answer = await fetch(file.url_private_download, {
      headers: { Authorization: `Bearer ${installation.tokens.botToken}` },
    });
    if (!answer.ok) throw new Error(`Slack answered ${answer.status} for the file.`);
    return { fileName: file.name ?? 'upload', bytes: new Uint8Array(await answer.arrayBuffer()) };
  },
};
