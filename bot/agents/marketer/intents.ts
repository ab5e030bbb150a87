import { openingOf } from '../../engine/intents/opening.ts';

/** The kinds of request that the marketer recognises in a text. */
export type Intent = 'campaign' | 'campaigns';

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|mina|@mina|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const NEGATED = /^\W*(?:don['’]?t|do not|never|not yet|later)\b/i;
const MAKES =
  /^(?:re-?)?(?:make|create|write|draft|prepare|build|generate|turn|give me|i need|we need|i want|check|plan)\b/i;
const THINGS =
  /\b(?:(?:marketing|product|ad|web|sales) copy|(?<!\ba )copy (?:from|for|about)|positioning|ad copy|adverts?|campaigns?|slogans?|taglines?|headlines?|press releases?|linkedin posts?|blog posts?|social media posts?|tweets?|newsletters?|marketing claims?|a\/b (?:plan|test))\b/i;
const LISTS = /\b(?:which|what|list|show)\b.*\b(?:copy|campaigns?|positioning)\b.*\b(?:written|made|done|have)\b/i;

const firstLine = (text: string): string => openingOf(text, POLITE);

/** The intent of a text; null where no rule fits. A document never decides: only the first line does. */
export function readIntent(text: string): Intent | null {
  const line = firstLine(text);
  if (NEGATED.test(line)) return null;
  if (MAKES.test(line) && THINGS.test(line)) return 'campaign';
  return LISTS.test(line) ? 'campaigns' : null;
}

/** Whether a message that names nobody asks for this agent's work. */
export const asksFor = (text: string): boolean => readIntent(text) === 'campaign';
