import { clinicalSafetyCard } from '../../../../models/contracts/clinical_safety/card.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { answerGeneral } from '../../../engine/intents/answerGeneral.ts';
import { answerOtherLanguage } from '../../../engine/intents/languages.ts';
import { type GeneralIntent, readGeneral } from '../../../engine/intents/readGeneral.ts';
import { isRemark } from '../../../engine/intents/smallTalk.ts';
import type { Askable } from '../../../engine/queries/answerQuery.ts';
import { withoutAsides } from '../../../engine/queries/asides.ts';
import { withoutCourtesy } from '../../../engine/queries/courtesy.ts';
import { listLines } from '../../../engine/queries/listLines.ts';
import { changesMeaning, questionWords } from '../../../engine/queries/words.ts';
import { NHS_MATRIX } from '../reading/riskMatrix.ts';
import { rankKnowledge, ticketTerms } from '../tickets/knowledgeRanking.ts';
import { isSure } from '../tickets/sureness.ts';
import { type Answer, rowsAnswer } from './answerShape.ts';
import { answerClause } from './clauses.ts';
import { describeKnowledge, describeWhy, KNOWLEDGE_COUNT } from './hazardAnswers.ts';
import { IF_IT_HAPPENED, INCIDENT_GUIDE, tellsOfIncident } from './incidents.ts';
import type { Intent } from './intent.ts';
import { OWN_TEXTS } from './plainAnswers.ts';
import { leftOver, notUnderstood, plainLine } from './questionWords.ts';
import { asksForChange, CHANGE_REFUSED, REFUSALS, WHY, WHY_REFUSED } from './refusals.ts';
import { answerByName, hazardsNamedIn, RESULT_ANSWERS, wordsOfNamed } from './resultAnswers.ts';
import { answerRowQuery, unreadWords } from './rowQuery.ts';
import { STANDARD_FACTS, VERDICT } from './standardFacts.ts';

const NEXT =
  '\n• Ask for a hazard, a proposal or a ticket by its id.\n• Ask for “findings”, “coverage”, “the matrix” or “proposed hazards”.\n• Say “help” to see what I do.';

const NO_ANALYSIS =
  'There is no analysis yet. Drop a hazard log into the chat and ask me to analyse it; then I can answer that.';

const SMALL_TALK = { intent: 'small-talk', kind: 'talk' } as const;
const talk = (text: string) => answerGeneral('small-talk', text, clinicalSafetyCard, null, OWN_TEXTS);
export const UNKNOWN: Answer = {
  intent: 'unknown',
  kind: 'unknown',
  text: `I don’t know. What you can do next:${NEXT}`,
};
/** The kinds of free answers to general intents; the others are a guide. */
export const FREE_AS: Partial<Record<GeneralIntent, Answer['kind']>> = {
  'small-talk': 'talk',
  identity: 'talk',
  help: 'help',
  goal: 'help',
  undo: 'refusal',
  'other-agent': 'refusal',
};
/** A sentence about a person that asks for nothing. */
const TELLS =
  /^(?!(?:how|which|what|why|who|list|show|find|tell|explain|could|can|may|might|is|are|any|do|does)\b)(?!.*(?:\?|\bhazards?\b|\brisks?\b)).*\b(?:patients?|child|children|baby|woman|man|girl|boy|mother|father|resident|someone|somebody)\b/is;

const WENT_WRONG =
  /\b(?:wrong|missed|missing|twice|double|lost|hid|hidden|not shown|overdos\w*|allerg\w*|reaction|mixed up|delayed|too late|unnoticed)\b/i;

/** Asks for rows that belong to something, such as the findings of a hazard. */
const OF_ONE =
  /\b(?:findings?|controls?|causes?|matches|match)\b.*\d|\btickets?\b.*\b(?:matched|linked|mapped|tied|covered|connected|pointing) (?:to|with|by)\b.*\d/i;

/** Asks what might happen in general, not about the log. */
const WHAT_IF =
  /\b(?:could|can|might|may|would) (?:go|happen|be) wrong\b|\bwhat (?:kinds?|sorts?) of hazards?\b|\bhazards? (?:should|might) (?:i|we) (?:think|look|consider)/i;

/** Questions that only a result can answer. */
const NEEDS_RESULT =
  /\b(?:coverage|covered|findings?|proposed|proposals?|our log|my log|the log|this log|owners?|which hazards|how many hazards|tickets?)\b/i;
/** Asks for kinds of hazard, independent of a log. */
const ABOUT_KINDS =
  /\b(?:hazards? (?:of|for|with|in|around)|kinds? of hazards?|risks? (?:of|with)|go(?:es)? wrong|dangers?|think of|know about)\b/i;
