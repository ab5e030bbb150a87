import type { AnalysisResult } from '../../../models/contracts/hazards.ts';
import { describeKnowledge, KNOWLEDGE_COUNT, listed } from './answers/hazardAnswers.ts';
import { answerByName, RESULT_ANSWERS } from './answers/resultAnswers.ts';
import { STANDARD_FACTS } from './answers/standardFacts.ts';
import { NHS_MATRIX } from './reading/riskMatrix.ts';
import { suggestHazards } from './suggest.ts';

const UNKNOWN =
  'I do not know. I can tell you about the hazards of your log, its findings, its coverage by tickets, the matrix, the proposed hazards, and the kinds of hazard that I know.';
const NO_ANALYSIS =
  'There is no analysis yet. Drop a hazard log into the chat and ask me to analyse it; then I can answer that.';

/** Asks what might happen, not what the log says. */
const WHAT_IF =
  /\b(?:could|can|might|may|would) (?:go|happen|be) wrong\b|\bwhat (?:kinds?|sorts?) of hazards?\b|\bhazards? (?:should|might) (?:i|we) (?:think|look|consider)/i;

/** Questions that only a result can answer. */
const NEEDS_RESULT =
  /\b(?:coverage|covered|findings?|proposed|proposals?|our log|my log|the log|this log|owners?|which hazards|how many hazards)\b/i;
const ABOUT_KINDS =
  /\b(?:hazards?|risks?|harm|go(?:es)? wrong|dangers?|think of|consider|know about|causes?|controls?)\b/i;

/**
 * A plain answer to a question over the latest result, or over the knowledge base and the standard where there is none.
 * Deterministic; says so where it does not know, and never calls anything safe or compliant.
 */
export function answerQuestion(result: AnalysisResult | null, text: string): string {
  const question = text.trim().slice(0, 2000);
  if (!question) return UNKNOWN;
  const entry = /\b([A-Z]{3}-\d{2})\b/i.exec(question)?.[1]?.toUpperCase();
  const named = result ? answerByName(result, question) : null;
  if (named) return named;
  const known = entry ? describeKnowledge(entry) : null;
  if (known) return known;
  if (WHAT_IF.test(question)) {
    const kinds = answerFromKnowledge(question);
    if (kinds) return kinds;
  }
  const fact = STANDARD_FACTS.find(({ asks }) => asks.test(question));
  if (fact) return fact.says;
  if (result)
    for (const { asks, answer } of RESULT_ANSWERS) {
      const match = asks.exec(question);
      const said = match ? answer(result, question, match) : null;
      if (said) return said;
    }
  else if (/\bmatrix\b/i.test(question)) return explainNhsMatrix();
  else if (NEEDS_RESULT.test(question)) return NO_ANALYSIS;
  return answerFromKnowledge(question) ?? UNKNOWN;
}

function explainNhsMatrix(): string {
  const rows = NHS_MATRIX.cells.map(
    (cells, at) =>
      `${NHS_MATRIX.likelihoods[at]}: ${cells.map((risk, column) => `${NHS_MATRIX.severities[column]} ${risk}`).join(', ')}`,
  );
  return `The ${NHS_MATRIX.name} is looked up, never multiplied. A log’s own matrix wins over it. By likelihood:\n${listed(rows)}`;
}

function answerFromKnowledge(question: string): string | null {
  const { found } = suggestHazards(question, 4);
  const [first] = found;
  if (!first || !(ABOUT_KINDS.test(question) || found.length > 0)) return null;
  if (!ABOUT_KINDS.test(question) && question.split(/\s+/).length > 25) return null;
  const lines = found.map(({ id, title, description }) => `${id} ${title}: ${description}`);
  return `Of the ${KNOWLEDGE_COUNT} kinds of hazard that I know, these are nearest to your words:\n${listed(lines)}\nAsk for one by its id to see causes and controls.`;
}
