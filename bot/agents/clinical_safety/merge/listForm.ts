/** "1) ", "2. " or "(3) " at the start of a line, but not the number of "1.5 mg", "2.x", "12:30" or "2:nd". */
const NUMBER = /^(\s*\(?)(\d{1,3})(\)|\.(?!\d|\p{Ll}(?!\p{L}))|:(?!\d|\p{Ll}))(\s*)/u;
/** A number in the middle of a line: "1) Unit lost; 2) Rounding". */
const INLINE = /([;,]?\s{1,9})(\(?)(\d{1,3})([).])(?=\s)/g;
/** "2.1 " in a list of "2.1 Unit lost" and "2.2 Rounding". */
const NESTED = /^(\s*(?:\d{1,3}\.){1,4})(\d{1,3})(\s+)/;
const BULLET = /^(\s*[-–•*·]\s+)/;

/** How a cell lists its items: what stands between two, and the mark of the nth. */
type ListForm = {
  joiner: string;
  mark: (at: number) => string;
  /** The number of its last item; 0 without numbers. */
  last: number;
  /** Whether its numbers begin with those of its hazard, so that they say nothing of other cells. */
  isNested?: true;
};

const LINES: ListForm = { joiner: '\n', mark: () => '', last: 0 };

/** The number of an item: "(2) " has an opening bracket, and "02) " two digits. */
type Mark = { before: string; open: string; number: string; end: string; space: string };

/** The numbers of a line's items: the first at its start or after a colon, the others count up in the same form. */
function readMarks(line: string): Mark[] {
  const marks: Mark[] = [];
  const own = NUMBER.exec(line);
  if (own) {
    const [, open = '', number = '', end = '', space = ''] = own;
    marks.push({ before: '', open, number, end, space });
  }
  for (const match of line.matchAll(INLINE)) {
    const [, before = '', open = '', number = '', end = ''] = match;
    const last = marks.at(-1);
    const follows = last
      ? Number(number) === Number(last.number) + 1 && end === last.end
      : line.slice(0, match.index).endsWith(':');
    if (follows) marks.push({ before, open, number, end, space: ' ' });
  }
  return marks;
}

function readNumbered(lines: readonly string[]): ListForm | null {
  const marks = lines.map(readMarks).findLast(({ length }) => length > 0);
  const [first, last] = [marks?.[0], marks?.at(-1)];
  if (!first || !last) return null;
  const inOneLine = lines.length === 1 && first !== last;
  const { open, end, space } = inOneLine ? last : first;
  const digits = last.number.startsWith('0') ? last.number.length : 1;
  return {
    joiner: inOneLine ? last.before : '\n',
    mark: (at) => `${open}${String(at).padStart(digits, '0')}${end}${space}`,
    last: Number(last.number),
  };
}

function readNested(lines: readonly string[]): ListForm | null {
  const [before, last] = lines
    .flatMap((line) => [NESTED.exec(line) ?? []])
    .filter(({ length }) => length > 0)
    .slice(-2);
  if (!before || !last || before[1] !== last[1] || Number(before[2]) + 1 !== Number(last[2])) return null;
  return { joiner: '\n', mark: (at) => `${last[1]}${at}${last[3]}`, last: Number(last[2]), isNested: true };
}

/** How a cell lists its items; null where it has one without a mark, or none, which says nothing of its form. */
function readForm(text: string): ListForm | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const numbered = readNumbered(lines) ?? readNested(lines);
  if (numbered) return numbered;
  const bullet = lines.map((line) => BULLET.exec(line)).findLast((match) => match !== null)?.[1];
  if (bullet) return { joiner: '\n', mark: () => bullet, last: 0 };
  if (lines.length === 1 && text.includes('; ')) return { joiner: '; ', mark: () => '', last: 0 };
  return lines.length > 1 ? LINES : null;
}

/** The form in which most cells of a column list their items, the first of several; null where none lists any. */
export function usualForm(texts: readonly string[]): ListForm | null {
  const counts = new Map<string, { form: ListForm; count: number }>();
  for (const text of texts) {
    const form = readForm(text);
    if (!form || form.isNested) continue;
    const key = `${form.joiner}${form.mark(1)}`;
    counts.set(key, { form, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.form ?? null;
}

/** An item without the number or bullet that it has in a list. */
export function withoutMark(item: string): string {
  const [mark = '', , , end, space] = NUMBER.exec(item) ?? [];
  return (space || end === ')' ? item.slice(mark.length) : item.replace(BULLET, '')).trim();
}

/** The rest of a joiner after a text that may end with its beginning: " " of "; " after "A;". */
function restOf(joiner: string, text: string): string {
  for (let length = joiner.length; length > 0; length -= 1)
    if (text.endsWith(joiner.slice(0, length))) return joiner.slice(length);
  return joiner;
}

/**
 * The text to add to a cell so that it lists further items in the log's own form: the next numbers, a bullet, a further
 * line. Nothing that stands in the cell is changed.
 * @param usual the usual form of the column, which decides where the cell has none: numbers begin with 1 in an empty
 *   cell, and one item without a mark gets no further ones with a mark
 */
export function addedText(existing: string, items: readonly string[], usual: () => ListForm | null): string {
  const isEmpty = existing.trim() === '';
  const own = readForm(existing);
  const others = own ? null : usual();
  const form = own ?? (others && (isEmpty || others.mark(1) === '') ? others : LINES);
  const last = own?.last ?? 0;
  const listed = items.map((item, at) => `${form.mark(last + at + 1)}${item}`).join(form.joiner);
  return isEmpty ? listed : `${restOf(form.joiner, existing)}${listed}`;
}
