/** What a person may ask of the clinical safety agent in words. */
export type Intent = 'analyse' | 'merge' | 'new-hazards' | 'sample' | 'help' | 'question';

type Rule = { intent: Intent; pattern: RegExp; but?: RegExp };

/** Words that ask about a thing rather than for it. */
const QUESTION = /^(how|what|why|which|who|when|where|is|are|was|were|does|do|did|can you explain|explain|tell me)\b/i;

/** First match wins. A question about an analysis is a question, not a request for one. */
const RULES: readonly Rule[] = [
  { intent: 'help', pattern: /^(help|hello|hi|hey|what can you do|how does this work)\b[\s?!.]*$/i },
  { intent: 'merge', pattern: /\bmerge\b/i, but: QUESTION },
  {
    intent: 'new-hazards',
    pattern: /\b(download|export|get|give|send)\b.*\b(new|proposed)\b.*\bhazards?\b/i,
    but: QUESTION,
  },
  { intent: 'sample', pattern: /\b(try|use|show|load)\b.*\bsample\b/i },
  {
    intent: 'analyse',
    pattern:
      /\b(re-?)?(analy[sz]e?|analysis|check|review|run|start|scan)\b.*\b(hazards?|logs?|tickets?|files?|export|analysis|again|it|them)\b/i,
    but: QUESTION,
  },
  { intent: 'analyse', pattern: /^(please )?(re-?)?(analy[sz]e|run|start|go)( again| now| please)?[\s!.]*$/i },
];

/** The first rule that fits; what fits none is a question. */
export function readIntent(text: string): Intent {
  const words = text.trim();
  return RULES.find(({ pattern, but }) => pattern.test(words) && !but?.test(words))?.intent ?? 'question';
}
