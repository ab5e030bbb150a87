import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError, plainText } from '../../../models/contracts/errors.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { Run } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { acceptFile, agentNamed } from '../agents/index.ts';
import { channelNamed, type Refusal } from '../delivery/channel.ts';
import { say } from '../delivery/say.ts';
import { executeRun } from '../workflows/executeRun.ts';
import { startRun } from '../workflows/startRun.ts';
import { supersede } from '../workflows/supersede.ts';
import { answerInWords } from './answerInWords.ts';
import { chooseAgent } from './chooseAgent.ts';
import { finishTurn } from './finishTurns.ts';

/**
 * Carries a stored turn on: shows it in the history, lets it answer a waiting question, or starts a run. Every write is
 * keyed by the turn, so that a turn left by a crash is simply processed again.
 */
export function processTurn(stored: TurnRow, known?: ConversationRow): Promise<void> {
  return runInAccount(stored.accountId, async () => {
    let turn = stored;
    const opened = known ?? (await Conversation.findById(turn.conversationId).lean());
    if (!opened) return;
    const heard = await identifySpeaker(turn, opened);
    if (!heard) {
      // A stranger's words are not kept.
      await Turn.updateOne({ _id: turn._id }, { $set: { status: 'done', text: '', files: [] } });
      return;
    }
    turn = heard;
    const shown = turn.text.trim() ? showTurn(turn, opened) : undefined;
    const conversation = turn.files.length > 0 ? await takeFiles(turn, opened) : opened;
    if (!turn.text.trim()) {
      await Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } });
      return;
    }
    try {
      const started = await carryOn(turn, conversation);
      await shown;
      if (started) {
        finishTurn(turn._id);
        await executeRun(started, conversation);
        return;
      }
      await Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } });
    } catch (error) {
      await shown;
      if (!(error instanceof AppError)) throw error;
      await say(conversation, {
        key: `turn:${turn._id}:refused`,
        kind: error.code === 'no_log' ? 'log-missing' : 'refused',
        text: plainText(error),
      });
      await Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } });
    }
  });
}

/**
 * Finds out who said it where only the platform knows. A stranger is told so, alone, and costs nothing.
 * @returns the turn with its speaker; null for a stranger
 */
async function identifySpeaker(turn: TurnRow, conversation: ConversationRow): Promise<TurnRow | null> {
  const { userId, platformId } = turn.speaker;
  const channel = channelNamed(turn.channel);
  if (userId !== null || platformId === null || !channel?.identify) return turn;
  const identity = await channel.identify(conversation, platformId);
  if (!identity.mayAsk) {
    // People who talk among themselves in a thread are not told each time.
    if (turn.manner === 'overheard') return null;
    // Telling is a courtesy: where the platform refuses it, the turn is over all the same.
    await channel
      .tellPrivately?.(
        conversation,
        platformId,
        'I only work with members of the Arc account that installed me. Ask its owner to invite you with the e-mail that you use here, or to admit this workspace.',
      )
      .catch((error: unknown) => logger.warn({ err: error, turn: String(turn._id) }, 'a stranger could not be told'));
    return null;
  }
  return { ...turn, speaker: { userId: identity.who?.userId ?? null, platformId, name: identity.name } };
}

/** The person's own message in the history. */
async function showTurn(turn: TurnRow, conversation: ConversationRow): Promise<void> {
  await say(conversation, {
    _id: turn._id,
    key: `turn:${turn._id}`,
    messageType: 'user',
    kind: 'text',
    text: turn.text,
    clientId: turn.clientId,
  });
}

const UNFETCHED =
  'I could not fetch the file. Drop it into the message itself (not as a link to another service), or upload it in Arc.';

/**
 * Fetches the files that came with a turn and takes each; what is wrong with one is said in the conversation.
 * @returns the conversation with the files it works on now
 */
