import { runInBackground } from '../../../models/background.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError, plainText } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { Message } from '../../../models/message.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { scheduleSweep } from '../../../models/store/dueTimers.ts';
import { traced } from '../../../models/tracing.ts';
import { mannerOf, Turn, type TurnRow } from '../../../models/turn.ts';
import { identify } from '../accounts/identify.ts';
import { registeredAgent } from '../agents/registry.ts';
import { channelNamed, type Refusal } from '../delivery/channel.ts';
import { refusalUnder } from '../delivery/refusalUnder.ts';
import { type Saying, say } from '../delivery/say.ts';
import { beginRun } from '../workflows/beginRun.ts';
import { executeRun } from '../workflows/executeRun.ts';
import { type OpenReview, questionWithdrawnIn } from '../workflows/supersede.ts';
import { acceptFile } from './acceptFile.ts';
import { answerInWords } from './answerInWords.ts';
import { chooseAgent } from './chooseAgent.ts';
import { finishTurn } from './finishTurns.ts';
import { isBlockedByFiles, isHandledHere, noteFirstSweep, noteLeftToSweeper } from './order.ts';
import { stopInWords } from './stopInWords.ts';

type Begun = { run: RunRow; conversation: ConversationRow };

/**
 * Handles a stored turn: shows it in the history, then answers a pending question with it or starts a run and executes
 * it. Every write is keyed by the turn, so that it can be handled again after a crash.
 * @param over called once the turn is handled, before its run executes: the next turn may start
 */
export function processTurn(stored: TurnRow, known?: ConversationRow, over = () => {}): Promise<void> {
  const { accountId, channel } = stored;
  const of = { trace: startKeyOf(stored), 'arc.turn': String(stored._id), 'arc.account': accountId };
  return traced('turn', { ...of, 'arc.channel': channel }, async () => {
    const begun = await runInAccount(accountId, () => handleTurn(stored, known));
    over();
    if (begun) await executeRun(begun.run, begun.conversation);
  });
}

/** @returns the run to execute; null where nothing is left to do */
async function handleTurn(stored: TurnRow, known?: ConversationRow): Promise<Begun | null> {
  const opened = known ?? (await Conversation.findById(stored.conversationId).lean());
  if (!opened) return null;
  const turn = await identifySpeaker(stored, opened);
  if (!turn) {
    // The text of strangers is not kept.
    await Turn.updateOne({ _id: stored._id }, { $set: { status: 'done', text: '', files: [] } });
    return null;
  }
  const said = turn.text.trim();
  // Both run in parallel; errors are kept until both have settled, so that none goes unhandled.
  const shown = said ? settled(showTurn(turn, opened)) : null;
  const started = await settled(answerTurn(turn, opened, said));
  for (const one of [started, await shown]) if (one && 'error' in one) throw one.error;
  return 'value' in started ? started.value : null;
}

const settled = <T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Accepts a turn's files and does what its text asks for; a refusal is posted to the conversation. */
async function answerTurn(turn: TurnRow, opened: ConversationRow, said: string): Promise<Begun | null> {
  const conversation = turn.files.length > 0 ? await takeFiles(turn, opened) : opened;
  const done = () => Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } });
  try {
    const run = said ? await answerOrStartRun(turn, conversation) : null;
    if (run) {
      finishTurn(turn._id);
      return { run, conversation };
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await say(conversation, { key: refusalKey(turn), ...describeRefusal(error) });
  }
  await done();
  return null;
}

const refusalKey = ({ _id }: Pick<TurnRow, '_id'>) => `turn:${_id}:refused`;

/** The message for a refusal, with a button for the next step where there is one. */
function describeRefusal(error: AppError): Pick<Saying, 'kind' | 'text' | 'card' | 'derived'> {
  const [text, derived] = [plainText(error), refusalUnder(error)];
  const open = error.code === 'review_open' ? (error.standing as OpenReview | undefined) : undefined;
  if (!open) return { kind: error.saidAs, text, derived };
  const { label, words } = open.confirmation;
  return { kind: 'refused', text, card: { actions: [{ label, action: 'send', value: words }] } };
}

/**
 * Identifies the author where only the platform knows. Strangers get a private explanation and cost nothing.
 * @returns the turn with its author; null for a stranger
 */
