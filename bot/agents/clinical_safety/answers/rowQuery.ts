import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { type Askable, nearestOf } from '../../../engine/queries/answerQuery.ts';
import { askablesOf } from '../queries/entities.ts';
import { placePhase } from '../queries/phases.ts';
import { notInTheLog, plainLine } from './questionWords.ts';

/** "Which risks does nobody own?" asks for hazards. */
const RISKS_OF_LOG = /^(which|how many|list|show|what) risks(?= (?:do|does|are|have|has|without|with|no)\b)/;
const HEAD = /^(?:which|what|how many|list|show|count|find|are there|do we have)\b/i;
/** Before a colon, a name would say whose hazards are meant. */
const GREETING = /^(?:hello|hi|hey|good|dear|quick|thanks|morning)\b/i;
const MAX_BEFORE = 120;

/** The question at the end of a text, and the words before it that give only its occasion. */
function lastSentence(text: string): { asked: string; before: string } {
  const at = Math.max(text.lastIndexOf(': '), text.lastIndexOf('. '), text.lastIndexOf('! '));
  const asked = text.slice(at + 2);
  const before = at < 0 ? '' : text.slice(0, at).trim();
  const isIntroduced = text[at] !== ':' || GREETING.test(before);
  const isOccasion =
    isIntroduced && HEAD.test(asked) && before.length <= MAX_BEFORE && !/\?|\bhazards?\b|\bonly\b/i.test(before);
  return isOccasion ? { asked, before } : { asked: text, before: '' };
}

/** A question as {@link answerRowQuery} reads it: in lower case, without articles, courtesy and its occasion. */
export function queryLine(text: string): { line: string; before: string } {
  const { asked, before } = lastSentence(text.replace(/\bnon-(?=\w)/gi, 'not '));
  return { line: placePhase(plainLine(asked)).replace(RISKS_OF_LOG, '$1 hazards'), before };
}

type Answered = { text: string; refused: boolean };

/**
 * Answers a question that counts, lists, sorts or groups what a result or the account holds. The count and the condition
 * come first, what a missing value leaves open last.
 * @param ofAccount rows of the account that the question names, perhaps beside rows of the result
 * @returns null where the question is not fully understood; `isOfAccount`: it asks for rows of the account
 */
export function answerRowQuery(
  result: AnalysisResult | null,
  text: string,
  ofAccount: Askable | null = null,
): (Answered & { isOfAccount: boolean }) | null {
  const { line, before } = queryLine(text);
  const ofResult = result ? askablesOf(result) : [];
  const asked = nearestOf([...ofResult, ...(ofAccount ? [ofAccount] : [])], line, ({ nouns }) => nouns);
  const answer = (asked ?? ofResult[0])?.ask(line);
  if (!answer) return null;
  const isOfAccount = asked === ofAccount && asked !== null;
  if ('refused' in answer) {
    const refused = isOfAccount ? `I can’t answer that: ${answer.refused}` : notInTheLog(answer.refused);
    return { text: refused, refused: true, isOfAccount };
  }
  return { text: before ? `${answer.text}\nI left out: “${before}”.` : answer.text, refused: false, isOfAccount };
}
