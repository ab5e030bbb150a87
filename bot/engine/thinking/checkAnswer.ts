import { asRead, isDisguised } from './asRead.ts';
import { type Evidence, idsIn, makeEvidence, QUOTE } from './evidence.ts';
import { sentencesOf } from './sentences.ts';

/** The number of a source: [1], [1, 2]. */
const CITATION = /\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;
/** The number of a list item. */
const ITEM = /^\s*(?:\d+[.)]|[-•*])\s+/;

/** Words that say that something is safe, accepted or compliant: only people do. */
const CLAIM =
  /(?:\b(?:is|are|be|was|were|now|remains?|seems?|looks?|considered|deemed)|[’'](?:s|re)),?\s+(?:[\w’'-]+,?\s+){0,3}(?:safe|compliant|conformant|acceptable|tolerable|approved|certified|harmless|ALARP|risk-free)\b|\b(?:no|without|negligible) (?:\w+ )?(?:risk|danger)\b|\b(?:meets|satisfies|complies with|conforms to|in compliance with|risk-free|nothing to worry|without worry)\b|\bsafe (?:to|for|enough)\b|\bsafely\b|^\s*safe\s*(?:[:.!]|$)|(?:\bnot|n[’']t) (?:\w+ )?(?:dangerous|harmful|unsafe|be harmed)\b|\bfit for (?:\w+ )?(?:use|purpose|release)\b|\bready (?:for release|for use|to (?:release|deploy|go live))\b|\breduced as (?:far|low) as\b/i;
/** Deeds that only a person or an approved tool does. */
const DEED =
  /\b(?:I|we)(?:[’']ve)?\s+(?:(?:have|now|just|already|also|successfully|gone|went|ahead|and|then)\s+)*(?:done|set|changed|updated|approved|accepted|closed|lowered|raised|reduced|rated|re-rated|signed|released|deleted|removed|added|created|sent|merged|scheduled|moved|edited|marked)\b/i;

/** A deed without its doer: "the rating has been changed", "is now closed", "was closed by me". */
const DONE =
  /\b(?:(?:has|have|had)\s+(?:now\s+|just\s+|already\s+)*been\s+(?:now\s+)?|(?:is|are)\s+now\s+)(?:set|changed|updated|approved|accepted|closed|lowered|raised|reduced|re-rated|signed|released|deleted|removed|added|created|sent|merged|scheduled|moved|edited|marked)\b|\bby (?:me|us)\b|^\s*done\b/i;
/**
 * An address, with or without a protocol, because chats make links of bare ones: only sources lead anywhere, as outside
 * text can have an answer send people where it likes.
 */
const LINK =
  /\b[a-z][a-z0-9+]*:\/\/|\/\/\w|\bhttps?:|\b(?:mailto|javascript):|\bwww\.|\]\s*[([]|\]:|\S@[\w-]+\.\w|\[\.\]|\b(?:[\w-]+\.)+(?:com|org|net|info|biz|io|co|uk|eu|us|de|fr|cn|ru|dev|app|ai|me|ly|gg|xyz|site|online|link|click|top|health|nhs)\b/i;
/** Says of all that there is none: a count of zero. */
const DENIAL =
  /\b(?:none|nil)\b|\bno (?:[\w-]+ ){1,3}(?:is|are|has|have|was|were)\b|\b(?:is|are|was|were|has|have) no\b|\bnot (?:a single|one)\b/i;

/** Why a sentence can't stand; null where it can. */
type Fault = 'figure' | 'id' | 'quote' | 'claim' | 'deed' | 'source' | 'link' | 'sweep' | 'term' | 'disguise';

function faultOf(given: string, evidence: ReturnType<typeof makeEvidence>, deeds: boolean): Fault | null {
  const sentence = asRead(given);
  if (isDisguised(sentence)) return 'disguise';
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
  if (evidence.unknownFigures(own).length > 0 || (DENIAL.test(own) && !evidence.saysNone(own))) return 'figure';
  if (evidence.unknownSweeps(own).length > 0) return 'sweep';
  return evidence.unknownTerms(own).length > 0 ? 'term' : null;
}

/** An answer after its check: the sentences that may stand, in order, and what was wrong with the others. */
type Checked = { text: string; faults: Fault[] };

/**
 * Checks each sentence of an answer: every figure, id, clause and quotation has to stand in a tool's result of this run,
 * a figure, or a word for how something stands, beside an id on a line about it; so has what is said of all or most, of
 * a place in an order or of a bound. Nothing leads elsewhere, nothing is claimed to be safe or compliant, and no deed is
 * claimed that no tool did.
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
