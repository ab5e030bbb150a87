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
import { kindOf } from '../questions/kinds/index.ts';

const LONGEST_ANSWER = 200;

/** What the words may answer; their long contexts stay where they are. */
const readWaiting = rememberPerAccount(['interrupts'], (accountId) =>
  Interrupt.find({ accountId, status: 'pending' }, { context: 0 }).sort({ _id: -1 }).limit(50).lean(),
);

/** What the words answer, in the conversation itself first, and then in its siblings, newest first. */
async function findAnswered(turn: TurnRow, conversation: ConversationRow, text: string): Promise<InterruptRow | null> {
  const waiting = await readWaiting(turn.accountId);
  if (waiting.length === 0) return null;
  const here = await answerable(conversation);
  const answered = waiting.filter(
    (row) =>
      here.has(String(row.conversationId)) &&
      // Heard late, or again: nobody says yes to what was not asked yet.
      row.createdAt <= turn.createdAt &&
      text.length <= LONGEST_ANSWER &&
      kindOf(row.interruptType).readWords?.(row, text),
  );
  if (answered.length === 0) return onlyOneWaiting(waiting, turn, conversation, text);
  const own = answered.find((row) => String(row.conversationId) === String(conversation._id));
  if (!own && answered.length > 1) throw new AppError('not_available', { text: WHICH });
  return own ?? answered[0] ?? null;
}

/** What is said to the agent, whatever waits: help, a stop, a question of one's own. */
const SAID_TO_AGENT = /^(help|cancel|stop)[\s.!]*$|\?\s*$/i;

/** The question that takes the next message as it is: one for words, where nothing else waits in the conversation. */
function onlyOneWaiting(
  waiting: readonly InterruptRow[],
  { createdAt, files }: TurnRow,
  { _id }: ConversationRow,
  text: string,
): InterruptRow | null {
  // Words beside files are about the files.
  if (files.length > 0) return null;
  const here = waiting.filter((row) => String(row.conversationId) === String(_id) && row.createdAt <= createdAt);
  const [only] = here;
  const takes = here.length === 1 && only && kindOf(only.interruptType).readMessage?.(only, text);
  return takes && !SAID_TO_AGENT.test(text) ? only : null;
}

/**
 * The answer in somebody's words; or in their whole message, where they may answer: what others say there is for the
 * agent.
 */
function readAnswer(who: Who, row: InterruptRow, text: string): AnswerBody | null {
  const { readWords, readMessage } = kindOf(row.interruptType);
  const words = text.length <= LONGEST_ANSWER ? readWords?.(row, text) : null;
  return words ?? (mayAnswer(who, row) ? readMessage?.(row, text) : null) ?? null;
}

const WHICH =
  'More than one question waits here, and your words could answer each. Answer under the one that you mean, or by its buttons.';

/**
 * Keeps on the turn which question it answers, before it does: a turn that is heard again after a crash, or by two at
 * once, answers no other.
 */
async function noteAnswered(turn: TurnRow, interruptId: number): Promise<number> {
  const noted = await Turn.updateOne({ _id: turn._id, answers: null }, { $set: { answers: interruptId } });
  if (noted.modifiedCount === 1) return interruptId;
  return (await Turn.findOne({ _id: turn._id }, { answers: 1 }).lean())?.answers ?? interruptId;
}

/**
 * Lets words answer the question that waits in this conversation.
 * @returns whether they did
 * @throws AppError not_available where they could answer more than one; see answerInterrupt for the rest
 */
export async function answerInWords(turn: TurnRow, conversation: ConversationRow): Promise<boolean> {
  const text = turn.text.trim();
  const { userId } = turn.speaker;
  // A task says what an agent is to do, and nothing of what another waits for.
  if (turn.taskFor) return false;
  // Words between people, and words that may be another person's, sign nothing.
  if (userId === null || mannerOf(turn) !== 'said' || text === '') return false;
  const found = turn.answers ?? (await findAnswered(turn, conversation, text))?._id;
  const who = found === undefined ? null : await identify(userId, turn.accountId, Date.now());
  if (found === undefined || !who) return false;
  const interruptId = await noteAnswered(turn, found);
  const row = await Interrupt.findOne({ _id: interruptId, accountId: turn.accountId }).lean();
  const answer = row && readAnswer(who, row, text);
  if (!row || !answer) return false;
  await answerInterrupt(who, row._id, answer, wordsSurfaceOf(turn.channel));
  await say(conversation, {
    key: `turn:${turn._id}:answered`,
    messageType: 'system',
    kind: 'text',
    text: `Recorded your answer to: ${row.prompt}`,
    derived: {
      redacted: `Recorded your answer to question ${row._id}.`,
      reference: `Recorded your answer to question ${row._id}.`,
    },
    card: { interruptId: row._id },
  });
  return true;
}
