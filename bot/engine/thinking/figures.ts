const wordsFrom = (first: number, step: number, words: string) =>
  words.split(' ').map((word, at): [string, number] => [word, first + at * step]);
const UNITS = new Map(
  wordsFrom(
    0,
    1,
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  ),
);
const TENS = new Map(wordsFrom(20, 10, 'twenty thirty forty fifty sixty seventy eighty ninety'));
const SCALES = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
]);
const WORD = /[a-z]+/gi;
const JOINT = /^(?:\s+|-)$/;

/** Figures and clause numbers: 4.4.1, 1,589. */
const FIGURE = /\d+(?:[.,]\d+)*/g;
const PERCENT = /(?<!\d[.,]?)(\d+(?:[.,]\d+)*)\s*(?:%|per\s?cent\b)/gi;
/** Amounts that are no whole number: half, two thirds, a tenth, hundreds. */
const AMOUNT =
  /\b(?:half|halves|quarters?|(?:a|one)[\s-](?:third|fifth|sixth|seventh|eighth|ninth|tenth)|thirds|fifths|sixths|sevenths|eighths|ninths|tenths|dozens|hundreds|thousands|millions)\b/gi;
/** A month beside a number, so that the verb "may" is none. */
const MONTH =
  /\d(?:st|nd|rd|th)?\s+(?:of\s+)?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|ember|tember|ober)?\b|\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|ember|tember|ober)?\.?\s+\d/g;
const ISO_MONTH = /\b\d{4}-(\d\d)-\d\d\b/g;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A number in words while it is being read; `done` is the part that a later "thousand" does not multiply. */
type Reading = { done: number; value: number; last: 'unit' | 'tens' | 'scale'; words: number };

/** The next state of a reading, or null where the word begins another number. */
function extend(reading: Reading, word: string): Reading | null {
  const { done, value, last, words } = reading;
  const [unit, tens, scale] = [UNITS.get(word), TENS.get(word), SCALES.get(word)];
  const next = { done, words: words + 1 };
  if (scale !== undefined)
    return scale >= 1000
      ? { ...next, done: done + value * scale, value: 0, last: 'scale' }
      : { ...next, value: value * scale, last: 'scale' };
  if (tens !== undefined) return last === 'scale' ? { ...next, value: value + tens, last: 'tens' } : null;
  if (unit === undefined) return null;
  const fits = last === 'scale' || (last === 'tens' && unit > 0 && unit < 10);
  return fits ? { ...next, value: value + unit, last: 'unit' } : null;
}

function begin(word: string): Reading | null {
  const [unit, tens] = [UNITS.get(word), TENS.get(word)];
  if (unit !== undefined) return { done: 0, value: unit, last: 'unit', words: 1 };
  if (tens !== undefined) return { done: 0, value: tens, last: 'tens', words: 1 };
  return SCALES.has(word) ? extend({ done: 0, value: 1, last: 'unit', words: 0 }, word) : null;
}

/** A text with its numbers in words as digits. A lone "one" stays a word, because it is mostly no number. */
function withDigits(text: string): string {
  const written: string[] = [];
  let reading: Reading | null = null;
  let [from, end] = [0, 0];
  const write = (until: number) => {
    if (reading) {
      const number = reading.done + reading.value;
      written.push(number === 1 && reading.words === 1 ? text.slice(from, end) : String(number));
      from = end;
    }
    written.push(text.slice(from, until));
    reading = null;
    from = until;
  };
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const word = found.toLowerCase();
    const open: Reading | null = reading;
    const isJoined = JOINT.test(text.slice(end, index).replace(/^\s+and(?=\s)/i, ''));
    if (word === 'and' && open && (open as Reading).last === 'scale') continue;
    const next: Reading | null = open && isJoined ? extend(open, word) : null;
    if (next) reading = next;
    else {
      const first = begin(word);
      if (!first && !open) continue;
      write(index);
      reading = first;
    }
    end = index + found.length;
  }
  write(text.length);
  return written.join('');
}

const digits = (figure: string) => figure.replaceAll(',', '');

/** A lone "one" that counts: "only one is open", "One row is open". */
const ONE =
  /\b(?:only|just|exactly) one\b|(?:^|[.;:!?]\s+)one [\w-]+(?: [\w-]+)? (?:is|has|was|needs|remains|stands)\b/i;

function monthsIn(text: string): string[] {
  const named = [...text.matchAll(MONTH)].map(
    ([, before, after]) => MONTHS.indexOf((before ?? after ?? '').slice(0, 3)) + 1,
  );
  const numbered = [...text.matchAll(ISO_MONTH)].map(([, month]) => Number(month));
  return [...named, ...numbered].map((month) => `month ${month}`);
}

/**
 * The figures that a text states, in digits or words, each as one text: "25", "72%", "half", "month 3". A share is not
 * its number: 12 of a thing prove no 12%.
 */
export function figuresIn(text: string): string[] {
  const read = withDigits(text);
  const shares = [...read.matchAll(PERCENT)].map(([, figure = '']) => `${digits(figure)}%`);
  const figures = [...read.replaceAll(PERCENT, ' ').matchAll(FIGURE)].map(([figure]) => digits(figure));
  const amounts = [...text.matchAll(AMOUNT)].map(([amount]) => amount.toLowerCase().replace(/^one/, 'a'));
  return [...shares, ...figures, ...(ONE.test(text) ? ['1'] : []), ...amounts, ...monthsIn(read)];
}

/** The figures that a text proves: a share proves its number too. */
export const figuresProvenBy = (text: string): string[] =>
  figuresIn(text).flatMap((figure) => (figure.endsWith('%') ? [figure, figure.slice(0, -1)] : [figure]));
