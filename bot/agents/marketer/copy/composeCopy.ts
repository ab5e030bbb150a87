import type { Brief, Field } from '../brief/readBrief.ts';
import { type Checked, kindOf, type Quote, type Written } from '../claims/checkClaims.ts';
import { planTest, type TestPlan } from './abPlan.ts';

/** A place that only a person can fill, in words. */
type Gap = { gap: string };

/** A piece of the copy: the words of a document with their place, or a gap. */
export type Piece = Quote | Gap;

export const isGap = (piece: Piece): piece is Gap => 'gap' in piece;

/** Copy of one kind: a post, a mail, a page. */
type Text = { title: string; parts: { label: string; pieces: Piece[] }[] };

export type Copy = {
  positioning: { label: string; piece: Piece }[];
  /** The same page with two headlines. B is a gap where the documents give no second one. */
  headlines: { a: Piece; b: Piece; isTestable: boolean };
  texts: Text[];
  plan: TestPlan;
};

const POST_CHARACTERS = 280;
const POINTS = 3;
const BULLETS = 5;

/** A value of the brief, or a gap where it was not given or makes a claim. */
const pieceOf = (field: Field | null, gap: string): Piece =>
  field === null || kindOf(field.value) !== null ? { gap } : { text: field.value, place: field.place };

/** Claims with evidence come first, then what the product does, in the order of the documents. */
function ranked(written: readonly Written[], definition: string | undefined): Written[] {
  const weight = ({ kind }: Written) => (kind === null ? 1 : 0);
  return written.filter(({ text }) => text !== definition).sort((one, other) => weight(one) - weight(other));
}

/** As many pieces as a post can hold, in order; a longer one is left out whole. */
function withinPost(pieces: readonly Piece[]): Piece[] {
  let left = POST_CHARACTERS;
  return pieces.filter((piece) => {
    const size = isGap(piece) ? 0 : piece.text.length + 1;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

/** Different pieces only: a sentence stands once in a text. */
function once(pieces: readonly Piece[]): Piece[] {
  const seen = new Set<string>();
  return pieces.filter((piece) => {
    const key = isGap(piece) ? piece.gap : piece.text;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

const quote = ({ text, place }: Quote): Quote => ({ text, place });

/** Puts the copy together from sentences of the documents and claims with evidence, word for word. */
export function composeCopy(brief: Brief, { written }: Checked): Copy {
  const defined = written.find(({ text }) => text === brief.definition?.text);
  const points = ranked(written, defined?.text).map(quote);
  const what: Piece = defined ? quote(defined) : { gap: 'what the product is, in one sentence' };
  const call = pieceOf(brief.callToAction, 'call to action');
  const a: Piece = points[0] ?? { gap: 'headline: no sentence of the documents can be one' };
  const problem = pieceOf(brief.problem, 'the problem that it solves');
  const second: Piece | undefined = isGap(problem) ? points[1] : problem;
  const b: Piece = second ?? { gap: 'second headline: the documents give only one' };
  const proof = written.filter(({ kind }) => kind !== null).map(({ evidence }) => quote(evidence));
  return {
    positioning: [
      {
        label: 'Product',
        // A name is used as it is: the words around it are checked.
        piece: brief.product
          ? { text: brief.product.value, place: brief.product.place }
          : { gap: 'the product’s name' },
      },
      { label: 'For', piece: pieceOf(brief.audience, 'for whom it is') },
      { label: 'Problem', piece: problem },
      { label: 'What it is', piece: what },
      { label: 'First benefit', piece: a },
      { label: 'Unlike', piece: { gap: 'what people use instead, and how it differs' } },
    ],
    headlines: { a, b, isTestable: !isGap(a) && !isGap(b) },
    texts: [
      {
        title: 'Post',
        parts: [{ label: `At most ${POST_CHARACTERS} characters`, pieces: once(withinPost([a, what, call])) }],
      },
      {
        title: 'Mail',
        parts: [
          { label: 'Subject', pieces: [a] },
          { label: 'Text', pieces: once([...(isGap(problem) ? [] : [problem]), what, ...points.slice(0, POINTS)]) },
          { label: 'Call to action', pieces: [call] },
        ],
      },
      {
        title: 'Page',
        parts: [
          { label: 'Headline', pieces: [a] },
          { label: 'Below it', pieces: [what] },
          { label: 'Points', pieces: once(points.slice(0, BULLETS)) },
          { label: 'Where the figures come from', pieces: once(proof) },
          { label: 'Call to action', pieces: [call] },
        ].filter(({ pieces }) => pieces.length > 0),
      },
    ],
    plan: planTest(brief.test.baseline, brief.test.difference),
  };
}

/** Every piece of the copy. */
export const piecesOf = ({ positioning, headlines, texts }: Copy): Piece[] => [
  ...positioning.map(({ piece }) => piece),
  headlines.a,
  headlines.b,
  ...texts.flatMap(({ parts }) => parts.flatMap(({ pieces }) => pieces)),
];
