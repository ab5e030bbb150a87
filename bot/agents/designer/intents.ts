const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|dara|@dara|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const DRAWING_VERBS = /^(?:re)?(?:design|draw|sketch|mock ?up|prototype|wireframe)\b/i;
const MAKING_VERBS =
  /^(?:create|make|build|propose|do|prepare|give me|show me|i need|we need|i want|i would like|i['’]d like)\b/i;
/** Things that the designer makes. */
const SCREEN =
  /\b(?:screens?|pages?|forms?|dashboards?|prototypes?|mock-?ups?|wireframes?|user interfaces?|UI|UX|layouts?|sign-?in|log-?in|worklists?|views?|designs?)\b/i;
/** Questions and denials, which are not requests. */
const NO_REQUEST =
  /^(?:how|what|why|which|who|when|where|is|are|was|were|does|did|explain|tell me)\b|\b(?:don['’]?t|do not|never)\b/i;

/** Whether a text asks for a screen: it starts with a verb of drawing, or with a verb of making and names a screen. */
export function asksFor(text: string): boolean {
  const words = text.trim().replace(POLITE, '');
  if (NO_REQUEST.test(words)) return false;
  if (DRAWING_VERBS.test(words)) return !/^design (?:controls?|history|review|system|document)/i.test(words);
  return MAKING_VERBS.test(words) && SCREEN.test(words.split(/\b(?:for|to|that|where|with)\b/i)[0] ?? '');
}

/** Whether a text to the designer describes a screen, even without a verb: "a referral form with urgency". */
export const describesScreen = (text: string): boolean =>
  asksFor(text) || (SCREEN.test(text) && !text.includes('?') && !NO_REQUEST.test(text.trim().replace(POLITE, '')));

/** What a text wants of the connected design tool. */
export type DesignFileIntent = 'link' | 'read';

const EXPORTS = /^(?:export|link|send|put|leave|copy|move|share|comment)\b.*\bfigma\b/i;
const READS = /^(?:show|read|list|describe|what(?:['’]s| is| are)?)\b.*\bfigma\b/i;

/** Whether a text to the designer is about the connected design tool, and what it wants there. */
export function readDesignFileIntent(text: string): DesignFileIntent | null {
  const words = text.trim().replace(POLITE, '');
  if (/\b(?:don['’]?t|do not|never)\b/i.test(words)) return null;
  return EXPORTS.test(words) ? 'link' : READS.test(words) ? 'read' : null;
}
