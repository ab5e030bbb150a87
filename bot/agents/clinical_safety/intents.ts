/** The kinds of request that the clinical safety agent recognises in a text. */
export type Intent =
  | 'analyse'
  | 'merge'
  | 'new-hazards'
  | 'case-report'
  | 'check-report'
  | 'compliance'
  | 'incident'
  | 'assess'
  | 'sample'
  | 'read-tickets'
  | 'help'
  | 'question';

type Rule = { intent: Intent; fits(text: string): boolean };

/** Polite words at the start of a request. */
const POLITE =
  /^(?:(?:please|now|ok|okay|right|so|then|hi|hello|hey|clara|@clara|can you|could you|would you|will you|let us|let’s|lets)[,\s]+)*/i;
/** Matches a pattern against the text after the polite words. */
const request = (pattern: RegExp) => (text: string) => pattern.test(text.replace(POLITE, ''));

/** Patterns of texts that start no work: questions, postponements, and texts about one hazard. */
const NO_REQUEST: readonly RegExp[] = [
  /^(how|what|why|which|who|when|where|is|are|was|were|does|do you|did|explain|tell me)\b/i,
  /\b(not|don['’]?t|never|later|yet|tomorrow|without|instead of|except|but not)\b/i,
  /\b[A-Z]{1,8}-?\d+\b/,
];

const STANDARDS = /\bDCB[ -]?0?1(?:29|60)\b/gi;

/** The first match wins. A request starts with its verb, after any polite words. */
const RULES: readonly Rule[] = [
  { intent: 'merge', fits: request(/^merge\b/i) },
  {
    intent: 'new-hazards',
    fits: request(/^(?:download|export|get|give|send|show)\b.*\b(?:new|proposed)\b.*\bhazards\b/i),
  },
  {
    intent: 'case-report',
    fits: request(
      /^(?:write|generate|create|make|draft|prepare|produce|give me|start|i need|we need|run|build|do|redo|update|get me|put together)\b.*\b(?:safety case(?: report)?s?|CSCR)\b/i,
    ),
  },
  {
    intent: 'check-report',
    fits: request(
      /^(?:check|parse|read|review|analy[sz]e|compare|assess|look (?:at|through))\b.*\b(?:safety case(?: report)?|CSCR)\b/i,
    ),
  },
  {
    intent: 'compliance',
    fits: request(
      /^(?:write|generate|create|make|draft|prepare|produce|give me|start|show|i need|we need|fill in|assess|check|run|do|build|complete|update|redo)\b.*\b(?:compliance (?:sheet|assessment|matrix|checklist|template|table|statement)|clause by clause|compliance (?:with|to|against) DCB ?0?129|DCB ?0?129 compliance)\b/i,
    ),
  },
  { intent: 'sample', fits: request(/^(?:try|use|show|load|take)\b.*\bsample\b/i) },
  {
    intent: 'read-tickets',
    fits: request(/^(?:re-?)?(?:read|fetch|import|sync|refresh|pull|load)\b.*\btickets\b.*\b(?:from|again)\b/i),
  },
  {
    intent: 'analyse',
    fits: request(
      /^(?:re-?)?(?:run|start|repeat|do|check|review|scan)\b.*\b(?:logs?|tickets|analysis|files?|export|my hazards|the hazards)\b/i,
    ),
  },
  { intent: 'analyse', fits: request(/^(?:re-?)?analy[sz]e\b/i) },
  { intent: 'analyse', fits: request(/^(?:start|go|run)(?: again| now| please)?[\s!.?]*$/i) },
  { intent: 'help', fits: request(/^@?(help|hello|hi|hey|clara|how does this work)\b[\s?!.]*$/i) },
];
const isHelp = request(/^(what can you do|how does this work)\b[\s?!.]*$/i);

/** A request for hazards to consider; what it describes may hold any words, so it is looked for first. */
const isAssessment = request(
  /^(?:assess|evaluate)\b[^:\n]{0,80}(?::|\b(?:product|concern|app|feature|workflow|tool|software|device|service|change)\b)|^(?:do|make|run|start|give me)\b.{0,30}\b(?:SWIFT|(?:hazard|safety|risk) assessment)\b|^SWIFT\b/i,
);

/** A request that describes something without naming its kind: "assess a dose reminder for ward nurses". */
const assessesSomething = request(
  /^(?:assess|evaluate)\s+(?:an?|our|my|this|the(?: new)?)\s.*\s(?:for|that|which|where|to)\s/is,
);
/** What is in the result or the files is answered from there. */
const OF_RESULT =
  /\b(?:hazards?|risks?|ratings?|severit(?:y|ies)|likelihoods?|tickets?|logs?|findings?|controls?|causes?|proposals?|coverage|reports?|cases?|compliance|evidence|standards?|clauses?|DCB ?\d+)\b/i;

/** A request for an incident record; what happened follows a colon and may hold any words, so it is looked for first. */
const isIncident = request(
  /^(?:prepare|start|draft|write|make|open|create|begin)\b[^:\n]{0,30}\bincident(?:[’']s)?\b[^:\n]{0,30}:\s*\S|^incident record:\s*\S/i,
);

/** The intent of a text: that of the first rule that fits, or a question. */
export function readIntent(text: string): Intent {
  const words = text.trim();
  if (isHelp(words)) return 'help';
  if (isIncident(words)) return 'incident';
  if (isAssessment(words) || (assessesSomething(words) && !OF_RESULT.test(words))) return 'assess';
  // The standard's number looks like a hazard's.
  const unnumbered = words.replace(STANDARDS, 'standard');
  if (NO_REQUEST.some((pattern) => pattern.test(unnumbered))) return 'question';
  return RULES.find(({ fits }) => fits(words))?.intent ?? 'question';
}

/** Separators between the parts of a sentence: "Here is our log, please analyse it". */
const PARTS = /[.,;:!\n–—]+\s*|\s+(?:and|so|then)\s+/i;
/** Starts of questions and of requests that have no rule. */
const ASKS =
  /\?|^(?:how|what|why|which|who|when|where|is|are|does|do|did|can|could|would|will|explain|tell|list|find|compare|count|look|summari[sz]e)\b/i;
/** A longer text is more than a covering note. */
const MAX_COVERING_WORDS = 25;

/**
 * The request in a text that came with files; null for a mere covering note such as "log attached". A request after a
 * covering note counts: "Here is our log, please analyse it".
 */
export function askedBeside(text: string): string | null {
  const words = text.trim();
  if (readIntent(words) !== 'question') return words;
  // Long runs of spaces would slow the pattern down.
  const parts = words
    .replace(/[^\S\n]+/g, ' ')
    .split(PARTS)
    .map((part) => part.trim());
  const request = parts.find((part) => readIntent(part) !== 'question' && readIntent(part) !== 'help');
  if (request) return request;
  const asks = parts.some((part) => ASKS.test(part));
  return asks || words.split(/\s+/).length > MAX_COVERING_WORDS ? words : null;
}
