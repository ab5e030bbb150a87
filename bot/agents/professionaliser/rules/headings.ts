import type { Paragraph } from '../word/paragraphs.ts';
import { type HeadingStyles, MAX_LEVELS } from '../word/styles.ts';

/** How a heading was recognised. */
type By = 'style' | 'number' | 'bold' | 'capitals';

/** A heading of a document. */
type Heading = {
  /** Its paragraph. */
  at: number;
  text: string;
  /** Level in the new document, from 0. */
  level: number;
  by: By;
  /** The number that was typed before it, with its place in the paragraph; null where there is none. */
  typed: { number: string; from: number; to: number } | null;
  /** Its number in the new document; null where headings like this have none. */
  number: string | null;
};

export type Outline = {
  /** Paragraph of the document's title; null where it has none of its own. */
  titleAt: number | null;
  headings: readonly Heading[];
};

const TYPED = /^\s*((?:\d{1,2}\.){0,4}\d{1,2})(?:[.)]|(?=\s))\s*(?=\p{L})/u;
const MAX_WORDS = 12;
/** Words of a warning, which is no heading. */
const SIGNAL = /^(?:note|notes|warning|caution|danger|important|attention|example|remark|tbd|todo)\b/i;
/** Headings that have a label of their own, or none. */
const UNNUMBERED = /^(?:(?:table of )?contents|annex|appendix|attachment|references|bibliography)\b/i;

const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const isShort = (text: string): boolean => text !== '' && wordsIn(text) <= MAX_WORDS && !/[.;,!?]$/.test(text);

/** The number that is typed before a text, if it is one of a heading. */
function typedNumber(text: string): { number: string; from: number; to: number } | null {
  const [whole, number] = TYPED.exec(text) ?? [];
  return whole === undefined || number === undefined ? null : { number, from: 0, to: whole.length };
}

/** The next paragraph that is not empty; undefined where none is near. */
const nextOf = (paragraphs: readonly Paragraph[], at: number): Paragraph | undefined =>
  paragraphs.slice(at + 1, at + 4).find(({ text }) => text.trim() !== '');

/** Steps are numbered too: lines that follow each other and count up from 1 are a list, and no headings. */
function listedSteps(paragraphs: readonly Paragraph[]): Set<number> {
  const steps = new Set<number>();
  let run: number[] = [];
  const close = (): void => {
    if (run.length >= 2) for (const at of run) steps.add(at);
    run = [];
  };
  for (const { at, text, isInTable } of paragraphs) {
    if (text.trim() === '') continue;
    const number = isInTable ? null : (typedNumber(text)?.number ?? null);
    if (number === null || number !== String(run.length + 1)) close();
    if (number !== null && number === String(run.length + 1)) run.push(at);
  }
  close();
  return steps;
}

function recognise(
  paragraph: Paragraph,
  paragraphs: readonly Paragraph[],
  { levels }: HeadingStyles,
  steps: ReadonlySet<number>,
): { level: number; by: By } | null {
  const text = paragraph.text.trim();
  if (text === '' || paragraph.isInTable) return null;
  const styled = paragraph.styleId === null ? undefined : levels.get(paragraph.styleId);
  if (styled !== undefined) return { level: styled, by: 'style' };
  if (paragraph.outlineLevel !== null) return { level: paragraph.outlineLevel, by: 'style' };
  const typed = typedNumber(paragraph.text);
  if (SIGNAL.test(text) || !isShort(paragraph.text.slice(typed?.to ?? 0).trim())) return null;
  if (typed && !paragraph.isListed && (paragraph.isBold || !steps.has(paragraph.at)))
    return { level: typed.number.split('.').length - 1, by: 'number' };
  if (typed || paragraph.isListed) return null;
  const after = nextOf(paragraphs, paragraph.at);
  if (after === undefined || after.isInTable) return null;
  if (paragraph.isBold && !after.isBold && !/:\s*\S/.test(text)) return { level: 0, by: 'bold' };
  const letters = text.replace(/[^\p{L}]/gu, '');
  const isCapitals = letters.length >= 4 && letters === letters.toUpperCase() && wordsIn(text) <= 8;
  const isAlone = letters !== after.text.replace(/[^\p{L}]/gu, '') && after.text !== after.text.toUpperCase();
  return isCapitals && isAlone && !text.includes(':') ? { level: 0, by: 'capitals' } : null;
}

type Found = Omit<Heading, 'level' | 'number'> & { found: number };

/** Levels without gaps: a heading is at most one level below the one before it. */
function withoutGaps(found: readonly Found[]): (Found & { level: number })[] {
  const highest = Math.min(...found.map((heading) => heading.found));
  const path: number[] = [];
  return found.map((heading) => {
    const wanted = heading.found - highest;
    while (path.length > 0 && (path.at(-1) ?? 0) >= wanted) path.pop();
    path.push(wanted);
    return { ...heading, level: Math.min(path.length - 1, MAX_LEVELS - 1) };
  });
}

function numberHeadings(headings: readonly (Found & { level: number })[]): Heading[] {
  const counts: number[] = [];
  return headings.map(({ found: _, ...heading }) => {
    if (UNNUMBERED.test(heading.text)) return { ...heading, number: null };
    counts.length = Math.min(counts.length, heading.level + 1);
    while (counts.length <= heading.level) counts.push(0);
    counts[heading.level] = (counts[heading.level] ?? 0) + 1;
    // A heading below one without a number starts at 1 too.
    return { ...heading, number: counts.map((count) => Math.max(1, count)).join('.') };
  });
}

const isFirst = (paragraphs: readonly Paragraph[], at: number): boolean =>
  paragraphs.slice(0, at).every(({ text }) => text.trim() === '');

/** The title, and the headings with their new levels and numbers. What is not surely a heading stays a text. */
export function readOutline(paragraphs: readonly Paragraph[], styles: HeadingStyles): Outline {
  const titled = paragraphs.find(
    ({ styleId, text }) => styleId !== null && styleId === styles.title && text.trim() !== '',
  );
  const steps = listedSteps(paragraphs);
  const found = paragraphs.flatMap((paragraph): Found[] => {
    if (paragraph === titled) return [];
    const seen = recognise(paragraph, paragraphs, styles, steps);
    if (!seen) return [];
    const typed = typedNumber(paragraph.text);
    const text = paragraph.text.slice(typed?.to ?? 0).trim();
    return text === '' ? [] : [{ at: paragraph.at, text, found: seen.level, by: seen.by, typed }];
  });
  const [first, ...rest] = found;
  const isTitle =
    !titled &&
    first !== undefined &&
    first.typed === null &&
    (first.by === 'style' || isFirst(paragraphs, first.at)) &&
    rest.length > 0 &&
    (first.by === 'style' ? rest.every((heading) => heading.found > first.found) : first.by !== rest[0]?.by);
  const headings = isTitle ? rest : found;
  return {
    titleAt: titled?.at ?? (isTitle && first ? first.at : null),
    headings: headings.length > 0 ? numberHeadings(withoutGaps(headings)) : [],
  };
}

/** The section of a paragraph in the new document: the number of its heading, or its words; null before the first. */
export function sectionOf({ headings }: Outline, at: number): string | null {
  const heading = headings.findLast((one) => one.at <= at);
  return heading ? (heading.number ?? heading.text) : null;
}
