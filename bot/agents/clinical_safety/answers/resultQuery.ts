import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { answerQuery } from '../../../engine/queries/answerQuery.ts';
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

/**
 * Answers a question that counts, lists, sorts or groups what a result holds. The count and the condition come first,
 * what a missing value leaves open last. Null where the question is not fully understood.
 */
export function answerResultQuery(result: AnalysisResult, text: string): { text: string; refused: boolean } | null {
  const { asked, before } = lastSentence(text.replace(/\bnon-(?=\w)/gi, 'not '));
  const line = placePhase(plainLine(asked)).replace(RISKS_OF_LOG, '$1 hazards');
  const answer = answerQuery(askablesOf(result), line);
  if (!answer) return null;
  return 'refused' in answer
    ? { text: notInTheLog(answer.refused), refused: true }
    : { text: before ? `${answer.text}\nI left out: “${before}”.` : answer.text, refused: false };
}
