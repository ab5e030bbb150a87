/** What a person may ask of the clinical safety agent in words. */
export type Intent = 'analyse' | 'merge' | 'new-hazards' | 'sample' | 'help' | 'question';

type Rule = { intent: Intent; fits(text: string): boolean };

/** How people begin a request. */
const POLITE =
  /^(?:(?:please|now|ok|okay|right|so|then|hi|hello|hey|clara|@clara|can you|could you|would you|will you|let us|let’s|lets)[,\s]+)*/i;
/** A request fits where what follows the politeness does. */
const request = (pattern: RegExp) => (text: string) => pattern.test(text.replace(POLITE, ''));

/** Words that ask about a thing, put it off, or speak of one hazard: none of them starts any work. */
const NO_REQUEST: readonly RegExp[] = [
  /^(how|what|why|which|who|when|where|is|are|was|were|does|do you|did|explain|tell me)\b/i,
  /\b(not|don['’]?t|never|later|yet|tomorrow|without|instead of|except|but not)\b/i,
  /\b[A-Z]{1,8}-?\d+\b/,
];

/** First match wins; a request begins with its verb, after whatever politeness. */
const RULES: readonly Rule[] = [
  { intent: 'merge', fits: request(/^merge\b/i) },
  {
    intent: 'new-hazards',
    fits: request(/^(?:download|export|get|give|send|show)\b.*\b(?:new|proposed)\b.*\bhazards\b/i),
  },
  { intent: 'sample', fits: request(/^(?:try|use|show|load|take)\b.*\bsample\b/i) },
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

/** The first rule that fits; what fits none is a question. */
export function readIntent(text: string): Intent {
  const words = text.trim();
  if (isHelp(words)) return 'help';
  if (NO_REQUEST.some((pattern) => pattern.test(words))) return 'question';
  return RULES.find(({ fits }) => fits(words))?.intent ?? 'question';
}

/** Where one part of a sentence ends and the next may ask for something: "Here is our log, please analyse it". */
const PARTS = /[.,;:!\n–—]+\s*|\s+(?:and|so|then)\s+/i;
/** How people ask for something that is none of the requests above. */
const ASKS =
  /\?|^(?:how|what|why|which|who|when|where|is|are|does|do|did|can|could|would|will|explain|tell|list|find|compare|count|look|summari[sz]e)\b/i;
/** More words than this say something of their own, whatever they begin with. */
const MOST_COVERING_WORDS = 25;

/**
 * What the words that came with files ask for; null where they only cover them, e.g. "log attached". A request after
 * the covering words counts: "Here is our log, please analyse it".
 */
export function askedBeside(text: string): string | null {
  const words = text.trim();
  if (readIntent(words) !== 'question') return words;
  // Long runs of spaces would make the search for parts slow.
  const parts = words
    .replace(/[^\S\n]+/g, ' ')
    .split(PARTS)
    .map((part) => part.trim());
  const request = parts.find((part) => readIntent(part) !== 'question' && readIntent(part) !== 'help');
  if (request) return request;
  const asks = parts.some((part) => ASKS.test(part));
  return asks || words.split(/\s+/).length > MOST_COVERING_WORDS ? words : null;
}
