import type { Paragraph } from '../word/paragraphs.ts';
import { type Outline, sectionOf } from './headings.ts';

/** Something that a person has to settle before a document is released. */
export type OpenPoint = {
  /** What it is about, for counts. */
  kind: 'weak' | 'gap' | 'date' | 'reference' | 'abbreviation' | 'spelling' | 'kept' | 'repeated';
  /** Section of the new document; null before the first. */
  section: string | null;
  /** The words as they stand. */
  words: string;
  why: string;
};

type Weak = { words: RegExp; why: string; kind: 'weak' | 'gap' };

/** Words that leave open who does what, when and how; each is listed and none is rewritten. */
const WEAK: readonly Weak[] = [
  {
    kind: 'gap',
    words:
      /\b(?:TB[CDA]|TODO|FIXME|to be (?:confirmed|decided|defined|determined|agreed|added|written|completed|advised))\b|\?{2,}|\bX{2,}\b|\blorem ipsum\b|<(?:insert|add|name|date|tbd)[^>\n]{0,60}>|\[(?:insert|add|name|date|tbd)[^\]\n]{0,60}\]/giu,
    why: 'Left open in the source.',
  },
  {
    kind: 'weak',
    words: /\bshould (?:probably|ideally|normally|usually|generally|possibly|maybe)\b/gi,
    why: 'Does it have to be done or not?',
  },
  {
    kind: 'weak',
    words: /\b(?:probably|hopefully|maybe|perhaps|possibly|ideally|presumably)\b/gi,
    why: 'Says that the writer is not sure.',
  },
  {
    kind: 'weak',
    words:
      /\b(?:as far as (?:reasonably )?|(?:as|where|when|if|whenever|wherever) )(?:appropriate|necessary|needed|required|applicable|possible|practicable|relevant|feasible)\b/gi,
    why: 'Who decides, by what?',
  },
  { kind: 'weak', words: /\betc\b\.?|\band so (?:on|forth)\b|\band\/or\b/gi, why: 'Name what is meant.' },
  {
    kind: 'weak',
    words:
      /\b(?:as soon as (?:possible|practicable)|ASAP|in due course|from time to time|in a timely (?:manner|fashion)|promptly|timely|regularly|periodically|occasionally|shortly|in good time)\b/gi,
    why: 'By when, or how often?',
  },
  {
    kind: 'weak',
    words: /\b(?:usually|normally|generally|typically|often|sometimes|mostly|in most cases)\b/gi,
    why: 'What holds in the other cases?',
  },
  {
    kind: 'weak',
    words:
      /\b(?:someone|somebody|whoever is (?:available|around|on)|the right person|relevant (?:person|people|staff|team|parties))\b/gi,
    why: 'Which role?',
  },
  {
    kind: 'weak',
    words:
      /\b(?:adequate(?:ly)?|sufficient(?:ly)?|suitable|suitably|reasonable|reasonably|appropriate(?:ly)?|user.friendly)\b/gi,
    why: 'How can that be checked?',
  },
  {
    kind: 'weak',
    words: /\b(?:a (?:few|couple of|number of|lot of)|several|various|many|some of the)\b/gi,
    why: 'How many, or which?',
  },
];

const DATE = /(?<![\d./])(\d{1,2})([./])(\d{1,2})\2(\d{2}(?:\d{2})?)(?![\d/]|\.\d)/g;
const REPEATED = /\b(\p{L}{2,40})\s+\1\b/giu;
const REPEATED_RIGHTLY = /^(?:that|had|is|so|very|no|bye)$/i;
const REFERENCE = /\b(sections?|clauses?|chapters?)\s+(\d{1,2}(?:\.\d{1,2}){0,3})(?![\d%])/gi;

const AROUND = 40;

/** The words with those around them, cut at spaces. */
function quoteAround(text: string, from: number, to: number): string {
  const start = from <= AROUND ? 0 : text.indexOf(' ', from - AROUND) + 1;
  const after = text.indexOf(' ', to + AROUND);
  const end = after === -1 ? text.length : after;
  return `${start > 0 ? '…' : ''}${text.slice(Math.min(start, from), end).trim()}${end < text.length ? '…' : ''}`;
}

/** Weak words and gaps of a text, the longest of those that overlap. */
function findWeak(text: string): { from: number; to: number; why: string; kind: 'weak' | 'gap' }[] {
  const found = WEAK.flatMap(({ words, why, kind }) =>
    [...text.matchAll(words)].map((match) => ({ from: match.index, to: match.index + match[0].length, why, kind })),
  ).sort((one, other) => one.from - other.from || other.to - one.to);
  let end = 0;
  return found.filter(({ from, to }) => {
    const isFree = from >= end;
    end = Math.max(end, to);
    return isFree;
  });
}

/** A day that can be read in two ways: 03/04/2026. */
const isAmbiguous = ([, first = '', , second = '']: readonly string[]): boolean =>
  first !== second && Number(first) >= 1 && Number(first) <= 12 && Number(second) >= 1 && Number(second) <= 12;

/** The new numbers of the sections that a text refers to; null where it refers to none. */
function checkReference(number: string, outline: Outline): string | null {
  const typed = outline.headings.filter((heading) => heading.typed);
  if (typed.length === 0) return null;
  const named = typed.find((heading) => heading.typed?.number === number);
  if (!named) return 'No heading of the source has this number.';
  return named.number === number ? null : `That section is now ${named.number ?? 'without a number'}.`;
}

/** Everything in the text that a person has to settle. Headings are not searched for weak words. */
export function findOpenPoints(paragraphs: readonly Paragraph[], outline: Outline): OpenPoint[] {
  const headings = new Set(outline.headings.map(({ at }) => at));
  return paragraphs.flatMap(({ at, text }): OpenPoint[] => {
    const point = (kind: OpenPoint['kind'], from: number, to: number, why: string): OpenPoint => ({
      kind,
      section: sectionOf(outline, at),
      words: quoteAround(text, from, to),
      why,
    });
    const weak = headings.has(at) ? [] : findWeak(text);
    return [
      ...weak.map(({ kind, from, to, why }) => point(kind, from, to, `“${text.slice(from, to)}”: ${why}`)),
      ...[...text.matchAll(DATE)]
        .filter(isAmbiguous)
        .map((match) =>
          point('date', match.index, match.index + match[0].length, 'Can be read as two different dates.'),
        ),
      ...[...text.matchAll(REPEATED)]
        .filter(([, word = '']) => !REPEATED_RIGHTLY.test(word))
        .map((match) => point('repeated', match.index, match.index + match[0].length, 'A word is repeated.')),
      ...[...text.matchAll(REFERENCE)].flatMap((match) => {
        const why = checkReference(match[2] ?? '', outline);
        return why === null ? [] : [point('reference', match.index, match.index + match[0].length, why)];
      }),
    ];
  });
}
