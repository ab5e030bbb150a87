import { openingOf } from '../../engine/intents/opening.ts';

/** The kinds of request that the operations agent recognises in a text. */
export type Intent = 'procedure' | 'procedures';

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|opal|@opal|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const NEGATED = /^\W*(?:don['’]?t|do not|never|not yet|later)\b/i;
const MAKES =
  /^(?:re-?)?(?:make|create|write|draft|prepare|build|generate|turn|derive|give me|i need|we need|i want|document|describe)\b/i;
const THINGS =
  /\b(?:sops?|standard operating procedures?|operating procedures?|work(?:ing)? instructions?|checklists?|risk registers?|process risks?)\b/i;
const LISTS = /\b(?:which|what|list|show)\b.*\b(?:procedures?|sops?|checklists?)\b.*\b(?:written|made|done|have)\b/i;

const firstLine = (text: string): string => openingOf(text, POLITE);

/** The intent of a text; null where no rule fits. A description never decides: only the first line does. */
export function readIntent(text: string): Intent | null {
  const line = firstLine(text);
  if (NEGATED.test(line)) return null;
  if (MAKES.test(line) && THINGS.test(line)) return 'procedure';
  return LISTS.test(line) ? 'procedures' : null;
}

/** Whether a message that names nobody asks for this agent's work. */
export const asksFor = (text: string): boolean => readIntent(text) === 'procedure';
