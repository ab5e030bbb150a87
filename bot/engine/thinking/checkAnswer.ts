import { sentencesOf } from './sentences.ts';
import type { Result } from './transcript.ts';

/** Words for numbers that a sentence may state; "one" is left out, because it is mostly no number. */
const NUMBER_WORDS = new Map(
  'zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, at) => [word, String(at === 0 ? 0 : at + 1)]),
);
const WORD = /\b[a-z]+\b/gi;

/** Ids such as V-12, RX-1589, H12. */
const ID = /\b[A-Z][A-Z0-9]{0,9}-?\d[A-Z0-9.-]*\b/gi;
/** Figures and clause numbers: 4.4.1, 1,589, 72%. */
const FIGURE = /\d+(?:[.,]\d+)*/g;
const QUOTE = /“([^”]+)”|"([^"]+)"|‘([^’]{3,})’/g;
/** The number of a source: [1], [1, 2]. */
const CITATION = /\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;
/** The number of a list item. */
const ITEM = /^\s*(?:\d+[.)]|[-•*])\s+/;

const CLAIM =
  /\b(?:is|are|be|was|were|now|remains?|seems?|looks?|considered|deemed)\s+(?:\w+\s+)?(?:safe|compliant|conformant|acceptable|tolerable|approved|certified|harmless)\b|\b(?:no|without|negligible) (?:\w+ )?risk\b|\b(?:meets|satisfies|complies with|conforms to)\b/i;
/** What only a person or an approved tool does. */
const DEED =
  /\b(?:I|I[’']ve|I have|we|we[’']ve|we have)\s+(?:have\s+|now\s+|just\s+)*(?:set|changed|updated|approved|accepted|closed|rated|re-rated|signed|released|deleted|removed|added|created|sent|merged|scheduled|moved|edited|marked)\b/i;

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('’', "'").toLowerCase();
const digits = (figure: string) => figure.replaceAll(',', '');
const idsIn = (text: string) => new Set([...text.matchAll(ID)].map(([id]) => id.toLowerCase().replace(/[.-]+$/, '')));
const figuresIn = (text: string) => [
  ...[...text.replaceAll(ID, ' ').matchAll(FIGURE)].map(([figure]) => digits(figure)),
  ...[...text.matchAll(WORD)].flatMap(([word]) => NUMBER_WORDS.get(word.toLowerCase()) ?? []),
];

/** What an answer may state: everything that tools found in its run, and the words of the question. */
type Evidence = { question: string; results: readonly Result[] };

function makeEvidence({ question, results }: Evidence) {
  const lines = results.flatMap(({ text }) => text.split('\n'));
  const said = plain(results.map(({ text }) => text).join('\n'));
  const idsOfLines = lines.map((line) => ({ ids: idsIn(line), figures: new Set(figuresIn(line)) }));
  const allIds = new Set([...idsOfLines.flatMap(({ ids }) => [...ids])]);
  return {
    sources: results.length,
    said,
    isId: (id: string) => allIds.has(id),
    /** A figure beside ids has to stand on a line with one of them; a figure alone anywhere. */
    isFigure(figure: string, ids: ReadonlySet<string>) {
      const near = idsOfLines.filter(({ ids: of }) => [...ids].some((id) => of.has(id)));
      const where = ids.size > 0 && near.length > 0 ? near : idsOfLines;
      return (
        where.some(({ figures }) => figures.has(figure)) || (where !== near && figuresIn(question).includes(figure))
      );
    },
  };
}

/** Why a sentence can't stand; null where it can. */
type Fault = 'figure' | 'id' | 'quote' | 'claim' | 'deed' | 'source';

function faultOf(sentence: string, evidence: ReturnType<typeof makeEvidence>, deeds: boolean): Fault | null {
  const cited = [...sentence.matchAll(CITATION)].flatMap(([, numbers = '']) => numbers.split(',').map(Number));
  if (cited.some((number) => number < 1 || number > evidence.sources)) return 'source';
  const text = sentence.replaceAll(CITATION, '').replace(ITEM, '');
  if (CLAIM.test(text)) return 'claim';
  if (DEED.test(text) && !deeds) return 'deed';
  for (const [, ...quoted] of text.matchAll(QUOTE)) {
    const quote = quoted.find((one) => one !== undefined) ?? '';
    if (!evidence.said.includes(plain(quote).replace(/[.,;:!?…]+$/, ''))) return 'quote';
  }
  const ids = idsIn(text);
  if ([...ids].some((id) => !evidence.isId(id))) return 'id';
  if (figuresIn(text).some((figure) => !evidence.isFigure(figure, ids))) return 'figure';
  return null;
}

/** An answer after its check: the sentences that may stand, in order, and what was wrong with the others. */
type Checked = { text: string; faults: Fault[] };

/**
 * Checks each sentence of an answer: every figure, id, clause and quotation has to stand in a tool's result of this run,
 * a figure beside an id on a line with it; nothing is claimed to be safe or compliant, and no deed is claimed that no
 * tool did.
 * @param deeds whether a tool that writes was used in this run
 */
export function checkAnswer(answer: string, given: Evidence, deeds = false): Checked {
  const evidence = makeEvidence(given);
  const faults: Fault[] = [];
  const kept = sentencesOf(answer).filter((sentence) => {
    const fault = faultOf(sentence, evidence, deeds);
    if (fault) faults.push(fault);
    return !fault;
  });
  return { text: kept.join('').trim(), faults };
}
