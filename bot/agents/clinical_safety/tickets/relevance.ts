import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { KNOWLEDGE } from '../knowledge/knowledge.ts';
import type { TicketRecord } from '../worker/jobs.ts';
import { rankByMeaning } from './knowledgeMeaning.ts';
import { type KnowledgeRanking, rankKnowledge, type TicketTerms, ticketTerms } from './knowledgeRanking.ts';
import { type LinearModel, linearScore } from './linearModel.ts';
import { type Meaning, meaningOf } from './meaning.ts';
import { judgeOfficeWork } from './officeWork.ts';
import { type FeatureName, relevanceFeatures } from './relevanceFeatures.ts';
import fitted from './relevanceWeights.json' with { type: 'json' };
import { spellOut } from './spelledOut.ts';
import { termsOf } from './words.ts';

/**
 * The model fitted on the labelled sets (evaluation/train.ts): a weight for each feature and for each axis of the
 * ticket's meaning, and the thresholds.
 */
export type RelevanceModel = LinearModel<FeatureName> & { threshold: number; unsure: number };

export const RELEVANCE_MODEL: RelevanceModel = fitted;

export type ScoredTicket = {
  ticket: TicketRecord;
  terms: TicketTerms;
  meaning: Meaning;
  /** Stems of what its abbreviations stand for, each once; empty where the ticket is not relevant. */
  spelled: string[];
  /** By words alone for a ticket that is not relevant, else by words and meaning. */
  ranking: KnowledgeRanking;
  score: number;
  relevance: TicketVerdict['relevance'];
};

/** A ticket keeps at most this many entries of the knowledge base. */
const NEAREST = 5;

/** The scores of this model have so many decimal places. */
const DECIMALS = 1000;

/**
 * Scores one ticket and judges it relevant, unsure or not relevant. The score of a ticket of an office stays below the
 * threshold.
 */
export function scoreTicket(ticket: TicketRecord, model: RelevanceModel = RELEVANCE_MODEL): ScoredTicket {
  const terms = ticketTerms(`${typeWord(ticket.type)} ${ticket.summary}`, ticket.description);
  const meaning = meaningOf(`${ticket.summary}. ${ticket.description}`);
  const byWords = rankKnowledge(terms, KNOWLEDGE.length);
  const features = relevanceFeatures(terms, byWords, ticket);
  const most = judgeOfficeWork(terms, features, meaning);
  const below = most === 'unsure' ? model.threshold - 1 / DECIMALS : 1;
  const score = Math.round(Math.min(linearScore(features, meaning, model), below) * DECIMALS) / DECIMALS;
  const relevance = score >= model.threshold ? 'relevant' : score >= model.unsure ? 'unsure' : 'not';
  if (relevance === 'not') {
    const ranking = { ...byWords, top: byWords.top.slice(0, NEAREST) };
    return { ticket, terms, meaning, spelled: [], ranking, score, relevance };
  }
  const spelled = [...new Set(termsOf(spellOut(`${ticket.summary}. ${ticket.description}`)))];
  const order = spelled.length > 0 ? rankKnowledge(withSpelled(terms, spelled), KNOWLEDGE.length).top : byWords.top;
  const top = rankByMeaning(byWords.top, meaning, NEAREST, order);
  return { ticket, terms, meaning, spelled, ranking: { ...byWords, top }, score, relevance };
}

/** A ticket's terms with what its abbreviations stand for, which weigh as words of the description do. */
const withSpelled = ({ summary, description }: TicketTerms, spelled: readonly string[]): TicketTerms => ({
  summary,
  description: [...spelled, ...description],
});

/** A term for the ticket's type: a bug is a sign of a fault; other types say little. */
function typeWord(type: string | undefined): string {
  return type && /bug|defect|incident/i.test(type) ? 'fix' : '';
}