const MENTIONS =
  /^(?:(?:what|who|which) (?:is|are|about)|tell me (?:more )?about|show(?: me)?|describe|explain|how (?:is|does)|is|are|does|and|list|open|details? (?:of|on|for)|more on|give me)\b/i;

/** What is known of a message before it is read. */
type Already = {
  /** Set where it asks for rows although it reads like a general intent. */
  isQuery?: boolean;
  /** Its answer as one that goes on from an earlier answer. */
  followUp?: Answer | null;
};

/**
 * The first of the two stages of `answerQuestion`: answers a question by patterns, from the latest result, or else from
 * the knowledge base and the standard.
 */
export function answerByPatterns(
  result: AnalysisResult | null,
  text: string,
  ofAccount: Askable | null = null,
  status: string | null = null,
  { isQuery = false, followUp = null }: Already = {},
): Answer {
  const question = text.trim().slice(0, 2000);
  if (!question) return UNKNOWN;
  const foreign = answerOtherLanguage(question);
  if (foreign) return { intent: 'language', kind: 'refusal', text: foreign };
  if (tellsOfIncident(question)) return { intent: 'incident', kind: 'guide', text: INCIDENT_GUIDE };
  if (followUp) return followUp;
  const rows = ofAccount ? answerRowQuery(result, question, ofAccount) : null;
  if (rows?.isOfAccount && !rows.refused && !OFFERS.test(question)) return rowsAnswer(rows);
  const general = isQuery ? null : readGeneral(question, clinicalSafetyCard.id);
  if (general) {
    const said = answerGeneral(general, question, clinicalSafetyCard, status, OWN_TEXTS);
    return { intent: general, kind: FREE_AS[general] ?? 'guide', text: said };
  }
  const refused = refuse(result, question);
  if (refused) return refused;
  if (rows?.isOfAccount) return { intent: 'query', kind: 'refusal', text: rows.text };
  return answerFromRows(result, question) ?? answerWithoutRows(result, question, ofAccount);
}

/** Offers to hand something over; asks for no rows. */
const OFFERS =
  /^(?:can|may|could|should|shall|must) (?:i|we) (?:also |just )?(?:give|send|upload|attach|drop|share|hand|paste|import|forward)\b/i;

/** What is refused or looked up even where the text names a hazard: changes, reasons, verdicts, clauses. */
function refuse(result: AnalysisResult | null, question: string): Answer | null {
  if (asksForChange(question)) return { intent: 'change', kind: 'refusal', text: CHANGE_REFUSED };
  if (WHY.test(question)) {
    const named = result ? hazardsNamedIn(result, question) : [];
    if (named.length > 0) return { intent: 'why', kind: 'fact', text: named.map(describeWhy).join('\n\n') };
    const proposed = result ? answerByName(result, question) : null;
    if (proposed && PROPOSED.test(question)) return { intent: 'why', kind: 'fact', text: proposed };
    if (DECIDED.test(question)) return { intent: 'why', kind: 'refusal', text: WHY_REFUSED };
  }
  // "Findings under clause 4.4.1" are rows.
  const clause = OF_FINDINGS.test(question) ? null : answerClause(question);
  if (clause) return { intent: 'clause', kind: 'standard', text: clause };
  const refusal = REFUSALS.find(({ asks }) => asks.test(question));
  if (refusal) return { intent: refusal.intent, kind: 'refusal', text: refusal.says };
  return VERDICT.asks.test(question) ? { intent: 'rules', kind: 'refusal', text: VERDICT.says } : null;
}
const OF_FINDINGS = /\b(?:findings?|issues?|faults?|mistakes?)\b/i;
const PROPOSED = /\b(?:propos\w*|suggest\w*|recommend\w*|come up with|add(?:ed)?|here|there|on the list)\b/i;
const DECIDED =
  /\b(?:kept|keep|rated|scored|set|left|given|chosen|closed|accepted|changed|reduced|raised|lowered|rating|decision|decided)\b/i;

/** Answers from the rows of the result: those of one hazard, one by its id, or those that a condition picks. */
function answerFromRows(result: AnalysisResult | null, question: string): Answer | null {
  const ofOne = result && OF_ONE.test(question) ? answerRowQuery(result, question) : null;
  if (ofOne && !ofOne.refused) return rowsAnswer(ofOne);
  const [aside] = withoutAsides(question);
  const first = answerNamed(result, question);
  const named = first?.isDeclined && aside ? (answerNamed(result, aside.asked) ?? first) : first;
  if (named) return named;
  if (WHAT_IF.test(question)) {
    const kinds = answerFromKnowledge(question);
    if (kinds) return { intent: 'knowledge', kind: 'knowledge', text: kinds };
  }
  return result ? answerFromResult(result, question) : null;
}

