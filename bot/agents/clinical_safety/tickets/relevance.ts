import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { TicketRecord } from '../worker/jobs.ts';
import { type KnowledgeRanking, rankKnowledge, type TicketTerms, ticketTerms } from './knowledgeRanking.ts';
import { FEATURES, type FeatureName, relevanceFeatures } from './relevanceFeatures.ts';
import fitted from './relevanceWeights.json' with { type: 'json' };

/** The model fitted on the labelled set (evaluation/train.ts): one weight per feature, and the thresholds. */
export type RelevanceModel = { bias: number; weights: Record<FeatureName, number>; threshold: number; unsure: number };

export const RELEVANCE_MODEL: RelevanceModel = fitted;

export type ScoredTicket = {
  ticket: TicketRecord;
  terms: TicketTerms;
  ranking: KnowledgeRanking;
  score: number;
  relevance: TicketVerdict['relevance'];
};

/** How likely a ticket is to concern patient safety, from 0 to 1. */
export function relevanceScore(features: Record<FeatureName, number>, model: RelevanceModel = RELEVANCE_MODEL): number {
  let sum = model.bias;
  for (const name of FEATURES) sum += model.weights[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}

/** Scores one ticket and judges it relevant, unsure or not relevant. */
export function scoreTicket(ticket: TicketRecord, model: RelevanceModel = RELEVANCE_MODEL): ScoredTicket {
  const terms = ticketTerms(`${typeWord(ticket.type)} ${ticket.summary}`, ticket.description);
  const ranking = rankKnowledge(terms);
  const score = Math.round(relevanceScore(relevanceFeatures(terms, ranking), model) * 1000) / 1000;
  return {
    ticket,
    terms,
    ranking,
    score,
    relevance: score >= model.threshold ? 'relevant' : score >= model.unsure ? 'unsure' : 'not',
  };
}

/** A term for the ticket's type: a bug is a sign of a fault; other types say little. */
function typeWord(type: string | undefined): string {
  return type && /bug|defect|incident/i.test(type) ? 'fix' : '';
}
