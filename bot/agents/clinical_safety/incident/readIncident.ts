/** What the text of an incident says on one point, in its own words; empty where it says nothing. */
export type IncidentFact = { label: string; quotes: string[]; question: string };

const MAX_QUOTES = 3;
const MAX_QUOTE = 300;

/** Sentences and lines; a point between digits ends none. */
const SENTENCE = /[^.!?\n]+(?:\.(?=\d)[^.!?\n]+)*[.!?]?/g;

/**
 * The points that have to be known in the first hour: the words by which a sentence is about a point, and the question
 * where none is. Nothing is concluded from them: the sentences stand as they were written.
 */
const POINTS: readonly { label: string; says: RegExp; question: string }[] = [
  {
    label: 'Is anybody at risk now',
    says: /\b(?:still|ongoing|continues?|continuing|right now|at the moment|currently|again today|keeps? (?:on )?happening|contained|switched off|disabled|rolled back|taken offline|no longer|stopped)\b/i,
    question: 'Can it still happen, here or at another site? What has been done to stop it, by whom, at what time?',
  },
  {
    label: 'What happened to the patient',
    says: /\b(?:harm(?:ed)?|unharmed|injur\w+|hurt|died|dead|death|collapsed|deteriorat\w+|overdos\w+|underdos\w+|admitted|readmitted|icu|intensive care|reaction|anaphyla\w+|bleed\w*|unwell|recovered|stable|near[ -]miss|no (?:harm|effect|injury))\b/i,
    question: 'What happened to the patient, and who is looking after them? “Not known yet” is an answer.',
  },
  {
    label: 'How many patients',
    says: /\b(?:patients?|child(?:ren)?|bab(?:y|ies)|residents?|people|women|woman|men|man|mother|father)\b/i,
    question: 'How many patients are concerned, and how would others be found?',
  },
  {
    label: 'When',
    says: /\b(?:\d{1,2}[:.]\d{2}(?: ?[ap]m)?|\d{1,2} ?[ap]m|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|today|yesterday|tonight|last (?:night|week|month)|this (?:morning|afternoon|evening|week)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
    question: 'When did it happen, and when was it noticed? Note times with their zone.',
  },
  {
    label: 'Where',
    says: /\b(?:ward|clinic|hospital|trust|practice|surgery|pharmacy|site|department|theatre|icu|a&e|care home|hospice|laboratory|lab|region|tenant|environment)\b/i,
    question: 'At which organisation and place, and on which installation?',
  },
  {
    label: 'Who noticed it',
    says: /\b(?:nurse|doctor|physician|pharmacist|clinician|consultant|registrar|midwife|paramedic|gp|carer|receptionist|user|customer|patient|family|support|helpdesk|engineer|developer|colleague|tester)s?\b.{0,60}\b(?:notic\w+|reported|saw|found|spotted|called|rang|told|raised|caught|realised|complained)\b|\b(?:noticed|reported|found|spotted|raised|caught) by\b/i,
    question: 'Who noticed it and how, and who has been told?',
  },
  {
    label: 'What the product did',
    says: /\b(?:show(?:ed|s|n)?|display\w*|calculat\w+|sent|send|saved?|lost|missing|miss(?:ed|es)|duplicat\w+|wrong|another patient|delay\w*|late|crash\w*|fail\w*|error|froze|frozen|blank|outage|unavailable|down|alert\w*|overwr\w+|truncat\w+|rounded|mapped|merged)\b/i,
    question: 'What did the product show, send, calculate or lose, and what should it have done?',
  },
  {
    label: 'Version and change',
    says: /\b(?:version|release|build|patch|hotfix|deploy\w*|updat\w+|upgrad\w+|migrat\w+|config\w*|rollout|v\d+(?:\.\d+)+)\b/i,
    question: 'Which version and configuration ran, and what changed last?',
  },
  {
    label: 'What was done so far',
    says: /\b(?:we|i|they|team|support|staff|engineers?|on-?call)\b (?:\w+ ){0,3}(?:switched|disabled|rolled|stopped|told|called|informed|contacted|restarted|corrected|checked|gave|removed|blocked|isolated|paused|fixed|reverted|restored)\b/i,
    question:
      'What has been done since, by whom and when? Keep logs, screenshots and data before they are overwritten.',
  },
];

/** Reads what the text of an incident says on each point, verbatim. */
export function readIncident(text: string): IncidentFact[] {
  const sentences = [...text.matchAll(SENTENCE)].map(([sentence]) => sentence.trim()).filter(Boolean);
  return POINTS.map(({ label, says, question }) => ({
    label,
    quotes: sentences
      .filter((sentence) => says.test(sentence))
      .slice(0, MAX_QUOTES)
      .map((sentence) => (sentence.length > MAX_QUOTE ? `${sentence.slice(0, MAX_QUOTE)}…` : sentence)),
    question,
  }));
}
