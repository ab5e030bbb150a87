import type { Grid, GridCell } from '../ooxml/sheetScanner.ts';
import { groupPhase, type Phase } from './headerWords.ts';
import type { RatingColumn } from './ratingSynonyms.ts';
import { toNumber } from './toNumber.ts';

/** The words of such a heading, by what they stand for. */
const WORDS: Readonly<Record<string, RatingColumn>> = {
  ...{ s: 'severity', sev: 'severity', severity: 'severity', c: 'severity', consequence: 'severity' },
  ...{ l: 'likelihood', lik: 'likelihood', likelihood: 'likelihood', p: 'likelihood', prob: 'likelihood' },
  ...{ probability: 'likelihood', o: 'likelihood', occ: 'likelihood' },
  ...{ r: 'risk', rr: 'risk', risk: 'risk', score: 'risk', rating: 'risk' },
} as const;
const INITIAL = /\b(?:initial|inherent|before|pre|raw|gross|unmitigated)\b/i;
const RESIDUAL = /\b(?:residual|after|post|net|mitigated|current|final|target)\b/i;
/** What stands between the words of a heading, and between the ratings of a cell: "S x L = R", "5x3=15". */
const BETWEEN = /(?:(?<!\s)\s+)?[/×*=,;|]\s*|(?<!\s)\s+x\s+|(?<=\d)\s*x\s*(?=\d)/;
/** "SxP" and "SxLxR", of which each letter stands for a rating. */
const LETTERS = /\b([slcpor])x([slcpor])(?:x([slcpor]))?\b/;
/** Rows below a heading that tell whether its cells hold several ratings. */
const LOOKED_AT = 12;

/** "2 × 3 = 6 (acceptable) — to fall once videos are there": what stands behind the figures is no rating. */
const FIGURES = /^\d{1,2} {0,2}[x×*/] {0,2}\d{1,2}(?: {0,2}[x×*/] {0,2}\d{1,2})?(?: {0,2}= {0,2}\d{1,3})?(?!\d)/i;

/** "Serious × Remote (Acceptable)": the risk in words behind its two ratings. */
const LEVEL_BEHIND = /^([^()]{3,60}?)\s{0,2}\(([a-z][a-z -]{1,30})\)$/i;

/** The two ratings and the words of the risk of such a cell; null for any other. */
function withLevel(text: string): string[] | null {
  const [, ratings = '', level = ''] = (!FIGURES.test(text.trim()) && LEVEL_BEHIND.exec(text.trim())) || [];
  const rated = ratings.split(BETWEEN);
  return rated.length === 2 ? [...rated, level] : null;
}

const partsOf = (text: string): string[] =>
  withLevel(text) ?? (FIGURES.exec(text.trim())?.[0] ?? text.trim()).split(BETWEEN);

/**
 * The ratings that a heading names one after the other, such as "Initial (Sev / Lik / Risk)", in its order, with its
 * phase; null for any other. A phase of null is not said.
 */
export function readCombinedHeading(heading: string): { phase: Phase | null; ratings: RatingColumn[] } | null {
  const spaced = heading
    .toLowerCase()
    .replace(LETTERS, (_, ...letters: (string | undefined)[]) => letters.slice(0, 3).filter(Boolean).join(' x '));
  const words = partsOf(spaced.replace(/[():]/g, ' '));
  // The first and the last may have other words beside them: "Initial S / L / R".
  const ratings = words.flatMap((part, at) => {
    const own = part.trim().split(/\s+/);
    const word = at === 0 ? own.at(-1) : own[0];
    return WORDS[word ?? ''] ?? [];
  });
  const isWhole = ratings.length === words.length && new Set(ratings).size === ratings.length;
  if (!isWhole || !ratings.includes('severity') || !ratings.includes('likelihood')) return null;
  return { phase: INITIAL.test(heading) ? 'initial' : RESIDUAL.test(heading) ? 'residual' : null, ratings };
}

/**
 * Whether the cells below a heading hold as many ratings as it names. "Risk (S x L)" over a 12 is the product of both: a
 * column of one number.
 */
function holdsSeveral({ rows }: Grid, headingRow: number, column: number, count: number): boolean {
  const cells = rows
    .slice(headingRow + 1, headingRow + 1 + LOOKED_AT)
    .flatMap((row) => row?.[column]?.text.trim() || []);
  const parts = cells.map((cell) => partsOf(cell).length);
  return parts.every((own) => own <= count) && parts.filter((own) => own > 1).length * 2 > cells.length;
}

