/** An answer that needs no lookup, and so is free. The first match wins. */
type PlainAnswer = { kind: 'talk' | 'help' | 'refusal' | 'guide'; asks: RegExp; says: string };

const FRENCH = 'Je ne réponds pour l’instant qu’en anglais ; merci de poser votre question en anglais.';
const GERMAN = 'Ich antworte vorerst nur auf Englisch; bitte stellen Sie Ihre Frage auf Englisch.';
const FRENCH_WORDS =
  /\b(?:quels?|quelles?|est-ce|sont|les|des|une|dans|pour|avec|combien|pourquoi|bonjour|merci|risques|dangers|nous|vous|notre|qui)\b/gi;
const GERMAN_WORDS =
  /\b(?:welche[rsn]?|sind|ist|der|das|und|nicht|ein|eine|wie|viele|warum|guten|danke|gefahren|risiken|gefährdungen|wir|haben|für|offen|bitte|zeige)\b/gi;

/** A sentence in French or German for a question with at least two words of the language. */
export function answerOtherLanguage(question: string): string | null {
  const count = (words: RegExp) => new Set(question.toLowerCase().match(words) ?? []).size;
  if (count(FRENCH_WORDS) >= 2) return FRENCH;
  return count(GERMAN_WORDS) >= 2 ? GERMAN : null;
}

export const HELP = [
  'I read your hazard log and your tickets, check the log against its own matrix and DCB0129, show which relevant tickets no hazard covers, and propose hazards for your review. I never set a severity, a likelihood or a status, and I approve nothing.',
  '• Drop a hazard log here (.xlsx, .xls or CSV), and a ticket export if you have one.',
  '• Say “analyse my hazard log”.',
  '• Review what I propose, then say “merge”.',
  '• Ask me about a hazard by its id, a finding, the matrix or the coverage at any time, or for all that fit: “open hazards with a risk above 2”.',
].join('\n');

/** "Change the severity of NRL01", "set QM-04 to closed", "close hazard 12". */
const CHANGES =
  /^(?:(?:please|can you|could you|will you|would you|clara|i want to|i would like to|let us|we need to)[,\s]+){0,3}(?:(?:change|set|update|edit|raise|lower|reduce|increase|decrease|make|mark|rate|re-?rate|assign|correct)\b.{0,80}\b(?:severit(?:y|ies)|likelihoods?|risks?|ratings?|scores?|status(?:es)?|owners?|catastrophic|major|minor|open|closed|high|low|medium|[A-Z]{1,8}-?\d{1,6}|hazards?)\b|(?:close|re-?open|approve|sign off|transfer)\b.{0,60}\b(?:hazards?|[A-Z]{1,8}-?\d{1,6}|them|it|all|log)\b)/i;
const NEVER_RATE =
  'I never set or change a severity, a likelihood, a risk or a status; nothing was changed. Your Clinical Safety Officer does that:\n• In the workbook itself: change the row, save it as a new version, and drop it in here.\n• Then say “analyse my hazard log”: I check the new rating against the matrix.\n• Ask for the hazard by its id to see how it stands now.';

/** For a message that may tell of an incident. */
export const IF_IT_HAPPENED =
  'If this has happened, act on it outside of Arc now: make sure that the patient is being looked after, tell your appointed Clinical Safety Officer, and start your organisation’s incident process.\nI can’t judge an incident. To look up kinds of hazard, ask for example “what could go wrong with allergies?”.';

const INCIDENT_GUIDE =
  'Act on this outside of Arc now:\n• Make sure that the patient is being looked after.\n• Tell your appointed Clinical Safety Officer at once.\n• Start your organisation’s incident process.\nI can’t judge an incident, and I have done nothing with your message.';

