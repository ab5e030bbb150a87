import type { AskedQuery } from '../../../../models/contracts/askedQuery.ts';
import { clinicalSafetyCard } from '../../../../models/contracts/clinical_safety/card.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { isSmallTalk } from '../../../engine/intents/smallTalk.ts';
import type { Askable } from '../../../engine/queries/answerQuery.ts';
import { withoutAsides } from '../../../engine/queries/asides.ts';
import { withoutCourtesy } from '../../../engine/queries/courtesy.ts';
import { nearestOf } from '../../../engine/queries/nouns.ts';
import { correctSpelling } from '../../../engine/queries/spelling.ts';
import { spellOut } from '../../../engine/queries/spellOut.ts';
import { askablesOf } from '../queries/entities.ts';
import { placePhase } from '../queries/phases.ts';
import { SHORT_FORMS } from '../queries/shortForms.ts';
import { isEnglish } from '../tickets/meaning.ts';
import { notInTheLog, plainLine } from './questionWords.ts';
import { rephrase } from './rephrase.ts';

const HEAD =
  /^(?:(?:can|could|would|will) you (?:please )?)?(?:which|what|how many|list|show|count|find|are there|do we have|give me|tell me)\b/i;
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

/** The text without greetings and thanks around it. */
function withoutTalk(text: string): string {
  const sentences = text.replace(TALK_BEHIND, '').match(SENTENCES) ?? [];
  const first = sentences.findIndex((one) => !isSmallTalk(one, NAMES));
  const last = sentences.findLastIndex((one) => !isSmallTalk(one, NAMES));
  return first < 0
    ? text
    : sentences
        .slice(first, last + 1)
        .join('')
        .trim();
}
const NAMES = [clinicalSafetyCard.displayName.toLowerCase()];
const SENTENCES = /[^.!?]+(?:[.!?](?=\S)[^.!?]*)*[.!?]*\s*/g;
const TALK_BEHIND = /[,.]?(?<!\s)\s+(?:and\s+)?how are you(?: (?:today|doing))?\s{0,9}\?*\s*$/i;

/** Words that a question about rows needs: a slip in one of them is corrected, and the answer says so. */
const SPELT =
  'hazard hazards analysis analyses decision decisions matches overdue planned control controls cause causes finding findings ticket tickets proposal proposals question questions schedule schedules document documents member members owner owners status severity likelihood residual initial highest lowest above below between which without evidence remaining initially closed accepted mitigated transferred'.split(
    ' ',
  );

type Read = {
  line: string;
  /** What stands around the question and is left out: in words, and as lines. */
  before: string;
  asides: string[];
  corrected: string[];
};

/** The question as a whole, and then without the sentences and clauses around it that may be about something else. */
function* readingsOf(text: string): Generator<Read> {
  yield { ...queryLine(text), asides: [] };
  for (const { asked, left } of withoutAsides(withoutTalk(text.replace(/\bnon-(?=\w)/gi, 'not ')))) {
    const { line, corrected } = lineOfAsked(asked);
    yield { line, corrected, before: left.join('” and “'), asides: left.map((one) => lineOfAsked(one).line) };
  }
}

/** A question as {@link answerRowQuery} reads it: in lower case, without articles, courtesy and its occasion. */
export function queryLine(text: string): { line: string; before: string; corrected: string[] } {
  const { asked, before } = lastSentence(withoutTalk(text.replace(/\bnon-(?=\w)/gi, 'not ')));
  const { line, corrected } = lineOfAsked(asked);
  return { line, before, corrected };
}

/** A question without what stands around it, as it is read, with what was corrected in it. */
export function lineOfAsked(asked: string): { line: string; corrected: string[] } {
  const plain = withoutCourtesy(spellOut(plainLine(asked), SHORT_FORMS));
  const { line, corrected } = correctSpelling(plain, SPELT, isEnglish);
  return { line: placePhase(rephrase(line)), corrected };
}

type Answered = {
  text: string;
  refused: boolean;
  asked: AskedQuery | null;
  /** Passages that are somebody's words. */
  outside: readonly string[];
};

/**
 * Answers a question that counts, lists, sorts or groups what a result or the account holds. The count and the condition
 * come first, what a missing value leaves open last.
 * @param ofAccount rows of the account that the question names, perhaps beside rows of the result
 * @returns null where the question is not fully understood; `isOfAccount`: it asks for rows of the account;
 * `isUnnamed`: it names no kind of row, and was read as one about hazards
 */
export function answerRowQuery(
  result: AnalysisResult | null,
  text: string,
  ofAccount: Askable | null = null,
): (Answered & { isOfAccount: boolean; isUnnamed: boolean }) | null {
  const ofResult = result ? askablesOf(result) : [];
  const kinds = [...ofResult, ...(ofAccount ? [ofAccount] : [])];
  for (const { line, before, corrected, asides } of readingsOf(text)) {
    const asked = nearestOf(kinds, line, ({ nouns }) => nouns);
    const kind = asked ?? ofResult[0];
    if (!kind || asides.some((one) => kind.isAbout(one))) continue;
    const answer = kind.ask(line);
    const spelt = answer ? null : correctSpelling(line, kind.words(), isEnglish);
    const again = spelt && spelt.corrected.length > 0 ? kind.ask(spelt.line) : null;
    const said = answer ?? again;
    if (!said) continue;
    const isOfAccount = asked === ofAccount && asked !== null;
    const slips = again ? [...corrected, ...(spelt?.corrected ?? [])] : corrected;
    return { ...sayAnswer(said, isOfAccount, before, slips), isUnnamed: asked === null };
  }
  return null;
}

/** The words of a question that its kind of row has no meaning for; none where all are known and go together oddly. */
export function unreadWords(result: AnalysisResult | null, text: string, ofAccount: Askable | null = null): string[] {
  const ofResult = result ? askablesOf(result) : [];
  const { line } = queryLine(text);
  const kind =
    nearestOf([...ofResult, ...(ofAccount ? [ofAccount] : [])], line, ({ nouns }) => nouns) ?? ofResult[0] ?? ofAccount;
  return kind?.unread(line) ?? [];
}

function sayAnswer(
  answer: NonNullable<ReturnType<Askable['ask']>>,
  isOfAccount: boolean,
  before: string,
  corrected: readonly string[],
): Answered & { isOfAccount: boolean } {
  if ('refused' in answer) {
    const refused = isOfAccount ? `I can’t answer that: ${answer.refused}` : notInTheLog(answer.refused);
    return { text: refused, refused: true, isOfAccount, asked: null, outside: [] };
  }
  const notes = [...corrected, ...(before ? [`I left out: “${before}”.`] : [])];
  return {
    text: [answer.text, ...notes].join('\n'),
    refused: false,
    isOfAccount,
    asked: answer.asked,
    outside: answer.outside,
  };
}
