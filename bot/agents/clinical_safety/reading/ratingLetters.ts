import type { Grid } from '../ooxml/sheetScanner.ts';
import type { Phase } from './headerWords.ts';
import { type HeaderMatch, matchHeader } from './matchHeader.ts';
import type { RatingColumn } from './ratingSynonyms.ts';

/** What letters stand for in the headings of a file; null for one that is no rating, or may be either. */
export type Letters = ReadonlyMap<string, RatingColumn | null>;

const RATINGS = new Set<string>(['severity', 'likelihood', 'risk']);
/** What a key says of letters besides what headings say; detection is no likelihood. */
const IN_KEYS: readonly [RegExp, RatingColumn | null][] = [
  [/^bedeutung\b/i, 'severity'],
  [/^(?:entdeck|d[eé]tect|rilevabilit)/i, null],
];
/** Keys are short, and stand in the first rows and columns of a sheet. */
const KEY_ROWS = 60;
const KEY_COLUMNS = 12;
/** "B | Bedeutung | 1 to 10". */
const MOST_IN_PAIR = 3;

const LETTERS = /^[A-Z]{1,3}$/;
/** "A = Allvarlighetsgrad", "S: Severity", "C (consequence)". */
const EXPLAINED = /^([A-Z]{1,3}) ?(?:[=:–-] ?([^()=]{3,40})|\(([^()]{3,40})\))$/;

