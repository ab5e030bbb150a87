import { wordsSurfaceOf } from '../../../models/contracts/channels.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { AnswerBody } from '../../../models/contracts/interrupts.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { mayAnswer } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';
import { mannerOf, Turn, type TurnRow } from '../../../models/turn.ts';
import { identify } from '../accounts/identify.ts';
import { answerable } from '../conversations/conversations.ts';
import { say } from '../delivery/say.ts';
import { answerInterrupt } from '../interrupts/answerInterrupt.ts';
import { describeStepOf, kindOf } from '../questions/kinds/index.ts';
import { beginsLikeAnAnswer } from '../questions/kinds/words.ts';

const MAX_ANSWER_LENGTH = 200;

/**
 * Pending questions without their contexts, which may be large. Those of programs are answered by their buttons alone:
 * what is said to an agent must not leave as a program's answer.
 */
const readWaiting = rememberPerAccount(['interrupts'], (accountId) =>
  Interrupt.find({ accountId, status: 'pending', outside: null }, { context: 0 }).sort({ _id: -1 }).limit(50).lean(),
);

/**
 * The question that a text answers: the one asked in this conversation, else in a related one.
 * @throws AppError not_available where several match, or where the text comes close to an answer without being one:
 *   words must never approve something else than was meant
 */
async function findAnswered(turn: TurnRow, conversation: ConversationRow, text: string): Promise<InterruptRow | null> {
  const waiting = await readWaiting(turn.accountId);
  if (waiting.length === 0) return null;
  const here = await answerable(conversation);
  const answered = waiting.filter(
    (row) =>
      here.has(String(row.conversationId)) &&
      // A delayed or repeated turn must not answer a question that was asked after it.
      row.createdAt <= turn.createdAt &&
      text.length <= MAX_ANSWER_LENGTH &&
      kindOf(row.interruptType).readWords?.(row, text),
  );
  if (answered.length === 0) {
    const only = onlyOneWaiting(waiting, turn, conversation, text);
    if (!only) refuseNearAnswer(waiting, turn, conversation, text);
    return only;
  }
  const own = answered.filter((row) => String(row.conversationId) === String(conversation._id));
  const [meant, another] = own.length > 0 ? own : answered;
  if (another) throw new AppError('not_available', { text: AMBIGUOUS });
  return meant ?? null;
}

/** Texts meant for the agent although a question is pending: help, cancel, stop, or a question. */
const SAID_TO_AGENT = /^(help|cancel|stop)[\s.!]*$|\?\s*$/i;

/** The only pending question of the conversation, where it accepts any text as its answer. */
function onlyOneWaiting(
  waiting: readonly InterruptRow[],
  { createdAt, files }: TurnRow,
  { _id }: ConversationRow,
  text: string,
): InterruptRow | null {
  // A text that comes with files is about the files.
  if (files.length > 0) return null;
  const here = waiting.filter((row) => String(row.conversationId) === String(_id) && row.createdAt <= createdAt);
  const [only] = here;
  const takes = here.length === 1 && only && kindOf(only.interruptType).readMessage?.(only, text);
  return takes && !SAID_TO_AGENT.test(text) ? only : null;
}

/** @throws AppError not_available for a text that begins like an answer to a question here, and is none */
function refuseNearAnswer(
  waiting: readonly InterruptRow[],
  { createdAt }: TurnRow,
  { _id }: ConversationRow,
  text: string,
): void {
  if (text.length > MAX_ANSWER_LENGTH || !beginsLikeAnAnswer(text) || SAID_TO_AGENT.test(text)) return;
  const here = waiting.filter((row) => String(row.conversationId) === String(_id) && row.createdAt <= createdAt);
  const phrases = here.flatMap((row) => kindOf(row.interruptType).wordsThatAnswer ?? [])[0];
  if (phrases)
    throw new AppError('not_available', {
      text: `I couldn’t tell whether that is your answer, so I recorded nothing. ${phrases}`,
    });
}

/** The answer in a text. A whole message counts only from people who may answer; others are talking to the agent. */
function readAnswer(who: Who, row: InterruptRow, text: string): AnswerBody | null {
  const { readWords, readMessage } = kindOf(row.interruptType);
  const words = text.length <= MAX_ANSWER_LENGTH ? readWords?.(row, text) : null;
  return words ?? (mayAnswer(who, row) ? readMessage?.(row, text) : null) ?? null;
}

const AMBIGUOUS =
  'More than one question waits here, and your words could answer each. Answer under the one that you mean, or by its buttons.';

/**
 * Saves on the turn which question it answers, before answering: a retry after a crash, or a concurrent one, then
 * answers the same question.
 * @returns the id that is saved
 */
async function noteAnswered(turn: TurnRow, interruptId: number): Promise<number> {
  const noted = await Turn.updateOne({ _id: turn._id, answers: null }, { $set: { answers: interruptId } });
  if (noted.modifiedCount === 1) return interruptId;
  return (await Turn.findOne({ _id: turn._id }, { answers: 1 }).lean())?.answers ?? interruptId;
}

/**
 * Answers a pending question with the text of a turn.
 * @returns whether it did
 * @throws AppError not_available where it could answer several; and the errors of answerInterrupt
 */
export async function answerInWords(turn: TurnRow, conversation: ConversationRow): Promise<boolean> {
  const text = turn.text.trim();
  const { userId } = turn.speaker;
  // A task for an agent never answers a question.
  if (turn.taskFor) return false;
  // Overheard or forwarded text must never sign anything.
  if (userId === null || mannerOf(turn) !== 'said' || text === '') return false;
  const found = turn.answers ?? (await findAnswered(turn, conversation, text))?._id;
  const who = found === undefined ? null : await identify(userId, turn.accountId, Date.now());
  if (found === undefined || !who) return false;
  const interruptId = await noteAnswered(turn, found);
  const row = await Interrupt.findOne({ _id: interruptId, accountId: turn.accountId }).lean();
  const answer = row && readAnswer(who, row, text);
  if (!row || !answer) return false;
  const answered = await answerInterrupt(who, row._id, answer, wordsSurfaceOf(turn.channel));
  const step = describeStepOf(answered, answer);
  await say(conversation, {
    key: `turn:${turn._id}:answered`,
    messageType: 'system',
    kind: 'text',
    text: step ?? `Recorded your answer to: ${row.prompt}`,
    derived: {
      redacted: step ?? `Recorded your answer to question ${row._id}.`,
      reference: step ?? `Recorded your answer to question ${row._id}.`,
    },
    card: { interruptId: row._id },
  });
  return true;
}
