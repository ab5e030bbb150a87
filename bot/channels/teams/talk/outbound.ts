import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import type { DeliveryRow } from '../../../../models/delivery.ts';
import { logger } from '../../../../models/logger.ts';
import type { MessageRow } from '../../../../models/message.ts';
import type { Channel, Sending } from '../../../engine/delivery/channel.ts';
import { consentFor, messageUnder, outcomeUnder } from '../../../engine/delivery/consent.ts';
import { nameOf } from '../../../engine/delivery/speaker.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { attach } from '../cards/card.ts';
import { offerFiles } from '../cards/fileCards.ts';
import { messageActivities } from '../cards/messageCard.ts';
import { closedCard, questionCard } from '../cards/questionCard.ts';
import { findApprovers, identifyTeamsUser } from '../identity/people.ts';
import { findInstallation, isOn } from '../install/installations.ts';
import { callerOf, findPersonal, keepPersonal, targetOf } from '../install/references.ts';
import { sweepUnconnected } from '../install/unconnected.ts';
import type { Activity } from '../platform/activity.ts';
import { placeOf, type TeamsPlace, userIdOf } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';
import { refusalOf } from '../platform/refusal.ts';
import { fetchTeamsFile } from './files.ts';
import { type FileAnswer, givenUpText, handOver, type Step } from './handOver.ts';
import { type Reached, reach, within } from './reach.ts';
import { canStream, streamText } from './stream.ts';
import { endTyping, showTyping } from './typing.ts';

/** What is kept of a message that is on its way: the activities that were sent, and a stream that was begun. */
type Kept = { ids?: string[]; streamId?: string };

/** Says one message: figures, words, buttons; what is long in several activities; files by consent or by link. */
function sayMessage(
  conversation: ConversationRow,
  message: MessageRow,
  sending: Sending,
): Promise<Record<string, unknown> | null> {
  const place = placeOf(conversation.address);
  endTyping(place);
  return within(place, async ({ installation, reference }) => {
    const mode = await consentFor(conversation.accountId, 'teams');
    const told = messageUnder(mode, message);
    const target = targetOf(installation, reference, place);
    const personal = reference.kind === 'personal';
    const activities = [
      ...messageActivities(told, message),
      ...offerFiles(String(message._id), told.attachments, personal),
    ];
    // What an earlier try has sent is not sent again.
    const { ids: sent = [], streamId = null } = (sending.reference ?? {}) as Kept;
    const ids = [...sent];
    const begun = { streamId, keep: (begunId: string) => sending.keep({ ids, streamId: begunId }) };
    for (const activity of activities.slice(ids.length)) {
      const streams = ids.length === 0 && personal && canStream(activity);
      const streamed = streams ? await streamText(target, activity, begun) : null;
      ids.push(streamed ?? (await connector().send(target, activity)));
      if (ids.length < activities.length) await sending.keep({ ids });
    }
    return { ids };
  });
}

const cardActivity = (question: Question, text: string, drawn: ReturnType<typeof closedCard>): Activity => ({
  type: 'message',
  summary: shorten(`${nameOf(question) ?? 'Arc'}: ${text}`, 200),
  attachments: [attach(drawn)],
});

/** Asks where the question's conversation is: one card. */
function askInConversation(question: Question, conversation: ConversationRow): Promise<Record<string, unknown>> {
  const place = placeOf(conversation.address);
  endTyping(place);
  return within(place, async ({ installation, reference }) => {
    const [mode, approvers] = await Promise.all([
      consentFor(conversation.accountId, 'teams'),
      findApprovers(installation, reference, question),
    ]);
    // In a personal chat one person reads it, so that it is known whose card it is; elsewhere each fetches their own.
    const mayAnswer = reference.userId !== null && approvers.includes(reference.userId);
    const drawn = questionCard(question, mode, { mayAnswer, refreshFor: approvers });
    const id = await connector().send(
      targetOf(installation, reference, place),
      cardActivity(question, 'a question', drawn),
    );
    return { ...place, id };
  });
}

async function redrawQuestion(question: Question, delivery: DeliveryRow): Promise<void> {
  // What never came to be shown is not drawn.
  if (!delivery.reference) return;
  const { id, ...place } = delivery.reference as TeamsPlace & { id: string };
  const { installation, reference } = await reach(place);
  const mode = await consentFor(delivery.accountId, 'teams');
  const activity = cardActivity(question, outcomeUnder(mode, question), closedCard(question, mode));
  try {
    await connector().update(targetOf(installation, reference, place), id, activity);
  } catch (error) {
    // A card that somebody has taken away needs no drawing.
    if (refusalOf(error)?.answered !== 404) throw error;
  }
}

/** Tells someone alone: in their personal chat, which is opened where there is none yet. */
export async function tellAlone(
  { installation, reference, place }: Reached,
  userId: string,
  text: string,
): Promise<void> {
  const activity: Activity = { type: 'message', text, textFormat: 'plain' };
  if (reference.kind === 'personal') {
    await connector().send(targetOf(installation, reference, place), activity);
    return;
  }
  const { key } = installation.row;
  const caller = callerOf(installation.registration, reference);
  const known = await findPersonal(key, { userId });
  const conversationId =
    known?.conversationId ?? (await connector().openPersonal(caller, { botId: reference.botId, userId }));
  if (!known) await keepPersonal(reference, userId, conversationId);
  await connector().send({ ...caller, conversationId }, activity);
}

/** Teams' side of the port. */
export const teamsChannel: Channel = {
  name: 'teams',
  remote: true,
  surfaces: ['teams'],
  say: sayMessage,
  sweep: sweepUnconnected,

  progress(conversation, { status }) {
    if (status !== 'working') return;
    const place = placeOf(conversation.address);
    findInstallation(place.key)
      .then((installation) => installation && showTyping(installation, place))
      .catch((error: unknown) => logger.debug({ err: error }, 'typing could not be shown'));
  },

  ask: async (question, _delivery, conversation) => conversation && askInConversation(question, conversation),
  redraw: redrawQuestion,

  async identify(conversation, platformId) {
    const { installation, reference } = await reach(placeOf(conversation.address));
    return identifyTeamsUser(installation, reference, userIdOf(platformId));
  },

  async tellPrivately(conversation, platformId, text) {
    const reached = await reach(placeOf(conversation.address));
    if (await isOn(reached.installation)) await tellAlone(reached, userIdOf(platformId), text);
  },

  perform: async (conversation, given, sending) =>
    handOver(await reach(placeOf(conversation.address)), conversation, given as FileAnswer, sending),

  givenUpText: (given, reference) => givenUpText(given as FileAnswer, reference?.step as Step | undefined),

  fetchFile: (_conversation, file) => fetchTeamsFile(file),
};
