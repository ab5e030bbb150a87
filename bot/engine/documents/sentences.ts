import { wordsOf } from './stems.ts';

/** A document with its text; null where its text can't be read. */
export type ReadDocument = { name: string; text: string | null };

/** A sentence of a document, word for word, with where it stands. */
export type Sentence = {
  document: string;
  /** From 1. */
  line: number;
  /** The heading that it stands under; null before the first. */
  heading: string | null;
  quote: string;
  stems: ReadonlySet<string>;
  headingStems: ReadonlySet<string>;
};

const HEADING = /^#{1,6}\s+(.+?)\s*#*$/;
const ITEM = /^\s*(?:[•*–-]|\d{1,2}[.)])\s+/;
const SHORT = /(?:^|[\s(])(?:e\.g|i\.e|dr|mr|mrs|ms|no|approx|etc|vs|st|fig)\.$/i;
/** Longer sentences come from tables and code, and are not quoted. */
const MAX_QUOTE = 600;
const MIN_WORDS = 3;

function splitLine(line: string): string[] {
  return line.split(/(?<=[.!?])\s+(?=[\p{Lu}\d“"(])/u).reduce<string[]>((sentences, part) => {
    const last = sentences.at(-1);
    if (last !== undefined && SHORT.test(last)) sentences[sentences.length - 1] = `${last} ${part}`;
    else sentences.push(part);
    return sentences;
  }, []);
}

/** The sentences of a document that can be quoted, in their order. */
export function* readSentences({ name, text }: ReadDocument): Generator<Sentence> {
  const isTable = /\.csv$/i.test(name);
  const stemsOf = (quote: string) => wordsOf(isTable ? quote.replaceAll(',', ' ') : quote).map(({ stem }) => stem);
  let heading: string | null = null;
  let headingStems: ReadonlySet<string> = new Set();
  for (const [at, line] of (text ?? '').split(/\r?\n/).entries()) {
    // The first row of a table says what its columns are.
    const marked = isTable && at === 0 ? line : HEADING.exec(line)?.[1];
    if (marked !== undefined) {
      heading = marked;
      headingStems = new Set(wordsOf(marked.replaceAll(',', ' ')).map(({ stem }) => stem));
      continue;
    }
    for (const part of splitLine(line.replace(ITEM, '').replace(/\*\*/g, '').replace(/\t+/g, ' – ').trim())) {
      const quote = part.trim();
      const stems = quote.length <= MAX_QUOTE ? stemsOf(quote) : [];
      if (stems.length >= MIN_WORDS)
        yield { document: name, line: at + 1, heading, quote, headingStems, stems: new Set(stems) };
    }
  }
}
