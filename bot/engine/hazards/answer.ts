import type { AnalysisResult } from '../../../models/contracts/hazards.ts';
import { describeKnowledge, KNOWLEDGE_COUNT, listed } from './answers/hazardAnswers.ts';
import { answerHazardQuery } from './answers/hazardQuery.ts';
import { answerOtherLanguage, PLAIN_ANSWERS, REFUSED_CHANGES } from './answers/plainAnswers.ts';
import { notUnderstood, questionWords, turnsMeaning } from './answers/questionWords.ts';
import { answerByName, RESULT_ANSWERS } from './answers/resultAnswers.ts';
import { STANDARD_FACTS, VERDICT } from './answers/standardFacts.ts';
import { NHS_MATRIX } from './reading/riskMatrix.ts';
import { rankKnowledge, ticketTerms } from './tickets/knowledgeRanking.ts';
import { isSure } from './tickets/sureness.ts';

const NEXT =
  '\n• Ask for a hazard, a proposal or a ticket by its id.\n• Ask for “findings”, “coverage”, “the matrix” or “proposed hazards”.\n• Say “help” to see what I do.';
const UNKNOWN = `I don’t know. What you can do next:${NEXT}`;
const NO_ANALYSIS =
  'There is no analysis yet. Drop a hazard log into the chat and ask me to analyse it; then I can answer that.';

/** An answer, and what kind it is: only looking something up costs credits. */
export type Answer = {
  text: string;
  kind: 'talk' | 'help' | 'refusal' | 'guide' | 'unknown' | 'no-analysis' | 'fact' | 'knowledge' | 'standard';
};
const FREE: readonly Answer['kind'][] = ['talk', 'help', 'refusal', 'guide', 'unknown', 'no-analysis'];
export const isFree = ({ kind }: Answer) => FREE.includes(kind);

/** Asks what might happen, not what the log says. */
const WHAT_IF =
  /\b(?:could|can|might|may|would) (?:go|happen|be) wrong\b|\bwhat (?:kinds?|sorts?) of hazards?\b|\bhazards? (?:should|might) (?:i|we) (?:think|look|consider)/i;

/** Questions that only a result can answer. */
const NEEDS_RESULT =
  /\b(?:coverage|covered|findings?|proposed|proposals?|our log|my log|the log|this log|owners?|which hazards|how many hazards|tickets?)\b/i;
/** Asks for kinds of hazard, whatever a log says. */
const ABOUT_KINDS =
  /\b(?:hazards? (?:of|for|with|in|around)|kinds? of hazards?|risks? (?:of|with)|go(?:es)? wrong|dangers?|think of|know about)\b/i;
const MENTIONS =
  /^(?:(?:what|who|which) (?:is|are|about)|tell me (?:more )?about|show(?: me)?|describe|explain|how (?:is|does)|is|are|does|and|list|open|details? (?:of|on|for)|more on|give me)\b/i;

/**
 * A plain answer to a question over the latest result, or over the knowledge base and the standard where there is none.
 * Deterministic. What was understood in part is refused, never answered with its neighbour; nothing is ever called safe
 * or compliant.
 */
