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
import { withLabels } from '../cards/generated.ts';
import { messageActivities } from '../cards/messageCard.ts';
import { closedCard, questionCard } from '../cards/questionCard.ts';
import { findApprovers, identifyTeamsUser } from '../identity/people.ts';
import { findInstallation, isOn } from '../install/installations.ts';
import { callerOf, findPersonal, findReference, keepPersonal, targetOf } from '../install/references.ts';
import { sweepUnconnected } from '../install/unconnected.ts';
import type { Activity } from '../platform/activity.ts';
import { placeOf, type TeamsPlace, userIdOf } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';
import { refusalOf } from '../platform/refusal.ts';
import { endDraft, showDraft } from './draft.ts';
import { fetchTeamsFile } from './files.ts';
import { type FileAnswer, givenUpText, handOverFile, type Step } from './handOver.ts';
import { type ReachablePlace, requireReachable, runInPlace } from './reach.ts';
import { canStream, completeStream, type StreamState, streamText } from './stream.ts';
import { cancelTyping, showTyping } from './typing.ts';

/** Saved progress of sending a message: the ids of sent activities, and a started stream. */
type SentParts = StreamState & { ids?: string[] };

/** Sends one message as one or more activities, then offers its files. */
function sayMessage(
  conversation: ConversationRow,
  message: MessageRow,
  sending: Sending,
): Promise<Record<string, unknown> | null> {
  const place = placeOf(conversation.address);
  cancelTyping(place);
  return runInPlace(place, async ({ installation, reference }) => {
    const mode = await consentFor(conversation.accountId, 'teams');
    const allowed = messageUnder(mode, message);
    const target = targetOf(installation, reference, place);
    const isPersonal = reference.kind === 'personal';
    const isRated = message.kind === 'text' && message.messageType === 'assistant' && message.agentId !== null;
    const activities = [
      ...withLabels(messageActivities(allowed, message), { generated: allowed.generated, isRated }),
      ...offerFiles(String(message._id), allowed.attachments, isPersonal),
    ];
    // Skips the activities that an earlier attempt sent.
    const { ids: sent = [], ...begun } = (sending.reference ?? {}) as SentParts;
    const ids = [...sent];
    const stream = { streamId: begun.streamId ?? null, keep: (id: string) => sending.keep({ ids, streamId: id }) };
    for (const activity of activities.slice(ids.length)) {
      const isFirst = ids.length === 0;
      const wasShown = isFirst && begun.sequence !== undefined;
      const shouldStream = isFirst && isPersonal && !wasShown && canStream(activity);
      const streamedId = wasShown
        ? await completeStream(target, activity, begun)
        : shouldStream
          ? await streamText(target, activity, stream)
          : null;
      ids.push(streamedId ?? (await connector().send(target, activity)));
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

/** Posts a question's card in its conversation. */
function askInConversation(question: Question, conversation: ConversationRow): Promise<Record<string, unknown>> {
  const place = placeOf(conversation.address);
  cancelTyping(place);
  return runInPlace(place, async (reachable) => {
    const { installation, reference } = reachable;
    const activity = await openActivity(question, conversation.accountId, reachable);
    const id = await connector().send(targetOf(installation, reference, place), activity);
    return { ...place, id };
  });
}

/** The card of a pending question. */
async function openActivity(
  question: Question,
  accountId: number,
  { installation, reference }: Pick<ReachablePlace, 'installation' | 'reference'>,
): Promise<Activity> {
  const [mode, approvers] = await Promise.all([
    consentFor(accountId, 'teams'),
    findApprovers(installation, reference, question),
  ]);
  // A personal chat has one reader, so the card can have their buttons; elsewhere each person's client fetches its
  // own.
  const mayAnswer = reference.userId !== null && approvers.includes(reference.userId);
  return cardActivity(question, 'a question', questionCard(question, mode, { mayAnswer, refreshFor: approvers }));
}

async function redrawQuestion(question: Question, delivery: DeliveryRow): Promise<void> {
  // The question was never posted.
  if (!delivery.reference) return;
  const { id, ...place } = delivery.reference as TeamsPlace & { id: string };
  const { installation, reference } = await requireReachable(place);
  const mode = await consentFor(delivery.accountId, 'teams');
  const activity =
    question.status === 'pending'
      ? await openActivity(question, delivery.accountId, { installation, reference })
      : cardActivity(question, outcomeUnder(mode, question), closedCard(question, mode));
  try {
    await connector().update(targetOf(installation, reference, place), id, activity);
  } catch (error) {
    // Somebody deleted the card.
    if (refusalOf(error)?.answered !== 404) throw error;
  }
}

/** Sends a text to one person in their personal chat, which is opened if necessary. */
export async function sendPrivately(
  { installation, reference, place }: ReachablePlace,
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

/** The channel port for Teams. */
export const teamsChannel: Channel = {
  name: 'teams',
  remote: true,
  surfaces: ['teams'],
  say: sayMessage,
  showDraft,
  endDraft,
  sweep: sweepUnconnected,
  isOneToOne: async ({ address }) => (await findReference(placeOf(address)))?.kind === 'personal',

  progress(conversation, { status }) {
    if (status !== 'working') return;
    const place = placeOf(conversation.address);
    findInstallation(place.key)
      .then((installation) => installation && showTyping(installation, place))
      .catch((error: unknown) => logger.debug({ err: error }, 'could not show typing'));
  },

  ask: async (question, _delivery, conversation) => conversation && askInConversation(question, conversation),
  redraw: redrawQuestion,

  async identify(conversation, platformId) {
    const { installation, reference } = await requireReachable(placeOf(conversation.address));
    return identifyTeamsUser(installation, reference, userIdOf(platformId));
  },

  async tellPrivately(conversation, platformId, text) {
    const reachable = await requireReachable(placeOf(conversation.address));
    if (await isOn(reachable.installation)) await sendPrivately(reachable, userIdOf(platformId), text);
  },

  perform: async (conversation, given, sending) =>
    handOverFile(await requireReachable(placeOf(conversation.address)), conversation, given as FileAnswer, sending),

  givenUpText: (given, reference) => givenUpText(given as FileAnswer, reference?.step as Step | undefined),

  fetchFile: (_conversation, file) => fetchTeamsFile(file),
};
