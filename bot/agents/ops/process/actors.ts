import { PASSIVE, VERBS } from './verbs.ts';

/** Who does something: the words of the text, or why nobody can be named. */
export type Actor = { role: string } | { unclear: string };

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** The last word of a role. */
const ROLES = setOf(
  'nurse doctor physician midwife pharmacist surgeon consultant registrar technician engineer developer tester analyst architect administrator admin manager lead leader supervisor director officer head owner coordinator co-ordinator clerk receptionist secretary assistant operator user reviewer approver auditor inspector team desk department committee board staff group supplier vendor customer client applicant employee person porter cleaner driver trainer scientist specialist agent worker guard buyer accountant editor author helpdesk ward laboratory lab pharmacy finance hr colleague clinician practitioner carer partner deputy sister matron planner designer moderator requester caller visitor learner teacher student parent patient resident',
);
/** Words that end the search for a role: what follows is said about something else. */
const STOPS = setOf(
  'the a an to and or by of for with from if when then that which who whose must shall should will can may is are was were be been has have had do does not never no as at in on into after before until unless while during between this these those it its they we he she you all any',
);
/** Words in -s that describe a role; others are verbs. */
const PLURALS = setOf(
  'sales operations systems accounts complaints services logistics records facilities resources business process access quality goods',
);
const ARTICLES = setOf('the a an each every one our another any');
const ADVERBS = setOf('then also always first never immediately only now usually normally themselves and');
const AFTER = ['on duty', 'in charge', 'on call', 'on shift'];

// The lookbehind keeps the search from restarting at every mark of a long row of them.
const bare = (word: string | undefined): string =>
  (word ?? '')
    .toLowerCase()
    .replace(/(?<![,.;:!?)”"])[,.;:!?)”"]+$/, '')
    .replace(/^[(“"]+/, '');
/** Words with the ending of a role that name things. */
const THINGS = setOf(
  'computer printer server scanner letter order number paper meter folder router monitor sensor elevator generator filter container water power error door floor colour color factor tutor answer matter offer other another whether however after under over never either neither order register counter cover corner centre center header footer buffer locker freezer drawer trailer poster sticker water-meter thermometer calendar document equipment department treatment event patient-list component content moment assessment statement agreement shipment payment environment appointment plant restaurant deterrent current percent accident incident extent intent tent rent list assist exist consist committee fee coffee',
);
const ENDS_LIKE_PEOPLE = /\p{L}{3}(?:ist|ician|ant|er|or|ee)$/u;

const isRole = (word: string | undefined): boolean => {
  const one = bare(word).replace(/s$/, '');
  return ROLES.has(bare(word)) || ROLES.has(one) || (ENDS_LIKE_PEOPLE.test(one) && !THINGS.has(one));
};
const isVerbLike = (word: string): boolean =>
  /^\p{Ll}{3,}s$/u.test(word) && !PLURALS.has(word) && !/(?:ss|us|['’]s)$/.test(word);

type Phrase = { role: string; end: number };

/** The role that begins at a word: its article is left out, the words that describe it are kept. */
function phraseAt(words: readonly string[], at: number): Phrase | null {
  const first = bare(words[at]) === 'only' ? at + 1 : at;
  const start = ARTICLES.has(bare(words[first])) ? first + 1 : first;
  for (let end = start; end < start + 4 && end < words.length; end += 1) {
    const word = bare(words[end]);
    // Without an article a verb begins an instruction, even one that ends like a person: “Enter the code”.
    if (end === start && start === at && VERBS.test(word)) return null;
    if (isRole(word)) return closePhrase(words, start, end);
    const isEnd = word === '' || STOPS.has(word) || isVerbLike(word) || /[,.;:]$/.test(words[end] ?? '');
    if (isEnd) return null;
  }
  return null;
}

function closePhrase(words: readonly string[], start: number, found: number): Phrase {
  let end = found;
  while (ROLES.has(bare(words[end + 1])) && !/[,.;:]$/.test(words[end] ?? '')) end += 1;
  const next = `${bare(words[end + 1])} ${bare(words[end + 2])}`;
  const isLonger = AFTER.includes(next);
  if (isLonger) end += 2;
  const role = words
    .slice(start, end + 1)
    .join(' ')
    .replace(/(?<![,.;:!?])[,.;:!?]+$/, '');
  return { role, end };
}

/** What may stand before the subject: a condition or a moment, up to its comma, or a word of order. */
const LEAD =
  /^(?:(?:if|when|whenever|once|after|before|on|in|at|every|each|within|unless|until|as soon as|for|where|during|should)\b[^,;]{1,120}, )?(?:(?:then|next|first|second|third|finally|afterwards|also|otherwise|after that|meanwhile),? )?/i;

/** What is said of a subject in passing: "The lead, for example Ann, calls". */
const ASIDE = /^((?:the |an? )[^,]{2,40}), [^,]{1,40}, /i;

/** A sentence without what stands before its subject, or beside it. */
export const withoutLead = (sentence: string): string => sentence.replace(LEAD, '').replace(ASIDE, '$1 ');

const PRONOUN = /^(we|they|he|she|you|somebody|someone|whoever|everyone|everybody)\b/i;
const NAME =
  /^((?:(?:Dr|Mr|Mrs|Ms|Prof)\.? \p{Lu}\p{L}+)|(?:\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)) (?:must|shall|should|will|may|can|\p{Ll}+s)\b/u;
const SHORT = /^(?:[Tt]he )?(\p{Lu}{2,5}) (?:must|shall|should|will|may|can|\p{Ll}+s)\b/u;

/** The actor that a sentence names; null where it names none. */
function actorIn(sentence: string): Actor | null {
  const [, pronoun] = PRONOUN.exec(sentence) ?? [];
  if (pronoun) return { unclear: `who is “${pronoun.toLowerCase()}”` };
  const words = sentence.split(' ');
  const subject = phraseAt(words, 0);
  if (subject) {
    const after = words.slice(subject.end + 1).find((word) => !ADVERBS.has(bare(word)));
    const isLabel = /:$/.test(words[subject.end] ?? '');
    const isSubject = after !== undefined && /^\p{Ll}/u.test(after) && !/[,.;:]$/.test(words[subject.end] ?? '');
    // "The ward is cleaned": what something is done to does nothing itself.
    if (isLabel || (isSubject && !PASSIVE.test(words.slice(subject.end + 1).join(' ')))) return { role: subject.role };
  }
  const named = NAME.exec(sentence)?.[1] ?? SHORT.exec(sentence)?.[1];
  if (named) return { role: named };
  const by = words.findIndex((word) => word.toLowerCase() === 'by');
  const doer = by === -1 ? null : phraseAt(words, by + 1);
  return doer ? { role: doer.role } : null;
}

/** The actor of a sentence. */
export const readActor = (sentence: string): Actor =>
  actorIn(withoutLead(sentence)) ?? actorIn(sentence) ?? { unclear: 'who does this' };

const isImperative = (text: string): boolean =>
  VERBS.test(text.replace(/^(?:please|always|never|do not|don['’]t|immediately|also) /i, ''));

/** Whether a sentence tells of something that is done. */
export function tellsAction(sentence: string): boolean {
  const rest = withoutLead(sentence);
  return actorIn(rest) !== null || PASSIVE.test(rest) || /\b(?:must|shall) be\b/i.test(rest) || isImperative(rest);
}
