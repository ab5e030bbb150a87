import { type Evidence, idsIn, makeEvidence, QUOTE } from './evidence.ts';
import { sentencesOf } from './sentences.ts';

/** The number of a source: [1], [1, 2]. */
const CITATION = /\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;
/** The number of a list item. */
const ITEM = /^\s*(?:\d+[.)]|[-•*])\s+/;

const CLAIM =
  /\b(?:is|are|be|was|were|now|remains?|seems?|looks?|considered|deemed)\s+(?:\w+\s+)?(?:safe|compliant|conformant|acceptable|tolerable|approved|certified|harmless)\b|\b(?:no|without|negligible) (?:\w+ )?risk\b|\b(?:meets|satisfies|complies with|conforms to)\b/i;
/** What only a person or an approved tool does. */
const DEED =
  /\b(?:I|I[’']ve|I have|we|we[’']ve|we have)\s+(?:have\s+|now\s+|just\s+)*(?:done|set|changed|updated|approved|accepted|closed|rated|re-rated|signed|released|deleted|removed|added|created|sent|merged|scheduled|moved|edited|marked)\b/i;

/** A deed without its doer: "the rating has been changed". */
const DONE =
  /\b(?:has|have|had)\s+(?:now\s+|just\s+|already\s+)*been\s+(?:now\s+)?(?:set|changed|updated|approved|accepted|closed|lowered|raised|re-rated|signed|released|deleted|removed|added|created|sent|merged|scheduled|moved|edited|marked)\b/i;
/** An address: only sources lead anywhere, because outside text can have an answer send people where it likes. */
const LINK = /\bhttps?:|\bwww\.|\]\(/i;

/** Why a sentence can't stand; null where it can. */
type Fault = 'figure' | 'id' | 'quote' | 'claim' | 'deed' | 'source' | 'link' | 'term';

function faultOf(sentence: string, evidence: ReturnType<typeof makeEvidence>, deeds: boolean): Fault | null {
  const cited = [...sentence.matchAll(CITATION)].flatMap(([, numbers = '']) => numbers.split(',').map(Number));
  if (cited.some((number) => number < 1 || number > evidence.sources)) return 'source';
  const text = sentence.replaceAll(CITATION, '').replace(ITEM, '');
  if (LINK.test(text)) return 'link';
  if (CLAIM.test(text)) return 'claim';
  if ((DEED.test(text) || DONE.test(text)) && !deeds) return 'deed';
  for (const [, ...quoted] of text.matchAll(QUOTE)) {
    if (!evidence.isQuoted(quoted.find((one) => one !== undefined) ?? '')) return 'quote';
  }
  const own = evidence.ownWords(text);
  if ([...idsIn(own)].some((id) => !evidence.isId(id))) return 'id';
  if (evidence.unknownFigures(own).length > 0) return 'figure';
  return evidence.unknownTerms(own).length > 0 ? 'term' : null;
}

/** An answer after its check: the sentences that may stand, in order, and what was wrong with the others. */
type Checked = { text: string; faults: Fault[] };

/**
 * Checks each sentence of an answer: every figure, id, clause and quotation has to stand in a tool's result of this run,
 * a figure, or a word for how something stands, beside an id on a line about it; nothing leads elsewhere, nothing is claimed to be safe or compliant, and no deed is claimed that no
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
