import { runInBackground } from '../../../models/background.ts';
import type { Interrupt as Question } from '../../../models/contracts/interrupts.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { Channel } from '../../engine/delivery/channel.ts';
import { consentFor } from '../../engine/delivery/consent.ts';
import { isDirect, placeOf } from './address.ts';
import { drawPost, questionPost } from './cards/interruptBlocks.ts';
import { endDraft, showDraft } from './draft.ts';
import { fetchFile } from './files.ts';
import { publishHomes } from './home.ts';
import { clientOf, findInstallation, installationOf } from './installations.ts';
import { identifySlackUser, slackIdOf } from './people.ts';
import { personaOf } from './persona.ts';
import { sayMessage } from './sayMessage.ts';
import { showSessionStatus } from './sessionStatus.ts';

async function askInThread(question: Question, conversation: ConversationRow): Promise<Record<string, unknown>> {
  const installation = await installationOf(conversation);
  const { channel, thread } = placeOf(conversation.address);
  const mode = await consentFor(conversation.accountId, 'slack');
  const { ts } = await clientOf(installation).chat.postMessage({
    channel,
    ...(thread ? { thread_ts: thread } : {}),
    ...questionPost(question, mode),
    ...personaOf(question.agentId, question.agentName),
    unfurl_links: false,
  });
  runInBackground('showing a session status', showSessionStatus(conversation, 'suspended'));
  return { key: placeOf(conversation.address).key, channel, ts };
}

/** The channel port for Slack. */
export const slackChannel: Channel = {
  name: 'slack',
  remote: true,
  surfaces: ['slack'],
  boards: ['slack-home'],
  say: sayMessage,
  showDraft,
  endDraft,

  progress(conversation, { status }) {
    const next = status === 'working' ? 'processing' : status === 'waiting' ? 'suspended' : 'active';
    runInBackground('showing a session status', showSessionStatus(conversation, next));
  },

  async ask(question, delivery, conversation) {
    if (delivery.surface === 'slack') return conversation && askInThread(question, conversation);
    await publishHomes(delivery.accountId);
    return null;
  },

  async redraw(question, delivery) {
    if (delivery.surface !== 'slack') return publishHomes(delivery.accountId);
    const { key, channel, ts } = (delivery.reference ?? {}) as { key?: string; channel?: string; ts?: string };
    const installation = key ? await findInstallation(key) : null;
    if (!installation || !channel || !ts) return;
    const mode = await consentFor(delivery.accountId, 'slack');
    await clientOf(installation).chat.update({ channel, ts, ...drawPost(question, mode) });
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

  fetchFile,
};
