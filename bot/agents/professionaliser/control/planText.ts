import { type Outline, sectionOf } from '../rules/headings.ts';
import type { OpenPoint } from '../rules/openPoints.ts';
import { singularOf, spellingKey, type Term, type Terms, type Variant, wordsAndPairs } from '../rules/terms.ts';
import { isEditable, type Paragraph } from '../word/paragraphs.ts';
import type { Edit } from '../word/trackChanges.ts';

/** A change for the table of changes; alike changes are one, with every place. */
export type Change = {
  kind: 'heading' | 'spelling' | 'capitals' | 'spaces' | 'moved';
  /** Sections of the new document; empty where it stands before the first. */
  where: string[];
  from: string;
  to: string;
  why: string;
};

type Planned = Edit & { at: number; change: Omit<Change, 'where'> };

/** A word in the capitals of the word that it replaces. */
const inCapitalsOf = (word: string, old: string): string =>
  /^\p{Lu}/u.test(old) ? word.charAt(0).toUpperCase() + word.slice(1) : word;

function planSpellings(
  { at, text }: Paragraph,
  variants: ReadonlyMap<string, Variant>,
  chosen: Readonly<Record<string, string | null>>,
): Planned[] {
  return wordsAndPairs(text).flatMap(({ from, to, word }): Planned[] => {
    const spelling = singularOf(word.toLowerCase());
    const variant = variants.get(spellingKey(spelling));
    const wanted = variant && (variant.sure ?? chosen[variant.key] ?? null);
    if (!wanted || wanted === spelling || word === word.toUpperCase()) return [];
    if (!variant.spellings.some((one) => one.text === spelling)) return [];
    const ending = word.slice(spelling.length);
    const why = variant.sure ? 'As the document defines it.' : 'As a person chose.';
    const replaced = inCapitalsOf(wanted, word) + ending;
    return [{ at, from, to, text: replaced, change: { kind: 'spelling', from: spelling, to: wanted, why } }];
  });
}

const SMALL = /^(?:of|and|for|the|in|to|on|or|with)$/i;

/** Terms of several words that the document defines with capitals, as in a contract. */
const capitalTerms = (terms: readonly Term[]): string[] =>
  terms
    .flatMap(({ term, meaning }) => [term, meaning])
    .filter((term) => {
      const words = term.split(' ').filter((word) => !SMALL.test(word));
      return words.length >= 2 && words.every((word) => /^\p{Lu}\p{Ll}/u.test(word));
    });

function planCapitals({ at, text }: Paragraph, terms: readonly string[]): Planned[] {
  const lower = text.toLowerCase();
  // Lower case can be longer than the text in some scripts; then places would not fit.
  if (lower.length !== text.length) return [];
  return terms.flatMap((term) => {
    const found: Planned[] = [];
    const wanted = term.toLowerCase();
    for (let from = lower.indexOf(wanted); from !== -1; from = lower.indexOf(wanted, from + 1)) {
      const to = from + term.length;
      const isWhole = !/[\p{L}\d]/u.test(text.charAt(from - 1)) && !/[\p{L}\d]/u.test(text.charAt(to).replace('s', ''));
      const old = text.slice(from, to);
      if (isWhole && old !== term && old !== old.toUpperCase())
        found.push({
          ...{ at, from, to, text: term },
          change: { kind: 'capitals', from: old, to: term, why: 'As the document defines it.' },
        });
    }
    return found;
  });
}

/** Texts that are laid out with spaces or tabs are left as they are. */
const isLaidOut = (text: string): boolean =>
  text.includes('\t') || ((text.match(/\S {2,}(?=\S)/g)?.length ?? 0) > 2 && / {4,}/.test(text));

function planSpaces({ at, text }: Paragraph): Planned[] {
  if (isLaidOut(text)) return [];
  const plan = (from: number, to: number, what: string, becomes = 'none'): Planned => ({
    ...{ at, from, to, text: '' },
    change: { kind: 'spaces', from: what, to: becomes, why: 'Typing.' },
  });
  return [
    ...[...text.matchAll(/(?<=\S) {2,}(?=[^\s,;:.!?])/g)].map((match) =>
      plan(match.index + 1, match.index + match[0].length, 'several spaces', 'one space'),
    ),
    ...[...text.matchAll(/(?<=[\p{L}\d)]) +(?=[,;.!?](?:\s|$))/gu)].map((match) =>
      plan(match.index, match.index + match[0].length, 'a space before a mark'),
    ),
    ...[...text.matchAll(/(?<=\S) +$/g)].map((match) =>
      plan(match.index, match.index + match[0].length, 'spaces at the end'),
    ),
  ];
}

function gather(planned: readonly Planned[], section: (at: number) => string | null): Change[] {
  const byWords = new Map<string, Change>();
  for (const { at, change } of planned) {
    const key = [change.kind, change.from, change.to, change.why].join('|');
    const one = byWords.get(key) ?? { ...change, where: [] };
    one.where.push(section(at) ?? '');
    byWords.set(key, one);
  }
  return [...byWords.values()];
}

/** Plans the edits of the text; an edit that can't be made in place is an open point. */
export function planText(
  paragraphs: readonly Paragraph[],
  it: {
    outline: Outline;
    terms: Terms;
    chosen: Readonly<Record<string, string | null>>;
    formatted: ReadonlySet<number>;
  },
): { edits: Map<number, Edit[]>; changes: Change[]; open: OpenPoint[] } {
  const variants = new Map(it.terms.variants.map((variant) => [variant.key, variant]));
  const capitals = capitalTerms(it.terms.terms);
  const typed = new Map(it.outline.headings.map(({ at, typed: number }) => [at, number]));
  const edits = new Map<number, Edit[]>();
  const made: Planned[] = [];
  const open: OpenPoint[] = [];
  const section = (at: number) => sectionOf(it.outline, at);
  for (const paragraph of paragraphs) {
    const { at, text } = paragraph;
    const own: Edit[] = [];
    const number = it.formatted.has(at) ? typed.get(at) : null;
    if (number && isEditable(paragraph, number.from, number.to))
      own.push({ from: number.from, to: number.to, text: '' });
    for (const planned of [
      ...planSpellings(paragraph, variants, it.chosen),
      ...planCapitals(paragraph, capitals),
      ...planSpaces(paragraph),
    ]) {
      if (own.some((other) => other.from < planned.to && other.to > planned.from)) continue;
      if (!isEditable(paragraph, planned.from, planned.to)) {
        if (planned.change.kind !== 'spaces')
          open.push({
            kind: 'spelling',
            section: section(at),
            words: text.slice(planned.from, planned.to),
            why: `“${planned.change.to}” elsewhere; this one stands in a link or field.`,
          });
        continue;
      }
      own.push(planned);
      made.push(planned);
    }
    if (own.length > 0)
      edits.set(
        at,
        own.map(({ from, to, text: replaced }) => ({ from, to, text: replaced })),
      );
  }
  const undecided = it.terms.variants.filter(({ key, sure }) => sure === null && !it.chosen[key]);
  return {
    edits,
    changes: gather(made, section),
    open: [
      ...open,
      ...undecided.map(
        ({ spellings }): OpenPoint => ({
          kind: 'spelling',
          section: null,
          words: spellings.map(({ text, count }) => `${text} (${count})`).join(', '),
          why: 'Spelled in more than one way; nobody has chosen.',
        }),
      ),
    ],
  };
}