/** Answers from the standard and the knowledge base, or says what was not understood. */
function answerWithoutRows(result: AnalysisResult | null, question: string, ofAccount: Askable | null): Answer {
  const standard = STANDARD_FACTS.find(({ asks }) => asks.test(question));
  if (standard && !ABOUT_THE_STATE.test(question))
    return { intent: standard.intent, kind: 'standard', text: standard.says };
  if (!result && /\bmatrix\b/i.test(question)) return { intent: 'rules', kind: 'standard', text: explainNhsMatrix() };
  if (!result && NEEDS_RESULT.test(question)) return { intent: 'query', kind: 'no-analysis', text: NO_ANALYSIS };
  if (isRemark(question) && !ABOUT_THE_LOG.test(question) && !TELLS.test(question))
    return { ...SMALL_TALK, text: talk(question) };
  const words = questionWords(question);
  const aboutLog = ABOUT_THE_LOG.test(question);
  if (!words.some(changesMeaning) && !(result && aboutLog && !asksForKinds(question))) {
    const known = answerFromKnowledge(question);
    // Somebody who tells of a person asks for no kind of hazard: it may have happened.
    if (known && TELLS.test(question)) return { intent: 'incident', kind: 'guide', text: IF_IT_HAPPENED };
    if (known) return { intent: 'knowledge', kind: 'knowledge', text: known };
  }
  if (TELLS.test(question) && WENT_WRONG.test(question))
    return { intent: 'incident', kind: 'guide', text: IF_IT_HAPPENED };
  const isRows = (ofAccount !== null && ASKS_ROWS.test(question)) || (result !== null && FOLLOWS.test(question));
  if (aboutLog || isRows || ABOUT_THE_STATE.test(question)) {
    const unread = unreadWords(result, question, ofAccount);
    return { intent: 'query', kind: 'refusal', isDeclined: true, text: notUnderstood(leftOver(unread)) };
  }
  return UNKNOWN;
}

/** Asks for rows of some kind. */
const ASKS_ROWS =
  /^(?:which|what|who|whose|how (?:many|much)|hw|list|show|find|count|number of|any|are|is|do|does|did|have|has|give|get|can|could|where|the|all|every|top|total)\b|\b(?:how many|which|list|show|that|with|without|not|no|by|per|from|most|largest|biggest|smallest|highest|lowest|above|below|over|under)\b/i;
/** Goes on from an earlier answer, which is not read: "and the mitigated ones?". */
const FOLLOWS =
  /^(?:and|but|what about|how about|how many|which|only|just|ones|those|these|the|now|show|list)\b.*\b(?:ones|those|these|them)\b|^(?:ones|those)\b/i;

/** Asks about the log's state rather than the standard: "did anybody sign the log", "which hazards are acceptable". */
const ABOUT_THE_STATE =
  /^(?:has|have|had|was|were|is|are|when|will|did (?!you use)|does (?:the|our|my|this) (?:hazard )?log)\b|^(?:which|how many|list|show|find|count)\b.*\b(?:hazards?|tickets?|findings?|proposals?|controls?)\b/i;
/**
 * Words for the content of a log or a result. A question with one of these is refused unless it is fully understood.
 */
const ABOUT_THE_LOG =
  /\b(?:hazards?|tickets?|risks?|findings?|logs?|coverage|covered|controls?|owners?|status(?:es)?|matrix|proposals?|proposed|severit(?:y|ies)|likelihoods?|ratings?|rated|scores?|causes?|evidence|residual)\b/i;
/** Whether a text has a word for the content of a log or a result. */
export const speaksOfLog = (text: string): boolean => ABOUT_THE_LOG.test(text);
/** "Hazards of vaccination records" asks for kinds; "which hazards …" asks for those of the log. */
const asksForKinds = (question: string) =>
  ABOUT_KINDS.test(question) &&
  !ABOUT_THE_STATE.test(question) &&
  !/\b(?:controls|causes|findings|tickets|proposals) (?:of|for|on|in|from|under)\b/i.test(question) &&
  !/\b(?:residual|initial|total|average|highest|lowest|all|log)\b/i.test(question);