async function takeFiles(turn: TurnRow, conversation: ConversationRow): Promise<ConversationRow> {
  const channel = channelNamed(turn.channel);
  for (const [index, file] of turn.files.entries()) {
    const fetched = await channel?.fetchFile?.(conversation, file).catch(async (error: unknown) => {
      // A platform that asks to be left alone for a while has not refused the file: the turn is tried again.
      if ((error as Refusal).retryAfter) throw error;
      logger.warn({ err: error, turn: String(turn._id) }, 'a file could not be fetched');
      await say(conversation, {
        key: `turn:${turn._id}:${index}:unfetched`,
        kind: 'refused',
        text: error instanceof AppError ? plainText(error) : UNFETCHED,
      });
      return null;
    });
    try {
      if (fetched) await acceptFile(conversation, fetched, `${turn._id}:${index}`);
    } catch (error) {
      // What is wrong with the file has been said in the conversation.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return (await Conversation.findById(conversation._id).lean()) ?? conversation;
}

/** @returns the run that was started; null where the turn answered a question, or its run goes on elsewhere */
async function carryOn(turn: TurnRow, conversation: ConversationRow) {
  if (await answerInWords(turn, conversation)) return null;
  const userAgent = await chooseAgent(conversation, turn.text);
  const agent = findAgent(userAgent.agentId);
  if (!agent) throw new AppError('agent_not_ready');
  const route = await agentNamed(agent.id).route({
    text: turn.text,
    conversation,
    userAgent,
    messageId: String(turn._id),
  });
  await supersede(conversation, route.workflow);
  const { run, created } = await startRun({
    ...route,
    userAgent,
    agent,
    conversation,
    userId: turn.speaker.userId,
    startKey: startKeyOf(turn),
  });
  return created ? run : null;
}

/** By which a turn starts one run. */
const startKeyOf = ({ _id }: Pick<TurnRow, '_id'>) => `turn:${_id}`;

/** Takes up turns that were acknowledged and never carried on. @returns how many */
export async function sweepTurns(olderThanMilliseconds = 10_000): Promise<number> {
  const before = new Date(Date.now() - olderThanMilliseconds);
  const left = await dangerouslyRunInEveryAccount(() =>
    Turn.find({ status: 'stored', createdAt: { $lte: before }, dueAt: { $lte: new Date() } })
      .sort({ createdAt: 1 })
      .limit(200)
      .lean(),
  );
  for (const turn of left)
    await carryOnAgain(turn as TurnRow).catch((error: unknown) => putOff(turn as TurnRow, error));
  return left.length;
}

/** A turn that has its run is never heard again: its words could mean something else by now. */
async function carryOnAgain(turn: TurnRow): Promise<void> {
  const started = await runInAccount(turn.accountId, () => Run.exists({ startKey: startKeyOf(turn) }));
  if (started) finishTurn(turn._id);
  else await processTurn(turn);
}

const MOST_ATTEMPTS = 6;
const PUT_OFF_MILLISECONDS = 15_000;

/** One turn that can't be carried on holds up no other: it is tried again later each time, and then given up. */
async function putOff(turn: TurnRow, error: unknown): Promise<void> {
  const attempts = (turn.attempts ?? 0) + 1;
  logger.error({ err: error, turn: String(turn._id), attempts }, 'turn could not be carried on');
  const dueAt = new Date(Date.now() + PUT_OFF_MILLISECONDS * 2 ** attempts);
  const status = attempts >= MOST_ATTEMPTS ? ('failed' as const) : ('stored' as const);
  await runInAccount(turn.accountId, async () => {
    await Turn.updateOne({ _id: turn._id }, { $set: { attempts, dueAt, status } });
    const conversation = status === 'failed' ? await Conversation.findById(turn.conversationId).lean() : null;
    if (conversation) await say(conversation, { key: `turn:${turn._id}:failed`, kind: 'refused', text: FAILED });
  });
}

const FAILED = 'I could not go on with your last message, and nothing was done for it. Please send it again.';
