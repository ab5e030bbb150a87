import type { AnswerBody, InterruptType, Surface } from '../../../models/contracts/interrupts.ts';
import type { ChannelName } from '../../../models/contracts/turn.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';
import type { TurnRow } from '../../../models/turn.ts';
import { identify } from '../accounts/identify.ts';
import { say } from '../delivery/say.ts';
import { answerInterrupt } from '../interrupts/answerInterrupt.ts';
import { answerable } from './conversations.ts';

const YES = /^(yes|approve[d]?|accept)( (it|them|all|everything))?[\s.!]*$/i;
const NO = /^(no|reject|refuse|decline)( (it|them|all|everything))?[\s.!]*$/i;
/** All rows of a review need the word "all": one "yes" must not sign for thirty rows. */
const YES_ALL = /^(approve|accept) (all|everything|all rows)[\s.!]*$/i;
const NO_ALL = /^reject (all|everything|all rows)[\s.!]*$/i;

const yesOrNo = (text: string, yes: RegExp, no: RegExp): AnswerBody | null =>
  yes.test(text) ? { approved: true } : no.test(text) ? { approved: false } : null;

/** What a person's words answer, by the type of the question; null where they don't. */
const READERS: Partial<Record<InterruptType, (row: InterruptRow, text: string) => AnswerBody | null>> = {
  approval: (_row, text) => yesOrNo(text, YES, NO),
  hazard_review: (_row, text) => yesOrNo(text, YES_ALL, NO_ALL),
  decision(row, text) {
    const selectedOption = row.options.find((it) => typeof it === 'string' && it.toLowerCase() === text.toLowerCase());
    return typeof selectedOption === 'string' ? { selectedOption } : null;
  },
};

const SURFACES: Record<ChannelName, Surface> = { arc: 'arc-chat', slack: 'slack', teams: 'teams' };
const LONGEST_ANSWER = 200;

/** What the words may answer; their long contexts stay where they are. */
const readWaiting = rememberPerAccount(
  ['interrupts'],
  (accountId) =>
    Interrupt.find({ accountId, status: 'pending' }, { context: 0 })
      .sort({ _id: -1 })
      .limit(50)
      .lean() as unknown as Promise<InterruptRow[]>,
);

/**
 * Lets words answer the question that waits in this conversation.
 * @returns whether they did
 */
export async function answerInWords(turn: TurnRow, conversation: ConversationRow): Promise<boolean> {
  const text = turn.text.trim();
  const { userId } = turn.speaker;
  // What was only overheard between people, or are another's words, signs nothing.
  if (userId === null || turn.manner !== undefined || text.length > LONGEST_ANSWER) return false;
  const waiting = await readWaiting(turn.accountId);
  if (waiting.length === 0) return false;
  const here = await answerable(conversation);
  for (const row of waiting.filter((it) => here.has(String(it.conversationId)))) {
    const answer = READERS[row.interruptType]?.(row, text);
    const who = answer && (await identify(userId, turn.accountId, Date.now()));
    if (!answer || !who) continue;
    await answerInterrupt(who, row._id, answer, SURFACES[turn.channel]);
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
  return false;
}
