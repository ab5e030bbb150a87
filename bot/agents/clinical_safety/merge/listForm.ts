/** "1) ", "2. " or "(3) " at the start of an item. */
const NUMBER = /^(\s*\(?)(\d{1,3})([).:])(\s*)/;
const BULLET = /^(\s*[-–•*·]\s+)/;
/** A number in the middle of a line: "1) Unit lost 2) Rounding". */
const INLINE = /(?:^|\s)\(?(\d{1,3})([).])\s/g;

type Form = { joiner: string; mark: (at: number) => string };

const lastOf = <Item>(items: readonly Item[]): Item | undefined => items.at(-1);

/** How a cell lists its items; null where it has one item, or none, which says nothing of its form. */
function readForm(text: string): Form | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const numbered = lines.flatMap((line) => NUMBER.exec(line) ?? []);
  const inline = lines.length === 1 ? [...text.matchAll(INLINE)] : [];
  if (inline.length > 1) {
    const [, number = '0', end = ')'] = lastOf(inline) ?? [];
    return { joiner: ' ', mark: (at) => `${Number(number) + at}${end} ` };
  }
  const last = lines.map((line) => NUMBER.exec(line)).findLast((match) => match !== null);
  if (last && numbered.length > 0) {
    const [, open = '', number = '0', end = ')', space = ' '] = last;
    return { joiner: '\n', mark: (at) => `${open}${Number(number) + at}${end}${space}` };
  }
  const bullet = lines.map((line) => BULLET.exec(line)).findLast((match) => match !== null)?.[1];
  if (bullet) return { joiner: '\n', mark: () => bullet };
  if (lines.length === 1 && text.includes('; ')) return { joiner: '; ', mark: () => '' };
  return lines.length > 1 ? { joiner: '\n', mark: () => '' } : null;
}

/**
 * What is added to a cell so that it lists further items in the log's own form: the next numbers, a bullet, a further
 * line. Nothing that stands in the cell is changed.
 * @param others the column's other cells, which decide the form of an empty cell
 */
export function addedText(existing: string, items: readonly string[], others: readonly string[]): string {
  const own = readForm(existing);
  const isEmpty = existing.trim() === '';
  const usual = isEmpty ? others.map(readForm).find((form) => form !== null) : null;
  // In an empty cell numbers begin with 1 again.
  const first = usual ? others.find((text) => readForm(text) !== null) : undefined;
  const opening = first === undefined ? null : NUMBER.exec(first.trimStart());
  const mark = (at: number): string => {
    if (own) return own.mark(at);
    if (opening) return `${opening[1] ?? ''}${at}${opening[3] ?? ')'}${opening[4] ?? ' '}`;
    return usual?.joiner === '\n' ? usual.mark(at) : '';
  };
  const joiner = own?.joiner ?? '\n';
  const listed = items.map((item, at) => `${mark(at + 1)}${item}`).join(joiner);
  return isEmpty ? listed : `${joiner}${listed}`;
}