export function answerQuestion(result: AnalysisResult | null, text: string): Answer {
  const question = text.trim().slice(0, 2000);
  if (!question) return { kind: 'unknown', text: UNKNOWN };
  const foreign = answerOtherLanguage(question);
  if (foreign) return { kind: 'refusal', text: foreign };
  const plain = [...PLAIN_ANSWERS, ...REFUSED_CHANGES].find(({ asks }) => asks.test(question));
  if (plain) return { kind: plain.kind, text: plain.says };
  const verdict = VERDICT.asks.test(question);
  if (verdict) return { kind: 'refusal', text: VERDICT.says };
  const named = answerNamed(result, question);
  if (named) return named;
  if (WHAT_IF.test(question)) {
    const kinds = answerFromKnowledge(question);
    if (kinds) return { kind: 'knowledge', text: kinds };
  }
  const words = questionWords(question);
  const turning = words.filter(turnsMeaning);
  const query = result ? answerHazardQuery(result, question) : null;
  if (query && !query.refused) return { kind: 'fact', text: query.text };
  const fact = STANDARD_FACTS.find(({ asks }) => asks.test(question));
  if (fact && !query) return { kind: 'standard', text: fact.says };
  if (query) return { kind: 'refusal', text: query.text };
  if (result) {
    for (const { asks, understands, answer } of RESULT_ANSWERS) {
      const match = asks.exec(question);
      if (!match) continue;
      const known = new Set(understands.split(' '));
      const left = turning.filter((word) => !known.has(word));
      if (left.length > 0) return { kind: 'refusal', text: notUnderstood(left) };
      const said = answer(result, question, match);
      if (said) return { kind: 'fact', text: said };
    }
  } else if (/\bmatrix\b/i.test(question)) return { kind: 'standard', text: explainNhsMatrix() };
  else if (NEEDS_RESULT.test(question)) return { kind: 'no-analysis', text: NO_ANALYSIS };
  const known = answerFromKnowledge(question);
  if (known && turning.length === 0) return { kind: 'knowledge', text: known };
  if (turning.length > 0 && /\b(?:hazards?|tickets?|risks?|findings?|log)\b/i.test(question))
    return { kind: 'refusal', text: notUnderstood(turning) };
  return { kind: 'unknown', text: UNKNOWN };
}

/** What is asked for by its id: a hazard, a proposal, a ticket, or an entry of the knowledge base. */
function answerNamed(result: AnalysisResult | null, question: string): Answer | null {
  const entry = /\b([A-Z]{3}-\d{2})\b/i.exec(question)?.[1]?.toUpperCase();
  const named = result ? answerByName(result, question) : null;
  const known = named ? null : entry ? describeKnowledge(entry) : null;
  if (!named && !known) return null;
  // "QM-04", "what is QM-04", "is QM-04 closed": the description answers it. Anything longer may turn on its other words.
  const rest = questionWords(question)
    .filter(turnsMeaning)
    .filter((word) => !/\d/.test(word));
  if (rest.length > 0 || (!MENTIONS.test(question) && questionWords(question).length > 6))
    return { kind: 'refusal', text: notUnderstood(rest) };
  return named ? { kind: 'fact', text: named } : { kind: 'knowledge', text: known ?? '' };
}

function explainNhsMatrix(): string {
  const rows = NHS_MATRIX.cells.map(
    (cells, at) =>
      `${NHS_MATRIX.likelihoods[at]}: ${cells.map((risk, column) => `${NHS_MATRIX.severities[column]} ${risk}`).join(', ')}`,
  );
  return `The ${NHS_MATRIX.name} is looked up, never multiplied. A log’s own matrix wins over it. By likelihood:\n${listed(rows)}`;
}

function rankedQuestion(question: string) {
  const terms = ticketTerms(question, '');
  return { terms, ranking: rankKnowledge(terms, 4) };
}

/** Kinds of hazard, where they are asked for; else only one that the words name in full, or that stands clear of the next. */
function answerFromKnowledge(question: string): string | null {
  const asked = ABOUT_KINDS.test(question) || WHAT_IF.test(question);
  const { top } = rankedQuestion(question).ranking;
  const found = top.filter(({ score }) => score >= LEAST_SCORE);
  const [first] = found;
  if (!first) return null;
  // Where nobody asked for kinds of hazard, only one that may stand alone is named.
  if (!asked && !isSure(rankedQuestion(question))) return null;
  const lines = (asked ? found : found.slice(0, 1)).map(
    ({ entry: { id, title, description } }) => `${id} ${title}: ${description}`,
  );
  return `Of the ${KNOWLEDGE_COUNT} kinds of hazard that I know, ${lines.length === 1 ? 'this is' : 'these are'} nearest to your words:\n${listed(lines)}\nAsk for one by its id to see causes and controls.`;
}

/** Below this an entry has next to nothing to do with the words. */
const LEAST_SCORE = 2.5;
