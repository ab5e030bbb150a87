import { asRead } from './asRead.ts';
import { figuresIn, figuresProvenBy } from './figures.ts';
import { sweepsIn } from './sweeps.ts';
import type { Result } from './transcript.ts';

/** Ids such as V-12, RX-1589, H12. */
const ID = /\b[A-Z][A-Z0-9]{0,9}-?\d[A-Z0-9.-]*\b/gi;
/** Words in quotation marks: outsiders' in a result, checked word by word in an answer. */
export const QUOTE = /“([^”]+)”|"([^"]+)"|‘([^’]{3,})’/g;
/** A line that begins with an item: "V-12: …" or "• V-12: …". */
const HEAD = /^(?:[•*-] )?([A-Z][A-Z0-9]{0,9}-?\d[A-Z0-9.-]*): /i;

/** Says that something is not there. */
const NONE = /\b(?:0|zero|no|none|nil|nothing|not|without)\b/i;

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('’', "'").toLowerCase();
/** Words of a text alone, between spaces, so that a term can be found as whole words. */
const bare = (text: string) =>
  ` ${plain(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

export const idsIn = (text: string) =>
  new Set([...text.matchAll(ID)].map(([id]) => id.toLowerCase().replace(/[.-]+$/, '')));
const withoutIds = (text: string) => text.replaceAll(ID, ' ');

/** The terms in a text, the longest first: in "very low" there is no "low". @param terms the longest first */
function termsIn(text: string, terms: readonly string[]): Set<string> {
  let rest = bare(text);
  const found = new Set<string>();
  for (const term of terms) {
    if (!rest.includes(term)) continue;
    found.add(term);
    rest = rest.replaceAll(term, '  ');
  }
  return found;
}

/** A text without passages of outsiders. */
const without = (text: string, passages: readonly string[]) =>
  passages.reduce((rest, passage) => rest.replaceAll(passage, ' … '), text);

/** The basis of an answer: everything that tools found in its run, and the words of the question. */
export type Evidence = { question: string; results: readonly Result[] };

/**
 * The evidence in the results of a run. A result that begins with an item is about that item; else each line is about
 * the items in it.
 */
export function makeEvidence({ question, results: given }: Evidence) {
  const results = given.map((one) => ({ ...one, text: asRead(one.text), outside: one.outside.map(asRead) }));
  const outside = [...new Set(results.flatMap((one) => one.outside))].sort((one, other) => other.length - one.length);
  const terms = [...new Set(results.flatMap((one) => one.terms.map(bare)))].sort(
    (one, other) => other.length - one.length,
  );
  const sides = results.flatMap((one) => one.sides);
  const sidesIn = (text: string) => {
    const words = bare(text);
    return new Set(sides.filter((side) => side.some((one) => words.includes(bare(one)))).map(String));
  };
  const said = plain(results.map(({ text }) => text).join('\n'));
  const lines = results.flatMap(({ text }) => {
    const [head] = text.match(HEAD) ?? [];
    const about = head ? idsIn(head) : [];
    return without(text, outside)
      .replaceAll(QUOTE, ' … ')
      .split('\n')
      .map((line) => ({
        ids: new Set([...idsIn(line), ...about]),
        figures: new Set(figuresProvenBy(withoutIds(line))),
        terms: termsIn(line, terms),
        sides: sidesIn(line),
        sweeps: sweepsIn(line),
        saysNone: NONE.test(line),
      }));
  });
  const allIds = new Set(lines.flatMap(({ ids }) => [...ids]));
  const near = (ids: ReadonlySet<string>) => lines.filter(({ ids: of }) => [...ids].some((id) => of.has(id)));
  /**
   * The lines that a sentence may rest on: those about one of its ids and, if it names one side, those that name it
   * too; every line for a sentence without either.
   */
  const placesFor = (sentence: string) => {
    const [ids, spoken] = [idsIn(sentence), sidesIn(sentence)];
    const beside = ids.size > 0 && near(ids).length > 0 ? near(ids) : lines;
    return spoken.size === 0 ? beside : beside.filter(({ sides: of }) => [...spoken].some((side) => of.has(side)));
  };
  return {
    sources: results.length,
    isQuoted: (words: string) => said.includes(plain(words).replace(/[.,;:!?…]+$/, '')),
    isId: (id: string) => allIds.has(id),
    /** The figures of a sentence that no line it may rest on has, nor, where it speaks of no item, the question. */
    unknownFigures(sentence: string) {
      const places = placesFor(sentence);
      const asked = places === lines ? figuresProvenBy(withoutIds(asRead(question))) : [];
      return figuresIn(withoutIds(sentence)).filter(
        (figure) => !places.some(({ figures }) => figures.has(figure)) && !asked.includes(figure),
      );
    },
    /** The terms of a sentence that no line it may rest on has. */
    unknownTerms(sentence: string) {
      const places = placesFor(sentence);
      return [...termsIn(sentence, terms)].filter((term) => !places.some((line) => line.terms.has(term)));
    },
    /** The sweeping words of a sentence that no line it may rest on has. */
    unknownSweeps(sentence: string) {
      const places = placesFor(sentence);
      return [...sweepsIn(sentence)].filter((sweep) => !places.some(({ sweeps }) => sweeps.has(sweep)));
    },
    /** Whether a line that a sentence may rest on says that something is not there. */
    saysNone: (sentence: string) => placesFor(sentence).some((line) => line.saysNone),
    /** A sentence without what outsiders wrote and what it quotes. */
    ownWords: (sentence: string) => without(sentence, outside).replaceAll(QUOTE, ' … '),
  };
}