/** Answers a fully understood question from the latest analysis. */
function answerFromResult(result: AnalysisResult, question: string): Answer | null {
  const lines = [plainLine(question), withoutCourtesy(plainLine(question))];
  for (const { asks, answer, tool, intent = 'query' as const } of RESULT_ANSWERS) {
    const match = lines.reduce<RegExpExecArray | null>((found, line) => found ?? asks.exec(line), null);
    const said = match ? answer(result, match) : null;
    if (said)
      return { intent, kind: 'fact', text: said, ...(tool ? { tool } : {}), ...rowsBehind(result, question, intent) };
  }
  const query = answerRowQuery(result, question);
  if (!query) return null;
  return query.refused ? { intent: 'query', kind: 'refusal', text: query.text } : rowsAnswer(query);
}

/** What a later message can go on from where a summary answers a question about rows. */
function rowsBehind(result: AnalysisResult, question: string, intent: Intent): Pick<Answer, 'isOfRows' | 'goesOn'> {
  if (intent !== 'query') return {};
  const asked = answerRowQuery(result, question)?.asked;
  return { isOfRows: true, ...(asked ? { goesOn: asked } : {}) };
}

/** Words of a question that the description of a hazard or a ticket answers. */
const DESCRIBED = new Set(
  "whats story deal situation latest update full complete whole entirety picture info look talk walk through remind know knows need want see bring up pull happening going happened entry entries record item thing got get we they he she more please everything quick overview in say says background lowdown gist status about on everything anything all named called name description describe explain detail details information more open closed transferred status owner owned severity likelihood risk risks rating ratings rated score scores initial residual controls control causes cause clinical impact harm finding findings wrong covered cover covers coverage by proposal proposed candidates row sheet where stand stands relevant safety summary summarise summarize and also how can could i me id '".split(
    ' ',
  ),
);

/** Answers a question that names a hazard, proposal, ticket or knowledge base entry by its id. */
function answerNamed(result: AnalysisResult | null, question: string): Answer | null {
  const entry = /\b([A-Z]{3}-\d{2})\b/i.exec(question)?.[1]?.toUpperCase();
  const named = result ? answerByName(result, question) : null;
  const known = named ? null : entry ? describeKnowledge(entry) : null;
  if (!named && !known) return null;
  // The description answers "QM-04", "what is QM-04" and "who owns QM-04". With any other word the question may be a
  // different one.
  const ownWords = result ? wordsOfNamed(result, question) : new Set<string>();
  const words = questionWords(question.replace(/\bwho owns\b/i, 'owner of'));
  const rest = leftOver(
    words.filter(
      (word, at) =>
        !/\d/.test(word) && !ownWords.has(word) && !(/^(?:no|#)$/.test(word) && /^\d/.test(words[at + 1] ?? '')),
    ),
    DESCRIBED,
  );
  if (rest.length > 0 || (!MENTIONS.test(question) && words.length > 6))
    return { intent: 'query', kind: 'refusal', isDeclined: true, text: notUnderstood(rest) };
  return { intent: 'about-one', ...(named ? { kind: 'fact', text: named } : { kind: 'knowledge', text: known ?? '' }) };
}

function explainNhsMatrix(): string {
  const rows = NHS_MATRIX.cells.map(
    (cells, at) =>
      `${NHS_MATRIX.likelihoods[at]}: ${cells.map((risk, column) => `${NHS_MATRIX.severities[column]} ${risk}`).join(', ')}`,
  );
  return `The ${NHS_MATRIX.name} is looked up, never multiplied. A log’s own matrix wins over it. By likelihood:\n${listLines(rows)}`;
}

function rankedQuestion(question: string) {
  const terms = ticketTerms(question, '');
  return { terms, ranking: rankKnowledge(terms, 4) };
}

/** The closest kinds of hazard. If the question does not ask for kinds, only one that is a sure match. */
function answerFromKnowledge(question: string): string | null {
  const asksKinds = ABOUT_KINDS.test(question) || WHAT_IF.test(question);
  const { top } = rankedQuestion(question).ranking;
  const found = top.filter(({ score }) => score >= MIN_SCORE);
  const [first] = found;
  if (!first) return null;
  if (!asksKinds && !isSure(rankedQuestion(question))) return null;
  const lines = (asksKinds ? found : found.slice(0, 1)).map(
    ({ entry: { id, title, description } }) => `${id} ${title}: ${description}`,
  );
  return `Of the ${KNOWLEDGE_COUNT} kinds of hazard that I know, ${lines.length === 1 ? 'this is' : 'these are'} closest to your words:\n${listLines(lines)}\nAsk for one by its id to see causes and controls.`;
}

/** Entries with a lower score are unrelated to the question. */
const MIN_SCORE = 2.5;
