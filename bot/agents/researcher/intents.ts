import { openingOf } from '../../engine/intents/opening.ts';

/** The kinds of request that the researcher recognises in a text. */
export type Intent = 'brief' | 'briefs';

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|rhea|@rhea|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const NEGATED = /^\W*(?:don['’]?t|do not|never|not yet|later)\b/i;
const ASKS: readonly RegExp[] = [
  /\bwhat (?:do|does|did) (?:our|the|my) (?:documents?|docs|files|papers|company['’]s documents)\b.*\b(?:say|tell)\b/i,
  /^(?:write|make|give me|draft|prepare|create|i need|we need)\b.*\bbrief\b/i,
  /^(?:research|look up|look into)\b/i,
  /\b(?:in|from|across) (?:our|the|all) (?:documents|docs|papers)\b.*\babout\b/i,
];
const LISTS = /\b(?:which|what|list|show)\b.*\bbriefs\b/i;

/** The intent of a text; null where no rule fits. */
export function readIntent(text: string): Intent | null {
  const line = openingOf(text, POLITE);
  if (NEGATED.test(line)) return null;
  if (LISTS.test(line)) return 'briefs';
  return ASKS.some((words) => words.test(line)) ? 'brief' : null;
}

/** Whether a message that names nobody asks for this agent's work. */
export const asksFor = (text: string): boolean => readIntent(text) === 'brief';

const INTRODUCTION =
  /^(?:what (?:(?:do|does|did) )?(?:our|the|my) [\p{L}'’ ]{2,30}? (?:says?|tells?(?: us)?)(?: about| on| of)?|(?:about)|(?:write|make|give me|draft|prepare|create|i need|we need) (?:me |us )?(?:an? |the )?(?:short )?brief(?: (?:on|about|over|for|of))?|(?:research|look up|look into))\s*:?\s*/iu;

/** The subject of a request: what follows its introduction. */
export const subjectOf = (text: string): string =>
  text
    .trim()
    .replace(POLITE, '')
    .replace(INTRODUCTION, '')
    .replace(/(?<![\s?.!])[\s?.!]+$/, '')
    .trim();