/** The patterns are constants: no text from a question or a log becomes part of one. */
export const PLAIN_ANSWERS: PlainAnswer[] = [
  {
    kind: 'guide',
    asks: /^(?!(?:how many|which hazards|list|show|find)\b).*(?:\b(?:patients?|someone|somebody|a person|child|baby)\b.{0,60}\b(?:harmed|hurt|injured|died|dead|death|killed|collapsed)\b|\b(?:serious|safety|patient) incident\b.{0,60}\b(?:happened|yesterday|today|last (?:night|week)|do)\b|\bwe (?:had|have) an? (?:serious |safety )?incident\b)/is,
    says: INCIDENT_GUIDE,
  },
  {
    kind: 'guide',
    asks: /^(?!(?:how|which|what|why|list|show|find|tell|explain|could|can|hazards?|is there|are there|any|do we|does)\b)(?=.*\b(?:yesterday|today|tonight|last (?:night|week|month)|this (?:morning|afternoon|evening|week)|just now|an hour ago|just|we|our|my|(?:on|since) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b).*\b(?:patients?|child|children|baby|woman|man|resident|girl|boy|mother|someone|somebody)\b.{0,80}\b(?:given|gave|got|received|took|taken|wrong|twice|double|overdos\w*|admitted|hospital|a&e|icu|unwell|unconscious|seizure|bleed\w*|reaction|anaphyla\w*|resuscitat\w*)\b/is,
    says: INCIDENT_GUIDE,
  },
  {
    kind: 'talk',
    asks: /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|hiya)(?:[\s,]+(?:there|clara|arc|all|everyone))?[\s!.?]*$/i,
    says: 'Hello. Drop in a hazard log, ask about a hazard by its id, or say “help” to see what I do.',
  },
  {
    kind: 'talk',
    asks: /^(?:many )?(?:thanks|thank you|thx|ta|cheers|great|perfect|nice|well done|good job|lovely|brilliant)\b(?!.{0,60}\b(?:hazards?|tickets?|risks?|findings?|proposals?|logs?|which|what|how|show|list|tell|merge|analy[sz]e)\b)[^?]{0,60}$/i,
    says: 'You’re welcome.',
  },
  {
    kind: 'talk',
    asks: /^(?:bye|goodbye|see you|good night)\b[^?]{0,30}$/i,
    says: 'Goodbye. Everything is saved here.',
  },
  {
    kind: 'help',
    asks: /^(?:help|what (?:can|do|could) you (?:do|help|offer)\b.{0,40}|how (?:does this|do you) work|what are you for|who are you|what is (?:this|arc)|how (?:can|could) you help\b.{0,20})[\s?!.]*$/i,
    says: HELP,
  },
  {
    kind: 'help',
    asks: /^(?:please )?help (?:me|us) (?:with|to) .{0,80}\b(?:complian(?:t|ce)|dcb|safety|hazards?|regulat\w*|mdr)\b.{0,80}$/i,
    says: `I can help with one part of that: the hazard log.\n${HELP}`,
  },
  {
    kind: 'talk',
    asks: /\b(?:are|r) (?:you|u) (?:an? )?(?:ai|bot|robot|human|person|real|machine|language model|llm|gpt|chatgpt)\b/i,
    says: 'I’m software. The figures, findings and matches come from rules and from counting words, the same at every run. Each result says whether a language model was used for wording, and which one. Your Clinical Safety Officer decides.',
  },
  {
    kind: 'guide',
    asks: /^(?:cancel|stop|abort|halt)\b[^?]{0,40}$/i,
    says: 'There is nothing to stop here. While an analysis runs, press Cancel on its card. A waiting question can be withdrawn in the inbox.',
  },
  {
    kind: 'guide',
    asks: /\bwhat (?:should|do|can|shall|must) (?:i|we) do (?:next|now|first)\b|\bwhat(?:['’]s| is) (?:the )?next(?: step)?\b|\bnext steps?\b/i,
    says: 'In this order:\n• Drop in the hazard log and, if you have one, a ticket export.\n• Say “analyse my hazard log”, then look at “findings to fix”.\n• Decide on the proposals in the review, then say “merge”.',
  },
  {
    kind: 'refusal',
    asks: /^(?!(?:which|what|how many|list|show|find)\b).{0,200}\b(?:undo|revert|roll ?back|reverse)\b/is,
    says: 'I can’t undo that from here. A merge never changes your own file: it writes a new one.\n• Carry on with the earlier log; it is still in the chat and on your side.\n• Drop that file in again to make it the current one.\n• Run the analysis again to start a new review.',
  },
  {
    kind: 'refusal',
    asks: /^(?:please |can you |could you )?(?:remove|delete|clear|drop|forget|erase|discard)\b.{0,60}\b(?:tickets?|logs?|hazards?|files?|uploads?|data|analys[ei]s|proposals?|history|them|it|everything)\b/i,
    says: 'I can’t remove that by chat, and nothing was removed.\n• To use other tickets or another log, drop the new file in: it replaces the earlier one.\n• A proposal is rejected in its review.\n• Files are deleted automatically after 90 days; an owner can have an account erased.',
  },
];

/** Requests that are refused even where they name a hazard, e.g. to change a rating. */
export const REFUSED_CHANGES: PlainAnswer[] = [
  { kind: 'refusal', asks: CHANGES, says: NEVER_RATE },
  {
    kind: 'refusal',
    asks: /^why\b.{0,80}\b(?:kept|keep|rated|scored|set|left|given|chosen|closed|accepted|changed|reduced|raised|lowered)\b/i,
    says: 'I don’t know why: the log holds what was decided, and reasons only where somebody wrote them down. I don’t guess.\n• Ask for the hazard by its id to see its ratings, controls and findings.\n• Look in the log’s own rationale or notes column.\n• Ask the owner of the row, or your Clinical Safety Officer.',
  },
  {
    kind: 'guide',
    asks: /\bwho (?:can|could|may|is able to|has|have)\b.{0,30}\b(?:see|read|view|access|look at|download|open)\b/i,
    says: 'The members of your company in Arc can see its hazard logs and results; nobody of another company can.\n• Members and roles: Preferences, Members.\n• What Arc may send to Slack or Teams: Preferences, Company.\n• For more than that, ask your account’s owner.',
  },
  {
    kind: 'refusal',
    asks: /\b(?:clause|section|paragraph|requirement)s?\s+\d{1,2}(?:\.\d{1,2}){0,3}\b|\brequires? (?:by|under) (?:dcb|iso|iec)/i,
    says: 'I don’t quote the standard’s clauses: I know only those that my own rules name, and a paraphrase could mislead you.\n• Read it in DCB0129 itself (NHS England Digital publishes it).\n• Ask for “findings”: each names the clause that it rests on.\n• For what it means for you, ask your Clinical Safety Officer.',
  },
  {
    kind: 'refusal',
    asks: /\brule\s*11\b|\b(?:what|which) (?:device )?class\b|\bclass (?:i|ii|iia|iib|iii)\b|\b(?:mdr|mdcg|medical device)\b.{0,60}\?/i,
    says: 'I can’t classify a device: the class under Rule 11 follows from the intended purpose, and a regulatory lead has to decide it. The device regulation agent is in preparation.\n• Write the intended purpose in one paragraph.\n• Take it to your regulatory lead with MDCG 2019-11.\n• Ask me about the hazard log in the meantime.',
  },
];