/** "Residual risk" and "Risk (after)", with nothing about what it is made of. */
const RISK_ALONE = /^(?:[a-z]+ )?risk(?: (?:level|rating|score))?(?: \(?[a-z]+\)?)?$/i;
const MULTIPLIED = /[×*]|\s+x\s+/;

/** A risk whose cells multiply as those of another column of the table do, whose heading says in which order. */
function readMultiplied(
  { rows }: Grid,
  headingRow: number,
  column: number,
  heading: string,
  order: readonly RatingColumn[],
): Combined | null {
  const cells = rows
    .slice(headingRow + 1, headingRow + 1 + LOOKED_AT)
    .flatMap((row) => row?.[column]?.text.trim() || []);
  if (!RISK_ALONE.test(heading.trim()) || cells.length === 0 || !cells.every((cell) => MULTIPLIED.test(cell)))
    return null;
  return { phase: INITIAL.test(heading) ? 'initial' : RESIDUAL.test(heading) ? 'residual' : null, ratings: order };
}

type Combined = { phase: Phase | null; ratings: readonly RatingColumn[] };

/**
 * The ratings of a column whose heading names several and whose cells hold as many; null for any other. "S x P" over
 * "5x3=15" gives their product as well, and over "Major × Low (Medium)" the risk in words.
 * @param order the ratings that another heading of the table names, in its order
 */
export function readCombinedColumn(
  grid: Grid,
  headingRow: number,
  column: number,
  heading: string,
  order: readonly RatingColumn[] | null = null,
): Combined | null {
  const named = readCombinedHeading(heading) ?? (order && readMultiplied(grid, headingRow, column, heading, order));
  if (!named) return null;
  if (holdsSeveral(grid, headingRow, column, named.ratings.length)) return named;
  const isProduct =
    named.ratings.length === 2 &&
    holdsSeveral(grid, headingRow, column, 3) &&
    grid.rows
      .slice(headingRow + 1, headingRow + 1 + LOOKED_AT)
      .map((row) => row?.[column]?.text.trim() ?? '')
      .every((text) => /=|^$/.test(text) || withLevel(text) !== null);
  return isProduct ? { ...named, ratings: [...named.ratings, 'risk'] } : null;
}

const ORDER: readonly RatingColumn[] = ['severity', 'likelihood', 'risk'];
const LABELLED = /^([a-z]+)(?: (?:score|level|rating))?\s*[:=]\s*(\S.*)$/i;

/** The ratings of a cell that names them itself, "Severity: Major", one in each line; null for any other cell. */
function labelledIn(text: string): Map<RatingColumn, string> | null {
  const found = new Map<RatingColumn, string>();
  for (const line of text.split('\n')) {
    const [, word = '', value = ''] = LABELLED.exec(line.trim()) ?? [];
    const rating = WORDS[word.toLowerCase()];
    if (!rating || found.has(rating)) return null;
    found.set(rating, value.trim());
  }
  return found.size > 1 ? found : null;
}

/**
 * The ratings of a column headed "Before" or "After" whose cells name them; null where most don't, or where the heading
 * says neither.
 */
export function readLabelledColumn(
  { rows }: Grid,
  headingRow: number,
  column: number,
  heading: string,
): { phase: Phase; ratings: readonly RatingColumn[] } | null {
  const phase = groupPhase(heading);
  if (!phase) return null;
  const cells = rows
    .slice(headingRow + 1, headingRow + 1 + LOOKED_AT)
    .flatMap((row) => row?.[column]?.text.trim() || []);
  const labelled = cells.filter((cell) => labelledIn(cell) !== null);
  return labelled.length > 0 && labelled.length * 2 > cells.length ? { phase, ratings: ORDER } : null;
}

/** One rating out of a cell with several; blank where the cell has only one. */
export function partOfCell(cell: GridCell | undefined, part: number): GridCell | undefined {
  if (!cell) return undefined;
  const labelled = labelledIn(cell.text);
  if (labelled) {
    const named = labelled.get(ORDER[part] ?? 'risk') ?? '';
    return { ...cell, text: named, number: toNumber(named), formula: null };
  }
  const parts = partsOf(cell.text);
  const text = parts.length > 1 ? (parts[part] ?? '') : '';
  return { ...cell, text, number: toNumber(text), formula: null };
}
