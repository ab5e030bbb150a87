import type { AskedQuery } from '../../../../models/contracts/askedQuery.ts';
import type { Askable } from '../../../engine/queries/answerQuery.ts';
import { readFollowUp, readOtherKind } from '../../../engine/queries/followUps/readFollowUp.ts';
import { lineOf } from '../../../engine/queries/lines.ts';
import { spellOut } from '../../../engine/queries/spellOut.ts';
import { SHORT_FORMS } from '../queries/shortForms.ts';
import { type Answer, rowsAnswer } from './answerShape.ts';
import { lineOfAsked } from './rowQuery.ts';

/** The last answer about rows of a conversation. */
export type Earlier = {
  /** Null where it answered two queries at once, or none that can be changed. */
  asked: AskedQuery | null;
  /** Its kind of row; null where there is none any more. */
  kind: Askable | null;
  /** Whether a newer analysis has been made since. */
  isOutdated: boolean;
};

/** The noun that a message points at: "which of those tickets". */
const POINTED_NOUN = /\b(?:those|these) (\w+)/;

const refused = (text: string): Answer => ({ intent: 'query', kind: 'refusal', text });

const IN_FULL = 'Ask in full, such as “Which open hazards have no owner?”.';
const NOTHING_EARLIER = `I can’t tell which rows you mean: I haven’t answered a question about rows in this conversation yet. ${IN_FULL}`;
const NO_QUERY = `I can’t tell which rows of my last answer you mean. ${IN_FULL}`;
const OUTDATED = `A newer analysis was made after my last answer, so I can’t tell which rows you mean. ${IN_FULL}`;

const lineOfText = (text: string) => spellOut(lineOf(text), SHORT_FORMS);
const followUpTo = ({ asked }: Earlier, text: string) =>
  readFollowUp(lineOfText(text), { one: asked?.noun.replace(/s$/, '') ?? 'row', many: asked?.noun ?? 'rows' });

/** Words that most messages have that go on from an earlier answer; the others are not worth a look at the store. */
const MAY_FOLLOW =
  /\b(?:them|those|these|they|ones|others?|rest|only|just|sort|order|rank|group|split|filter|narrow|first|which ones|how many|other way|reverse|revers\w+|and|but|also|what about|how about|same|include)\b/i;
const MAX_LENGTH = 200;

/** Whether a message may go on from an earlier answer. */
export const mayFollow = (text: string): boolean => text.length <= MAX_LENGTH && MAY_FOLLOW.test(text);

/** "hazards that have the status “Open” and have no owner". */
const describe = ({ noun, chips, joins }: AskedQuery): string => {
  const said = chips.map(({ label }) => label).join(` ${joins} `);
  return said ? `${noun} that ${said}` : noun;
};

/**
 * Answers a message that goes on from the last answer about rows: "which of those are open?", "sort them by risk".
 * @param others further kinds of row, for "what about tickets?"
 * @returns null where it does not, or is not understood as a whole
 */
export async function answerFollowUp(
  { asked, kind, isOutdated }: Earlier,
  text: string,
  others: (noun: string) => Promise<Askable | null>,
): Promise<Answer | null> {
  const line = lineOfText(text);
  const named = readOtherKind(line);
  const other = named ? await others(named) : null;
  const followUp = followUpTo({ asked, kind, isOutdated }, text);
  if (!other && !followUp) return null;
  const pointed = POINTED_NOUN.exec(line)?.[1];
  const meant = pointed && kind && !kind.nouns.includes(pointed) ? await others(pointed) : null;
  if (isOutdated) return followUp?.isPointing || other ? refused(OUTDATED) : null;
  if (!asked || !kind) return followUp?.isPointing || other ? refused(NO_QUERY) : null;
  if (meant && meant !== kind) return refused(`My last answer was about ${asked.noun}, not ${pointed}. ${IN_FULL}`);
  const isOther = other !== null && !other.nouns.includes(asked.query.entity);
  const answer = isOther
    ? other.adopt(asked.query, kind.nounOf)
    : followUp && kind.follow(asked.query, followUp, (question) => lineOfAsked(question).line);
  if (!answer) return null;
  if ('cannot' in answer) return refused(answer.cannot);
  if ('refused' in answer) return refused(`I can’t answer that: ${answer.refused}`);
  return rowsAnswer(answer);
}

/**
 * What to say to a message that points at rows and was not understood; null where it points at none.
 * @param earlier null where no question about rows was answered in the conversation
 */
export function declineFollowUp(earlier: Earlier | null, text: string): Answer | null {
  const followUp = followUpTo(earlier ?? { asked: null, kind: null, isOutdated: false }, text);
  if (!followUp?.isPointing) return null;
  const declined = (words: string): Answer => ({ ...refused(words), isDeclined: true });
  if (!earlier) return declined(NOTHING_EARLIER);
  const { asked, kind } = earlier;
  const [question] = followUp.asked;
  if (!asked || !kind || question === undefined) return null;
  const unread = [...new Set(kind.unread(lineOfAsked(question).line))].slice(0, 6).join(' ');
  return declined(
    `I can’t go on from my last answer, which was about ${describe(asked)}: I did not understand ${unread ? `“${unread}”` : 'how the words go together'}. So I didn’t look anything up. ${IN_FULL}`,
  );
}

/** An answer to a question that named no kind of row, and so may have been about the rows of the answer before. */
export function besideEarlier(answer: Answer, { asked }: Earlier): Answer {
  const isOther = asked && answer.asked && (asked.query.where || asked.query.entity !== answer.asked.query.entity);
  if (!isOther) return answer;
  const remark = `This is about all ${answer.asked?.noun}. For the ${asked.noun} of my last answer, begin with “of those”.`;
  return { ...answer, text: `${answer.text}\n${remark}` };
}