function meaningOf(word: string): RatingColumn | null | undefined {
  const known = IN_KEYS.find(([pattern]) => pattern.test(word.trim()));
  if (known) return known[1];
  const meaning = matchHeader(word.replace(/\(.*$/, ''), null)?.meaning;
  return meaning !== undefined && RATINGS.has(meaning) ? (meaning as RatingColumn) : undefined;
}

/** The letters that a file itself explains, in any sheet, and in one way. */
export function readKey(grids: readonly Grid[]): Letters {
  const key = new Map<string, RatingColumn | null>();
  const twice = new Set<string>();
  const note = (letters: string, word: string) => {
    const meaning = word.length > 2 ? meaningOf(word) : undefined;
    if (meaning === undefined) return;
    if (key.has(letters) && key.get(letters) !== meaning) twice.add(letters);
    key.set(letters, meaning);
  };
  for (const grid of grids)
    for (const row of grid.rows.slice(0, KEY_ROWS)) {
      const texts = (row ?? []).slice(0, KEY_COLUMNS).map((cell) => cell?.text.trim() ?? '');
      // A row of headings explains nothing.
      const isPair = texts.filter(Boolean).length <= MOST_IN_PAIR;
      for (const [at, text] of texts.entries()) {
        const [, letters, behind, inside] = EXPLAINED.exec(text) ?? [];
        if (letters) note(letters, behind ?? inside ?? '');
        else if (isPair && LETTERS.test(text)) note(text, texts[at + 1] ?? '');
      }
    }
  for (const letters of twice) key.delete(letters);
  return key;
}

type System = { needs: readonly string[]; oneOf: readonly string[]; letters: Record<string, RatingColumn | null> };
/** Letters that stand together in headings of one language, where no key says what they are. */
const SYSTEMS: readonly System[] = [
  // Bedeutung, Auftreten, Entdeckung (VDA).
  { needs: ['b', 'a'], oneOf: ['e', 'rpz'], letters: { b: 'severity', a: 'likelihood', e: null } },
  // Gravité, fréquence or probabilité, détection, criticité; gravedad, gravità.
  {
    needs: ['g'],
    oneOf: ['f', 'p', 'o'],
    letters: { g: 'severity', f: 'likelihood', p: 'likelihood', o: 'likelihood', d: null, c: 'risk' },
  },
  // Ernst, kans, risico.
  { needs: ['e', 'k'], oneOf: ['r', 'e'], letters: { e: 'severity', k: 'likelihood' } },
  // Konsekvens, sannsynlighet.
  { needs: ['k', 's'], oneOf: ['r', 'rt', 'k'], letters: { k: 'severity', s: 'likelihood' } },
];
const SCANDINAVIAN =
  /(?<!\p{L})(?:åtgärd\p{L}*|orsak\p{L}*|årsak\p{L}*|årsag\p{L}*|skad[ae]|ansvarl?ig|tiltak|fare|fara)(?!\p{L})/iu;
const GERMAN = /(?:ursache|folge|fehler|ma(?:ß|ss)nahme|gefährdung|verantwortlich)/i;

/** A and S: Allvarlighetsgrad and Sannolikhet, or Auftreten and Schwere. Where the language is unknown, neither is read. */
function lettersAS(headings: readonly string[]): Letters {
  const isScandinavian = headings.some((text) => SCANDINAVIAN.test(text));
  const isGerman = headings.some((text) => GERMAN.test(text));
  if (isScandinavian === isGerman)
    return new Map([
      ['A', null],
      ['S', null],
    ]);
  return new Map(
    isGerman
      ? [
          ['A', 'likelihood'],
          ['S', 'severity'],
          ['E', null],
        ]
      : [
          ['A', 'severity'],
          ['S', 'likelihood'],
        ],
  );
}

/** What the letters among the headings of a row stand for, by the file's own key, else by which stand together. */
export function lettersOf(headings: readonly string[], key: Letters): Letters {
  const found = new Set(headings.flatMap((text) => [text.trim().toLowerCase(), letterIn(text)?.toLowerCase() ?? '']));
  const explained = [...key].filter(([letters]) => found.has(letters.toLowerCase()));
  if (explained.length > 1) return new Map(explained);
  const system = SYSTEMS.find(
    ({ needs, oneOf }) => needs.every((letter) => found.has(letter)) && oneOf.some((letter) => found.has(letter)),
  );
  if (system)
    return new Map(Object.entries(system.letters).map(([letter, meaning]) => [letter.toUpperCase(), meaning]));
  return found.has('a') && found.has('s') ? lettersAS(headings) : new Map();
}

/** People that a letter may rate apart: "B Pat", "S (staff)". */
const QUALIFIED =
  /^([A-Z]{1,3})[\s(]+(pat(?:ients?|ienten)?|pers(?:onal|onnel)?|staff|users?|operators?|anwender|anv[äa]ndare)\)?$/i;

/** The letter of a heading that rates the harm to patients; null for any other heading. */
function letterIn(heading: string): string | null {
  const [, letter, of] = QUALIFIED.exec(heading.trim()) ?? [];
  return letter && /^pat/i.test(of ?? '') ? letter.toUpperCase() : null;
}

/** Reads one heading by its letter: a rating, null for a letter that is none, undefined where it is no letter. */
export function readLetter(heading: string, letters: Letters): RatingColumn | null | undefined {
  const own = letters.get(heading.trim().toUpperCase());
  if (own !== undefined) return own;
  const [, letter = '', of = ''] = QUALIFIED.exec(heading.trim()) ?? [];
  const rated = letters.get(letter.toUpperCase());
  return rated === undefined ? undefined : /^pat/i.test(of) ? rated : null;
}

const NUMBERED = /^(.*\p{L})[ ._-]?([01])$/u;

/** What is numbered from 0: beside S0, S1 is the severity after controls. */
export function numberedFromZero(headings: readonly string[]): (heading: string) => HeaderMatch | null {
  const numbersOf = new Map<string, Set<string>>();
  for (const heading of headings) {
    const [, stem = '', number = ''] = NUMBERED.exec(heading.trim().toLowerCase()) ?? [];
    if (stem) numbersOf.set(stem, (numbersOf.get(stem) ?? new Set()).add(number));
  }
  return (heading) => {
    const [, stem = '', number = ''] = NUMBERED.exec(heading.trim().toLowerCase()) ?? [];
    if ((numbersOf.get(stem)?.size ?? 0) < 2) return null;
    const phase: Phase = number === '0' ? 'initial' : 'residual';
    const match = matchHeader(stem, phase);
    return match && RATINGS.has(match.meaning) ? { ...match, phase } : null;
  };
}