async function identifySpeaker(turn: TurnRow, conversation: ConversationRow): Promise<TurnRow | null> {
  const { userId, platformId } = turn.speaker;
  const channel = channelNamed(turn.channel);
  if (userId !== null || platformId === null || !channel?.identify) return turn;
  const identity = await channel.identify(conversation, platformId);
  if (!identity.mayAsk) {
    // People talking to each other in a thread get no explanation.
    if (mannerOf(turn) === 'overheard') return null;
    // Best effort: if the platform refuses, the turn is still done.
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

/** Adds the person's message to the history. */
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
 * Downloads and accepts the files of a turn; faults are posted to the conversation.
 * @returns the conversation with its current files
 */
async function takeFiles(turn: TurnRow, conversation: ConversationRow): Promise<ConversationRow> {
  const channel = channelNamed(turn.channel);
  for (const [index, file] of turn.files.entries()) {
    const fetched = await channel?.fetchFile?.(conversation, file).catch(async (error: unknown) => {
      // Rate limited, not refused: the whole turn is retried.
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
      if (fetched) await acceptFile(conversation, fetched, { key: `${turn._id}:${index}`, text: turn.text });
    } catch (error) {
      // The agent has already posted the fault.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return (await Conversation.findById(conversation._id).lean()) ?? conversation;
}

/** @returns the started run; null where the turn answered a question or stopped work, or its run exists already */
async function answerOrStartRun(turn: TurnRow, conversation: ConversationRow) {
  if (await answerInWords(turn, conversation)) return null;
  const userAgent = await chooseAgent(conversation, turn.text, turn.taskFor);
  const agent = findAgent(userAgent.agentId);
  if (!agent) throw new AppError('agent_not_ready');
  if (await stopInWords(turn, conversation, agent.id)) return null;
  const part = registeredAgent(agent.id);
  // Where text only introduces the files, nothing is asked for.
  const text = turn.files.length > 0 && part.askedBeside ? part.askedBeside(turn.text) : turn.text;
  if (text === null) return null;
  const route = await part.route({ text, conversation, userAgent, messageId: String(turn._id) });
  const { userId } = turn.speaker;
  const { run, created } = await beginRun(
    { ...route, userAgent, agent, conversation, userId, startKey: startKeyOf(turn) },
    async () => ({
      who: userId === null ? null : await identify(userId, turn.accountId, Date.now()),
      // Only the author's own words may confirm withdrawing an open question.
      withdraws: mannerOf(turn) === 'said' ? questionWithdrawnIn(text) : undefined,
    }),
  );
  return created ? run : null;
}

/** Idempotency key of a turn's run. */
const startKeyOf = ({ _id }: Pick<TurnRow, '_id'>) => `turn:${_id}`;

/**
 * Handles turns that were acknowledged and not finished, oldest first.
 * @returns the number found
 */
export async function sweepTurns(olderThanMilliseconds = 10_000): Promise<number> {
  const before = new Date(Date.now() - olderThanMilliseconds);
  const left = await dangerouslyRunInEveryAccount(() =>
    Turn.find({ status: 'stored', createdAt: { $lte: before }, dueAt: { $lte: new Date() } })
      .sort({ createdAt: 1 })
      .limit(200)
      .lean(),
  );
  for (const turn of left) {
    if (isHandledHere(turn)) continue;
    await runInAccount(turn.accountId, () => sweepTurn(turn)).catch((error: unknown) => postponeTurn(turn, error));
  }
  noteFirstSweep();
  return left.length;
}

/** A turn that already has a run or a refusal is not handled again: its text might be routed differently now. */
async function sweepTurn(turn: TurnRow): Promise<void> {
  const { _id, conversationId } = turn;
  const [started, refused] = await Promise.all([
    Run.exists({ startKey: startKeyOf(turn) }),
    Message.exists({ accountId: turn.accountId, conversationId, key: refusalKey(turn) }),
  ]);
  if (started || refused) return finishTurn(_id);
  if (await isBlockedByFiles(turn)) return;
  const begun = turn.begun ?? 0;
  // The attempt made when it was stored counts too.
  if (begun + 1 >= LIMITS.crashes) return setAside(turn);
  // Counted before it starts: a turn that ends the process leaves no other trace.
  const claimed = await Turn.updateOne(
    { _id, status: 'stored', begun: begun > 0 ? begun : { $in: [0, null] } },
    { $set: { begun: begun + 1 } },
  );
  if (claimed.modifiedCount !== 1) return;
  const work = await handleTurn(turn);
  // The run sets its own account context and does not block other turns.
  if (work) runInBackground('run', executeRun(work.run, work.conversation));
}

const MAX_ATTEMPTS = 6;
const BACK_OFF_MS = 15_000;

/** Retries a failed turn with back-off, then gives it up, so that it does not block others. */
async function postponeTurn(turn: TurnRow, error: unknown): Promise<void> {
  const attempts = (turn.attempts ?? 0) + 1;
  logger.error({ err: error, turn: String(turn._id), attempts }, 'turn could not be handled');
  const dueAt = new Date(Date.now() + BACK_OFF_MS * 2 ** attempts);
  const isOver = attempts >= MAX_ATTEMPTS;
  await runInAccount(turn.accountId, async () => {
    if (isOver) await sayGivenUp(turn, FAILED);
    const status = isOver ? ('failed' as const) : ('stored' as const);
    await Turn.updateOne({ _id: turn._id }, { $set: { attempts, dueAt, status, begun: 0 } });
  }).catch((fault: unknown) => logger.error({ err: fault, turn: String(turn._id) }, 'turn could not be rescheduled'));
  if (isOver) return;
  const conversation = await runInAccount(turn.accountId, () => Conversation.findById(turn.conversationId).lean());
  if (conversation) noteLeftToSweeper(conversation);
  scheduleSweep('turns', dueAt);
}

/** Gives up a turn that ended the process on every attempt, and says so. */
async function setAside(turn: TurnRow): Promise<void> {
  logger.error(
    { turn: String(turn._id), account: turn.accountId },
    'turn given up: it ended the process on every attempt',
  );
  await sayGivenUp(turn, SET_ASIDE);
  await Turn.updateOne({ _id: turn._id, status: 'stored' }, { $set: { status: 'failed' } });
}

async function sayGivenUp(turn: TurnRow, text: string): Promise<void> {
  const conversation = await Conversation.findById(turn.conversationId).lean();
  if (conversation) await say(conversation, { key: `turn:${turn._id}:failed`, kind: 'refused', text });
}

const FAILED = 'I could not process your last message, and nothing was done for it. Please send it again.';
const SET_ASIDE =
  'Arc stopped each time it began to work on one of your messages, so I have set that message aside. Nothing was done for it. Please say it in other words, or tell support.';
