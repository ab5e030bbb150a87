/** A sentence of a document, word for word, with where it stands. */
export type Sentence = {
  text: string;
  document: string;
  /** The heading that it stands under; empty before the first. */
  heading: string;
  /** The line of the document, from 1. */
  line: number;
  isItem: boolean;
};

/** A document as it was given. */
export type Given = { name: string; text: string };

const ITEM = /^\s*(?:[•*–-]|\d{1,2}[.)])\s+(?=\S)/;
const RULE = /^[\s|:_=-]+$/;
const HEADING = /^#{1,6}\s+/;
const SECTION =
  /^(?:features?|benefits?|what it does|problems?|evidence|tests?|stud(?:y|ies)|audits?|surveys?|results?|sources?|references?|internal|confidential|not for publication|budget|product|audience|claims?):?$/i;
/** More characters than a sentence of copy can have; longer ones are cut at line ends only, so they are left out. */
const MAX_CHARACTERS = 600;
/** A word with a point that does not end a sentence. */
const SHORT = /(?:^|[\s(])(?:e\.g|i\.e|dr|mr|mrs|ms|prof|no|approx|etc|vs|st|fig)\.$/i;

const plain = (line: string): string =>
  line
    .replace(/\*\*|__|`/g, '')
    .replace(/^\s*>\s?/, '')
    .replace(/\t+/g, ' – ')
    .trim();

/** A field of a brief: "Audience: ward nurses". */
export const FIELD =
  /^(product|name|audience|for whom|problem|call to action|baseline|smallest difference|claim)\s*:\s*(\S.*)$/i;

function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let isOpen = false;
  for (const part of text.split(/(?<=[.!?][”"]?)\s+(?=[\p{Lu}\d“"(])/u)) {
    if (isOpen) sentences.push(`${sentences.pop() ?? ''} ${part}`);
    else sentences.push(part);
    isOpen = SHORT.test(part.slice(-20));
  }
  return sentences.map((sentence) => sentence.trim());
}

function headingOf(line: string): string | null {
  if (HEADING.test(line)) return plain(line.replace(HEADING, '').replace(/(?:(?<!\s)\s+)?(?<!#)#+$/, ''));
  const text = plain(line);
  return SECTION.test(text) || /^\s*\*\*[^*]{2,60}\*\*:?\s*$/.test(line) ? text.replace(/:$/, '') : null;
}

/** The sentences of a document with their places. Headings, rules and fields of the brief are none. */
export function readSentences({ name, text }: Given): Sentence[] {
  let heading = '';
  return text.split(/\r?\n/).flatMap((line, at): Sentence[] => {
    const here = headingOf(line);
    if (here !== null) {
      heading = here;
      return [];
    }
    const isItem = ITEM.test(line);
    const words = plain(isItem ? line.replace(ITEM, '') : line);
    if (words === '' || RULE.test(words) || FIELD.test(words)) return [];
    return splitSentences(words)
      .filter((sentence) => /\p{L}/u.test(sentence) && sentence.length <= MAX_CHARACTERS)
      .map((sentence) => ({ text: sentence, document: name, heading, line: at + 1, isItem }));
  });
}

/** The first heading of a document; null where it has none. */
export const titleOf = ({ text }: Given): string | null => {
  const line = text.split(/\r?\n/).find((one) => HEADING.test(one));
  return line === undefined ? null : plain(line.replace(HEADING, ''));
};
