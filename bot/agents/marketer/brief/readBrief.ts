import { FIELD, type Given, readSentences, type Sentence, titleOf } from './sentences.ts';

/** A value of the brief with where it stands. */
export type Field = { value: string; place: string };

/** What documents and a request say about a product, in their own words. */
export type Brief = {
  product: Field | null;
  audience: Field | null;
  /** What the product is, e.g. "a medicines list for ward nurses": the whole sentence. */
  definition: Sentence | null;
  problem: Field | null;
  callToAction: Field | null;
  /** Sentences of the source that say something of the product, in order. */
  statements: Sentence[];
  /** Sentences under a heading that says that they are internal. */
  internal: Sentence[];
  /** Claims of the request, and lines “Claim: …” of the documents. */
  claims: Field[];
  /** Every sentence of the documents. */
  sentences: Sentence[];
  /** Share of visitors who do it today, and the smallest difference worth finding, both from 0 to 1. */
  test: { baseline: number | null; difference: number | null };
};

/** Values that a person gave as answers. */
export type Answers = { product?: string | undefined; audience?: string | undefined };

const EVIDENCE = /^(?:evidence|tests?|stud(?:y|ies)|audits?|surveys?|results?|sources?|references?)$/i;
const INTERNAL = /^(?:internal|confidential|not for publication|budget)\b/i;
const PROBLEM = /^problems?\b/i;
const FEATURES = /^(?:features?|benefits?|what it does)\b/i;
const OF_PRODUCT = /^(?:it|the (?:app|product|system|tool|service|software)|you|users)\b/i;
const DEFINITION = /^((?:\p{Lu}[\p{L}\d+-]*)(?: \p{Lu}[\p{L}\d+-]*){0,3}) is (?:an?|the) /u;
const NO_NAME = /^(?:it|this|that|there|the|a|an|our|we|brief|notes|copy|positioning)\b/i;

const places = ({ document, line }: { document: string; line: number }): string => `${document}, line ${line}`;

/** Lines of fields in a document, with their places. */
function fieldsOf({ name, text }: Given): { name: string; field: Field }[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const [, key, value] = FIELD.exec(line.replace(/^\s*(?:[•*-]\s+)?/, '').replace(/\*\*/g, '')) ?? [];
    return key && value
      ? [{ name: key.toLowerCase(), field: { value: value.trim(), place: places({ document: name, line: at + 1 }) } }]
      : [];
  });
}

/** "4%" or "4 points" as a share. */
function shareOf(field: Field | undefined): number | null {
  const number = /\d+(?:\.\d+)?/.exec(field?.value ?? '')?.[0];
  const share = number === undefined ? Number.NaN : Number(number) / 100;
  return share > 0 && share < 1 ? share : null;
}

function productOf(given: readonly Given[], sentences: readonly Sentence[]): Field | null {
  for (const sentence of sentences) {
    const name = DEFINITION.exec(sentence.text)?.[1];
    if (name && !NO_NAME.test(name)) return { value: name, place: places(sentence) };
  }
  const [source] = given;
  const title = source ? titleOf(source) : null;
  const isName = title !== null && title.split(' ').length <= 4 && !NO_NAME.test(title);
  return isName && source && sentences.some(({ text }) => text.includes(title))
    ? { value: title, place: `title of ${source.name}` }
    : null;
}

/**
 * Reads a brief. The first document is the source of the copy; the others only give evidence.
 * @param request the words of the person, whose fields count as well
 */
export function readBrief(request: string, given: readonly Given[], answers: Answers = {}): Brief {
  const [source] = given;
  const sentences = given.flatMap(readSentences);
  const asked = fieldsOf({ name: 'your request', text: request });
  const fields = [...asked, ...given.slice(0, 1).flatMap(fieldsOf)];
  const first = (...names: string[]) => fields.find(({ name }) => names.includes(name))?.field;
  const answered = (value: string | undefined): Field | null => (value ? { value, place: 'your answer' } : null);
  const own = sentences.filter(({ document }) => document === source?.name);
  const product = answered(answers.product) ?? first('product', 'name') ?? productOf(given, own);
  const isOf = ({ text, heading, isItem }: Sentence) =>
    (product !== null && text.includes(product.value)) || OF_PRODUCT.test(text) || (isItem && FEATURES.test(heading));
  // What follows in the same paragraph goes on about it.
  const linesOf = new Map<number, number>();
  for (const [at, sentence] of own.entries())
    if (!linesOf.has(sentence.line) && isOf(sentence)) linesOf.set(sentence.line, at);
  const isAfter = ({ line }: Sentence, at: number) => (linesOf.get(line) ?? at) < at;
  const under = (heading: RegExp) => own.filter((sentence) => heading.test(sentence.heading));
  const apart = [EVIDENCE, INTERNAL, PROBLEM];
  const statements = own.filter(
    (it, at) => (isOf(it) || isAfter(it, at)) && !apart.some((heading) => heading.test(it.heading)),
  );
  const definition = statements.find(({ text }) => DEFINITION.exec(text)?.[1] === product?.value) ?? null;
  const named = / for (.+?)(?=[.,;:]| that | which | to |$)/.exec(definition?.text ?? '')?.[1];
  const [problem] = under(PROBLEM);
  return {
    product,
    audience:
      answered(answers.audience) ??
      first('audience', 'for whom') ??
      (named && definition ? { value: named, place: places(definition) } : null),
    definition,
    problem: first('problem') ?? (problem ? { value: problem.text, place: places(problem) } : null),
    callToAction: first('call to action') ?? null,
    statements,
    internal: under(INTERNAL),
    claims: fields.filter(({ name }) => name === 'claim').map(({ field }) => field),
    sentences,
    test: { baseline: shareOf(first('baseline')), difference: shareOf(first('smallest difference')) },
  };
}
