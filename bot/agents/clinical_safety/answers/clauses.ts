import CLAUSES from './clauses.json' with { type: 'json' };

const { dcb0129, mdr } = CLAUSES;
type Texts = Readonly<Record<string, string>>;

/** Own entry only: a number comes from a question. */
const read = (texts: Texts, number: string): string | null =>
  Object.hasOwn(texts, number) ? (texts[number] ?? null) : null;

const OWN_WORDS = 'In my own words; the standard itself decides.';
/** What DCB0160 asks of the deploying organisation; its clauses are not part of Arc. */
export const DCB0160 =
  'DCB0160 3.2 (2018) is the standard for the organisation that deploys and uses the system; DCB0129 is for its manufacturer. It asks that organisation for its own Clinical Safety Officer, risk management file and plan, hazard log, safety case and report, controls, monitoring and incident log; controls that the manufacturer transfers become its inputs.';

/** A clause of DCB0129 with those below it. */
function describeClause(number: string): string {
  const own = read(dcb0129.clauses, number);
  const name = `DCB0129 ${dcb0129.edition}, ${number}`;
  if (own === null)
    return `I know no clause ${number} in DCB0129 ${dcb0129.edition}. Its sections are 2 to 7; ask for example for 4.4.1.`;
  const below = Object.entries(dcb0129.clauses).filter(
    ([other]) => other.startsWith(`${number}.`) && other.split('.').length === number.split('.').length + 1,
  );
  return [`${name}: ${own}`, ...below.map(([other, text]) => `• ${other}: ${text}`), OWN_WORDS].join('\n');
}

/** Subjects of DCB0129 with their section. The first that fits counts. */
const SUBJECTS: readonly [RegExp, string][] = [
  [/\bsafety officers?\b|\bcso\b/i, '2.3'],
  [/\brisk management plans?\b|\bcrmp\b/i, '3.2'],
  [/\brisk management files?\b/i, '3.1'],
  [/\bhazard logs?\b/i, '3.3'],
  [/\bsafety case reports?\b|\bcscr\b/i, '3.5'],
  [/\bsafety cases?\b/i, '3.4'],
  [/\bincident\b/i, '3.6'],
  [/\bthird[- ]part(?:y|ies)\b/i, '2.5'],
  [/\bcompeten\w+\b|\btraining records?\b/i, '2.4'],
  [/\btop management\b/i, '2.2'],
  [/\bintended use\b|\bclinical scope\b/i, '4.2'],
  [/\bseverit(?:y|ies)\b|\blikelihoods?\b|\bestimat\w+\b/i, '4.4'],
  [/\bidentif\w+ (?:of )?hazards?\b|\bhazard identification\b/i, '4.3'],
  [/\bresidual\b|\bcontrol options?\b/i, '6.1'],
  [/\bbenefits?\b/i, '6.2'],
  [/\bverif\w+\b|\beffectiveness\b|\bcontrols?\b/i, '6.3'],
  [/\bmonitoring\b/i, '7.2'],
  [/\bmodifications?\b|\bupdates?\b|\bpatch(?:es)?\b/i, '7.3'],
  [/\bdelivery\b|\brelease\b/i, '7.1'],
  [/\bevaluat\w+\b|\bacceptab\w+\b/i, '5.1'],
];

const NUMBER = /(?<![\d.])(\d{1,2}(?:\.\d{1,2}){1,3})(?![\d.]*\d)/;
const ASKS_CLAUSE = /\b(?:clauses?|sections?|requirements?|paragraphs?)\b/i;
const NUMBERED = /\b(?:clause|section|requirement|paragraph)s?\s+(\d{1,2}(?:\.\d{1,2}){0,3})\b/i;
/** Asks what the standard says on a subject. */
const ASKS_SUBJECT =
  /\b(?:which|what) (?:clause|section|part|requirement|bit)s?\b|\b(?:clause|section|part|requirement|bit|anything)s? (?:on|about|for|covering|that|dealing|of)\b|\bwhere\b.{0,20}\b(?:is|are|do|does)\b|\b(?:what does|what do|where does|according to|required by|requires?|under|say|says|about|covers?)\b/i;
const IS_0129 = /\b(?:dcb[ -]?0?129|0129|dcb129)\b/i;
const IS_0160 = /\b(?:dcb[ -]?0?160|0160)\b/i;
const IS_MDR = /\bmdr\b|\b2017\/745\b|\bgspr\b|\bmedical device regulation\b/i;
const ARTICLE = /\bart(?:icle|\.)?\s*(\d{1,3})\b/i;
const ANNEX = /\bannex\s+([ivxlc]+|\d{1,2})\b/i;
const ROMAN = [
  'I',
  'II',
  'III',
  'IV',
  'V',
  'VI',
  'VII',
  'VIII',
  'IX',
  'X',
  'XI',
  'XII',
  'XIII',
  'XIV',
  'XV',
  'XVI',
  'XVII',
];

function describeMdr(text: string): string | null {
  const name = 'MDR, Regulation (EU) 2017/745';
  const article = ARTICLE.exec(text)?.[1];
  if (article) {
    const says = read(mdr.articles, article);
    if (says) return `${name}, Article ${article}: ${says}.\n${OWN_WORDS}`;
    return Number(article) > 123 || Number(article) === 0
      ? `${name} has no Article ${article}: it has 123 articles.`
      : `I hold no text for Article ${article} of ${name}. Read it on EUR-Lex.`;
  }
  const given = ANNEX.exec(text)?.[1]?.toUpperCase();
  const annex = given && /^\d+$/.test(given) ? (ROMAN[Number(given) - 1] ?? given) : given;
  const number = NUMBER.exec(text)?.[1];
  if (number && (!annex || annex === 'I')) {
    const says = read(mdr.requirements, number);
    return says
      ? `${name}, Annex I, ${number}: ${says}\n${OWN_WORDS}`
      : `I hold no text for Annex I, ${number} of ${name}. Read it on EUR-Lex.`;
  }
  if (!annex) return null;
  const says = read(mdr.annexes, annex);
  return says
    ? `${name}, Annex ${annex}: ${says}.\n${OWN_WORDS}`
    : `${name} has no Annex ${annex}: it has Annexes I to XVII.`;
}

/**
 * What a standard says at the place or on the subject that a question names: DCB0129 by clause, DCB0160 as a whole, the
 * MDR by article, annex and requirement.
 * @returns null where the question asks for no clause
 */
export function answerClause(text: string): string | null {
  const number = NUMBERED.exec(text)?.[1] ?? NUMBER.exec(text)?.[1];
  if (IS_0160.test(text) && !IS_0129.test(text) && (number || ASKS_CLAUSE.test(text)))
    return `I don’t hold DCB0160 clause by clause${number ? `, so not its ${number}` : ''}. ${DCB0160}\nRead the clause in the standard itself; NHS England publishes it.`;
  if (IS_MDR.test(text) || (ANNEX.test(text) && !IS_0129.test(text))) return describeMdr(text);
  if (!IS_0129.test(text) && !NUMBERED.test(text)) return null;
  if (number) return describeClause(number);
  const subject = ASKS_SUBJECT.test(text) ? SUBJECTS.find(([words]) => words.test(text))?.[1] : undefined;
  return subject ? describeClause(subject) : null;
}
