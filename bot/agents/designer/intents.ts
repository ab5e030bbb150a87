const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|dara|@dara|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const MAKES = /^(?:re)?(?:design|draw|sketch|mock ?up|prototype|wireframe)\b/i;
const BUILDS =
  /^(?:create|make|build|propose|do|prepare|give me|show me|i need|we need|i want|i would like|i['’]d like)\b/i;
/** Something that is seen and used, which the designer makes. */
const SCREEN =
  /\b(?:screens?|pages?|forms?|dashboards?|prototypes?|mock-?ups?|wireframes?|user interfaces?|UI|UX|layouts?|sign-?in|log-?in|worklists?|views?|designs?)\b/i;
/** Questions and denials ask for no work. */
const NO_REQUEST =
  /^(?:how|what|why|which|who|when|where|is|are|was|were|does|did|explain|tell me)\b|\b(?:don['’]?t|do not|never)\b/i;

/** Whether words ask for a screen: they begin with the verb of drawing, or with any verb of making and name a screen. */
export function asksFor(text: string): boolean {
  const words = text.trim().replace(POLITE, '');
  if (NO_REQUEST.test(words)) return false;
  if (MAKES.test(words)) return !/^design (?:controls?|history|review|system|document)/i.test(words);
  return BUILDS.test(words) && SCREEN.test(words.split(/\b(?:for|to|that|where|with)\b/i)[0] ?? '');
}

/** Whether words to the designer describe a screen, also without asking for one: "a referral form with urgency". */
export const describesScreen = (text: string): boolean =>
  asksFor(text) || (SCREEN.test(text) && !text.includes('?') && !NO_REQUEST.test(text.trim().replace(POLITE, '')));
