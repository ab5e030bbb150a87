import { openingOf } from '../../engine/intents/opening.ts';

/** The kinds of request that the outreach agent recognises in a text. */
export type Intent = 'outreach' | 'lists' | 'opt-out';

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|otis|@otis|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const NEGATED = /^\W*(?:don['’]?t|do not|never|not yet|later)\b/i;
const MAKES = /^(?:re-?)?(?:make|create|write|draft|prepare|build|generate|give me|i need|we need|i want|plan)\b/i;
const THINGS =
  /\b(?:outreach|prospects?|prospect list|cold e-?mails?|sales e-?mails?|first (?:mails?|messages?)|follow-?ups?|e-?mail sequences?|mail sequences?|sales leads?|leads)\b/i;
const LISTS =
  /\b(?:which|what|list|show)\b.*\b(?:lists?|drafts?|outreach|opt-?outs?)\b.*\b(?:written|made|done|have|kept|keep)\b/i;
const OPTS_OUT =
  /^(?:opt out|opt-out|unsubscribe|never (?:write|mail) to|do not (?:write|mail) to|suppress|stop (?:writing|mailing) to)\b/i;

const firstLine = (text: string): string => openingOf(text, POLITE);

/** The intent of a text; null where no rule fits. A list never decides: only the first line does. */
export function readIntent(text: string): Intent | null {
  const line = firstLine(text);
  if (OPTS_OUT.test(line)) return 'opt-out';
  if (NEGATED.test(line)) return null;
  if (MAKES.test(line) && THINGS.test(line)) return 'outreach';
  return LISTS.test(line) ? 'lists' : null;
}

/** Whether a message that names nobody asks for this agent's work. An opt-out is nobody else's. */
export const asksFor = (text: string): boolean => {
  const intent = readIntent(text);
  return intent === 'outreach' || (intent === 'opt-out' && text.includes('@'));
};
