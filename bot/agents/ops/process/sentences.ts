/** A sentence of a description, word for word, with where it stands. */
export type Sentence = {
  text: string;
  /** The heading that it stands under, in lower case; empty before the first. */
  section: string;
  /** Whether it is an item of a list, or belongs to one. */
  isItem: boolean;
  /** The line of the description, from 1. */
  line: number;
};

const HEADING = /^#{1,6}\s+(\S.*)$/;
/** The words of a heading without the marks that close it. */
const unmarked = (heading: string): string => heading.replace(/(?<!#)#+$/, '').trimEnd();
const ITEM = /^\s*(?:[•*–-]|\(?\d{1,2}[.)]|\(?[a-z][.)]|step \d{1,2}[.:)])\s+(?=\S)/i;
const RULE = /^[\s|:_=-]+$/;
/** A word with a point that does not end a sentence. */
const SHORT = /(?:^|[\s(])(?:e\.g|i\.e|dr|mr|mrs|ms|prof|no|approx|etc|vs|st|fig|max|min)\.$/i;
/** More characters than the longest of these has, with what stands before it. */
const LONGEST_SHORT = 20;

const plain = (line: string): string =>
  line
    .replace(/\*\*|__|`/g, '')
    .replace(/^\s*>\s?/, '')
    .trim();

/** A short line that stands alone and ends with a colon, or a numbered short line of capitals, is a heading. */
function headingOf(line: string, next: string | undefined): string | null {
  const marked = unmarked(HEADING.exec(line)?.[1] ?? '');
  if (marked) return plain(marked).replace(/^\d+(?:\.\d+)*[.)]?\s+/, '');
  const text = plain(line);
  if (text.length > 60 || /[.;!?,]$/.test(text) || ITEM.test(line)) return null;
  const isKnown =
    /^(?:purpose|aims?|scope|roles?(?: and responsibilities)?|responsibilities|steps?|procedure|process|records?|exceptions?|definitions|background|references):?$/i.test(
      text,
    );
  const isBold = /^\s*\*\*[^*]+\*\*:?\s*$/.test(line);
  const isCapitals = text === text.toUpperCase() && /\p{Lu}{4}/u.test(text);
  const isLabel = text.endsWith(':') && text.split(' ').length <= 4 && next !== undefined;
  return isKnown || isBold || isCapitals || isLabel ? text.replace(/:$/, '') : null;
}

/** The sentences of a text; a point behind a short form ends none. */
export function splitSentences(text: string): string[] {
  const sentences: string[][] = [];
  let isOpen = false;
  for (const part of text.split(/(?<=[.!?])\s+(?=[\p{Lu}\d“"(])/u)) {
    if (isOpen) sentences.at(-1)?.push(part);
    else sentences.push([part]);
    isOpen = SHORT.test(part.slice(-LONGEST_SHORT));
  }
  return sentences.map((parts) => parts.join(' '));
}

/** The title of a description: its first heading of level 1, or a first line that is one; null where it has none. */
export function titleOf(description: string): string | null {
  const lines = description.split('\n').filter((line) => line.trim() !== '');
  const marked = lines.map((line) => unmarked(/^#\s+(\S.*)$/.exec(line)?.[1] ?? '')).find(Boolean);
  if (marked) return plain(marked);
  const [first, second] = lines;
  const heading = first === undefined ? null : headingOf(first, second);
  return heading !== null && second !== undefined && !/^(?:purpose|scope|aim|steps|roles)\b/i.test(heading)
    ? heading
    : null;
}

/** The next line that is not empty; undefined where none follows. */
function nextOf(lines: readonly string[], at: number): string | undefined {
  for (let place = at + 1; place < lines.length; place += 1) if (lines[place]?.trim() !== '') return lines[place];
  return undefined;
}

/** Every sentence of a description with its place; headings give the section. */
export function readSentences(description: string): Sentence[] {
  const lines = description.split(/\r?\n/);
  const title = titleOf(description);
  let section = '';
  return lines.flatMap((line, at): Sentence[] => {
    if (line.trim() === '' || RULE.test(line)) return [];
    const heading = headingOf(line, nextOf(lines, at));
    if (heading !== null) {
      section = heading === title ? '' : heading.toLowerCase();
      return [];
    }
    const isItem = ITEM.test(line);
    const text = plain(isItem ? line.replace(ITEM, '') : line).replace(/\t+/g, ' – ');
    return splitSentences(text)
      .filter((sentence) => /\p{L}/u.test(sentence))
      .map((sentence) => ({ text: sentence.trim(), section, isItem, line: at + 1 }));
  });
}
