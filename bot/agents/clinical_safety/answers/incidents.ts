/** For a message that may tell of an incident. */
export const IF_IT_HAPPENED =
  'If this has happened, act on it outside of Arc now: make sure that the patient is being looked after, tell your appointed Clinical Safety Officer, and start your organisation’s incident process.\nI can’t judge an incident. To look up kinds of hazard, ask for example “what could go wrong with allergies?”.';

export const INCIDENT_GUIDE =
  'Act on this outside of Arc now:\n• Make sure that the patient is being looked after.\n• Tell your appointed Clinical Safety Officer at once.\n• Start your organisation’s incident process.\nI can’t judge an incident, and I have done nothing with your message. To have what you know put in order, with hazards to look at and letters to finish, say “Prepare the incident record: …” with what happened. Nothing is sent.';

const PATTERNS: readonly RegExp[] = [
  /^(?!(?:how many|which hazards|list|show|find)\b).*(?:\b(?:patients?|someone|somebody|a person|child|baby)\b.{0,60}\b(?:harmed|hurt|injured|died|dead|death|killed|collapsed)\b|\b(?:serious|safety|patient) incident\b.{0,60}\b(?:happened|yesterday|today|last (?:night|week)|do)\b|\bwe (?:had|have) an? (?:serious |safety )?incident\b)/is,
  /^(?!(?:how|which|what|why|list|show|find|tell|explain|could|can|hazards?|is there|are there|any|do we|does)\b)(?=.*\b(?:yesterday|today|tonight|last (?:night|week|month)|this (?:morning|afternoon|evening|week)|just now|an hour ago|just|we|our|my|(?:on|since) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b).*\b(?:patients?|child|children|baby|woman|man|resident|girl|boy|mother|someone|somebody)\b.{0,80}\b(?:given|gave|got|received|took|taken|wrong|twice|double|overdos\w*|admitted|hospital|a&e|icu|unwell|unconscious|seizure|bleed\w*|reaction|anaphyla\w*|resuscitat\w*)\b/is,
];

/** Asks about the log or in general; nothing has happened. "What should I do" is asked about something that has. */
const ASKS =
  /^(?!what (?:should|do|must|shall|can) (?:i|we) do)(?:how|which|what|why|list|show|find|tell|explain|count|could|can|hazards?|is there|are there|any|do we|does|give)\b/i;
const PERSON =
  /\b(?:patients?|child|children|baby|woman|man|resident|girl|boy|mother|father|someone|somebody|person)\b/i;
const HARM =
  /\b(?:died|dead|death|killed|harmed|(?:came|come) to harm|hurt|injur(?:ed|y)|intensive care|icu|hospitali[sz]ed|overdos\w*|unconscious|seizure|anaphyla\w*|resuscitat\w*|collapsed|bleeding)\b/i;
const EVENT =
  /\b(?:near[ -]miss(?:es)?|never event|adverse event|(?:serious|safety|patient|clinical) incident)\b.{0,80}\b(?:happened|yesterday|today|tonight|this|last|on|in|caused|just|ward|because|with)\b|\b(?:had|been|was|is) an? (?:\w+ )?(?:near[ -]miss|incident|adverse event|never event)\b/i;
const GIVEN =
  /\b(?:gave|given|received|got|took|administered)\b.{0,40}\b(?:wrong|another|other|someone else|double|twice)\b/i;

/** What makes a mishap one that has just happened here, rather than the title of a ticket. */
const MARK = /\b(?:urgent|emergency|just|today|yesterday|last night|our (?:system|app|software|product))\b/i;

/** Asks how an incident is reported. */
const ASKS_WHAT_TO_DO =
  /\b(?:report|log|raise|record|escalate|notify\w*|flag)\b.{0,20}\b(?:an?|the|this|our|clinical|safety|patient) (?:\w+ )?(?:incident|near[ -]miss|never event|adverse event)\b|\bwhat (?:do|should|must) (?:i|we) do\b.{0,40}\b(?:incident|near[ -]miss|harmed|hurt)\b|\b(?:who|whom) (?:do|should|must) (?:i|we) (?:tell|call|inform|contact)\b.{0,40}\b(?:incident|near[ -]miss|harm\w*)\b/i;
/** Tells that patients are mixed up, or that something fails, in use and now. */
const SHOWS_ANOTHER =
  /^(?!(?:how|which|what|why|list|show|find|hazards?|could|can|might|if)\b)(?=.*\b(?:live|production|right now|just now|now|currently|today|this (?:morning|afternoon|evening|week)|yesterday|last night|ward|clinic|practice|surgery|site|users? (?:report|say|tell)|reports?)\b).*\b(?:(?:showing|shows|showed|displaying|displays|displayed|seeing|sees|saw|sent|opened|opens|mixing|mixed|swapped|leaking|leaked)\b.{0,40}\b(?:other|another|wrong|different|someone else[’']?s?) (?:patients?|persons?|people|child|records?)|patients?\b.{0,60}\b(?:lost|missed|wrong|delayed|very upset|harm\w*|turned up at the wrong|not been seen|deteriorat\w*|ill|worse))/is;

/** Whether a message tells that somebody came to harm, or nearly. */
export function tellsOfIncident(text: string): boolean {
  if (ASKS_WHAT_TO_DO.test(text) || SHOWS_ANOTHER.test(text)) return true;
  if (PATTERNS.some((pattern) => pattern.test(text))) return true;
  const line = text.trim();
  if (ASKS.test(line)) return false;
  return EVENT.test(line) || (PERSON.test(line) && (HARM.test(line) || (GIVEN.test(line) && MARK.test(line))));
}
