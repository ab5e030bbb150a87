import { readFacts } from './facts/readFacts.ts';

/** The kinds of request that the technical file agent recognises in a text. */
export type Intent = 'file' | 'facts' | 'class' | 'requirements' | 'gaps' | 'dates' | 'products';

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|marta|@marta|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const NEGATED = /\b(?:don['’]?t|do not|never|not yet|later)\b/i;
const MAKES =
  /^(?:re-?)?(?:make|create|write|draft|prepare|build|generate|update|refresh|do|start|give me|i need|we need|i want|check|review|run|repeat)\b/i;
const FILE_THINGS =
  /\b(?:technical (?:file|documentation)|tech(?:nical)? file|annex (?:II|III|2|3)\b|gspr check-?list|check-?list of annex I|mdr file)/i;

type Rule = { intent: Intent; words: RegExp };

/** The first match wins. */
const ASKS: readonly Rule[] = [
  {
    intent: 'dates',
    words:
      /\bPSURs?\b|\bPMSRs?\b|\bPMS (?:report|dates?)|periodic safety|surveillance (?:report|dates?)|when (?:is|are) .*\breports? due/i,
  },
  {
    intent: 'gaps',
    words:
      /\bwhat(?:['’]s| is| are)? (?:still )?missing\b|\bgaps?\b|\bwhich (?:documents|evidence)\b.*\b(?:missing|need|lack)|\bwhat (?:do|am|are) (?:we|i|you) (?:miss|lack)/i,
  },
  {
    intent: 'requirements',
    words: /\bGSPRs?\b|general safety and performance|\bannex I\b(?!I)|\brequirements? (?:on|about|for|of)\b/i,
  },
  {
    intent: 'class',
    words:
      /\b(?:which|what) (?:risk |mdr |eu |uk )?class\b|\bclass(?:ify|ification)\b|\brule 11\b|\bis (?:it|this|our \w+|the \w+|\w+) a (?:medical )?device\b|\bqualif/i,
  },
  {
    intent: 'products',
    words:
      /\b(?:which|what|list|show)\b.{0,80}\bproducts?\b.{0,80}\b(?:know|have|kept)\b|\bwhat do you know\b|\bshow (?:me )?the facts\b/i,
  },
];

/** The intent of a text; null where no rule fits. */
export function readIntent(text: string): Intent | null {
  const words = text.trim().replace(POLITE, '');
  if (!NEGATED.test(words) && MAKES.test(words) && FILE_THINGS.test(words)) return 'file';
  const { facts } = readFacts(words);
  if (!words.includes('?') && Object.keys(facts).length > 0) return 'facts';
  return ASKS.find((rule) => rule.words.test(words))?.intent ?? null;
}

/** Whether a message that names nobody asks for this agent's work. */
export function asksFor(text: string): boolean {
  const words = text.trim().replace(POLITE, '');
  if (!NEGATED.test(words) && MAKES.test(words) && FILE_THINGS.test(words)) return true;
  return (
    /\b(?:GSPRs?|PSURs?|rule 11|technical file)\b/i.test(words) &&
    readIntent(words) !== 'facts' &&
    readIntent(words) !== null
  );
}
