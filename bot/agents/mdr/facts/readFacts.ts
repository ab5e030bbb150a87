import { saysNotKnown } from '../../../engine/questions/notKnown.ts';
import { type ChoiceFact, type DeviceFacts, type Fact, isChoiceFact, type Known } from './facts.ts';
import { OPTION_WORDS } from './optionWords.ts';
import { readDay } from './readDay.ts';

const MAX_FACT_CHARACTERS = 2000;

/** The names by which a line of an answer says what it is about; the first match wins. */
const LABELS: readonly [Fact, RegExp][] = [
  ['name', /^(?:product |device |trade )?name$/],
  ['purpose', /^(?:intended )?(?:purpose|use)$/],
  ['medical', /^medical(?: purpose)?$/],
  ['users', /^(?:intended )?users?$/],
  ['patients', /^patients?(?: population)?$|^population$/],
  ['functions', /^(?:software )?functions?$|^features$/],
  ['version', /^(?:software )?version$|^release$/],
  ['manufacturer', /^manufacturer$/],
  ['notifiedBody', /^(?:notified|approved) body$/],
  ['certified', /^certificate(?: date)?$|^certified$|^date of (?:the )?certificate$/],
  ['marketed', /^(?:first )?placed on the market$|^on the market since$|^launch(?:ed)?$/],
  ['processing', /^processing$/],
  ['individual', /^individual(?: patients)?$/],
  ['decisions', /^decisions?$/],
  ['significance', /^significance$/],
  ['harm', /^(?:worst )?(?:consequences?|harm)$/],
  ['condition', /^(?:state of the )?condition$/],
  ['monitoring', /^monitoring$/],
  ['driven', /^driven(?: device)?$|^drives$/],
  ['failure', /^(?:software )?failure$/],
  ['lay', /^lay(?: users| people)?$/],
  ['combined', /^used together$|^combination$/],
  ['mobile', /^mobile(?: platform)?$/],
  ['measuring', /^measuring(?: function)?$/],
  ['market', /^markets?$|^sold in$/],
];

const NOT_KNOWN = /^(?:i )?(?:do not|don[’']?t) know\b|^(?:not sure|no idea|unknown|skip|later|\?+|-+)[\s.!]*$/i;

const clean = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, MAX_FACT_CHARACTERS);

const factNamed = (label: string): Fact | undefined => {
  const words = label
    .toLowerCase()
    .replace(/^(?:and|the|its|our|it is a)\s+/, '')
    .trim();
  return LABELS.find(([, names]) => names.test(words))?.[0];
};

/** The option that words name; undefined where they name none. */
const optionNamed = (fact: ChoiceFact, words: string): string | undefined =>
  OPTION_WORDS[fact].find(([, names]) => names.test(words))?.[0];

function readValue(fact: Fact, words: string): string | undefined {
  if (isChoiceFact(fact)) return optionNamed(fact, words);
  if (fact === 'certified' || fact === 'marketed') return readDay(words) ?? undefined;
  return words;
}

/** "Label: value", "label = value", "the label is now value". */
function readLabelled(part: string): [Fact, Known] | 'unread' | 'skipped' | null {
  const [, label = '', words = ''] =
    /^([^:=]{2,40}?)\s*[:=]\s*(\S.*)$/s.exec(part) ??
    /^((?:the |its |our )?[a-z ]{4,40}?) (?:is|are)(?: now)? (\S.*)$/is.exec(part) ??
    [];
  const fact = factNamed(label);
  if (!fact) return null;
  if (NOT_KNOWN.test(words)) return 'skipped';
  const value = readValue(
    fact,
    fact === 'purpose' || fact === 'functions' ? clean(words) : clean(words).replace(/\.$/, ''),
  );
  return value === undefined || value === '' ? 'unread' : [fact, { value, words: clean(part) }];
}

/** What sentences say without a label, where it can't be meant otherwise. */
const SIGNS: readonly [ChoiceFact, string, RegExp][] = [
  ['mobile', 'yes', /\b(?:iphone|ipad|android|ios|mobile app|smartphone)\b/i],
  ['processing', 'more', /\bit (?:calculates|computes|interprets|analyses)\b/i],
];

const NAMED =
  /^[“"']?([\p{Lu}\d][\p{L}\p{N}.+-]*(?: [\p{Lu}\d][\p{L}\p{N}.+-]*){0,3})[”"']? (?:is|helps|shows|calculates|supports|lets) /u;

/** The parts of an answer: its lines, the parts of a line between semicolons, and its sentences that have a label. */
function* partsOf(text: string): Generator<string> {
  for (const line of text.split(/\n|;/)) {
    const trimmed = line.replace(/^[\s•*\-–\d.)]+(?=\p{L})/u, '').trim();
    if (trimmed === '') continue;
    // A line that begins with a label of a text belongs to it as a whole.
    const first = readLabelled(trimmed);
    if (Array.isArray(first) && !isChoiceFact(first[0])) yield trimmed;
    else yield* trimmed.split(/(?<=[.!])\s+(?=\p{Lu})/u);
  }
}

/** What an answer said, and the lines whose value could not be read, as they stand. */
type ReadFacts = { facts: DeviceFacts; unread: string[] };

/**
 * Reads facts from a text, by rules alone: lines with a label, and a few sentences that can't be meant otherwise. A
 * text without labels is the intended purpose, where it was asked for.
 * @param asksPurpose whether text without a label is the intended purpose
 */
export function readFacts(text: string, { asksPurpose = false } = {}): ReadFacts {
  const facts: DeviceFacts = {};
  const [unread, free]: [string[], string[]] = [[], []];
  for (const part of partsOf(text)) {
    const read = readLabelled(part);
    if (read === 'unread') unread.push(clean(part));
    else if (Array.isArray(read)) facts[read[0]] = read[1];
    else if (read === 'skipped' || saysNotKnown(part)) continue;
    else free.push(part);
  }
  for (const sentence of free) {
    for (const [fact, value, words] of SIGNS)
      if (words.test(sentence) && !facts[fact]) facts[fact] = { value, words: clean(sentence) };
  }
  const prose = clean(free.join(' '));
  if (asksPurpose && prose !== '') {
    const name = NAMED.exec(prose)?.[1];
    if (name && !facts.name && !/^(?:It|This|The|We|Our|A|An)$/.test(name)) facts.name = { value: name, words: prose };
    facts.purpose ??= { value: prose, words: prose };
  }
  return { facts, unread };
}
