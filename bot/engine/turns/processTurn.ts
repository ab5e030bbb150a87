import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError, plainText } from '../../../models/contracts/errors.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import type { RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { traced } from '../../../models/tracing.ts';
import { mannerOf, type TurnRow } from '../../../models/turn.ts';
import { identify } from '../accounts/identify.ts';
import { registeredAgent } from '../agents/registry.ts';
import { routeAsking } from '../agents/relay.ts';
import { channelNamed, type Refusal } from '../delivery/channel.ts';
import { refusalUnder } from '../delivery/refusalUnder.ts';
import { type Saying, say } from '../delivery/say.ts';
import { readAsking } from '../intents/readAsking.ts';
import { beginRun } from '../workflows/beginRun.ts';
import { executeRun } from '../workflows/executeRun.ts';
import { type OpenReview, questionWithdrawnIn } from '../workflows/supersede.ts';
import { acceptFile } from './acceptFile.ts';
import { answerInWords } from './answerInWords.ts';
import { chooseAgent } from './chooseAgent.ts';
import { finishTurn } from './finishTurns.ts';
import { noteLeftToSweeper } from './order.ts';
import { stopInWords } from './stopInWords.ts';
import { turns } from './turnWork.ts';

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
    const begun = await runInAccount(accountId, () => handleClaimed(stored, known));
    over();
    if (begun) await executeRun(begun.run, begun.conversation);
  });
}

/**
 * Handles a claimed turn under its lease. A failure is noted: the turn is retried, or given up after its policy.
 * @param tellGivenUp called before it is given up
 * @returns the run to execute; null where nothing is left to do
 * @throws what kept it from being handled, after that was noted
 */
export function handleClaimed(
  turn: TurnRow,
  known?: ConversationRow,
  tellGivenUp = async () => {},
): Promise<Begun | null> {
  return turns.hold(turn, async () => {
    try {
      return await handleTurn(turn, known);
    } catch (error) {
      const outcome = await turns.fail(turn, error, { beforeGivenUp: tellGivenUp });
      const conversation = known ?? (await Conversation.findById(turn.conversationId).lean());
      if (outcome === 'retried' && conversation) noteLeftToSweeper(conversation);
      throw error;
    }
  });
}

/** @returns the run to execute; null where nothing is left to do */
async function handleTurn(stored: TurnRow, known?: ConversationRow): Promise<Begun | null> {
  const opened = known ?? (await Conversation.findById(stored.conversationId).lean());
  if (!opened) return null;
  const turn = await identifySpeaker(stored, opened);
  if (!turn) {
    // The text of strangers is not kept.
    await turns.complete(stored, { status: 'done', text: '', files: [] });
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
  await turns.complete(turn, { status: 'done' });
  return null;
}

/** Idempotency key of what a refused turn is told. */
export const refusalKey = ({ _id }: Pick<TurnRow, '_id'>) => `turn:${_id}:refused`;

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
  // Only the author's own words have an agent ask another one.
  const asking = !turn.taskFor && mannerOf(turn) === 'said' ? readAsking(turn.text) : null;
  const userAgent = await chooseAgent(conversation, asking ? asking.before : turn.text, turn.taskFor);
  const agent = findAgent(userAgent.agentId);
  if (!agent) throw new AppError('agent_not_ready');
  if (await stopInWords(turn, conversation, agent.id)) return null;
  const part = registeredAgent(agent.id);
  // Where text only introduces the files, nothing is asked for.
  const said = asking?.agent === agent ? asking.question : turn.text;
  const text = turn.files.length > 0 && part.askedBeside ? part.askedBeside(said) : said;
  if (text === null) return null;
  const route =
    asking && asking.agent !== agent
      ? routeAsking(asking)
      : await part.route({ text, conversation, userAgent, messageId: String(turn._id) });
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
export const startKeyOf = ({ _id }: Pick<TurnRow, '_id'>) => `turn:${_id}`;
