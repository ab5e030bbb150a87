import type { Brief } from '../brief/readBrief.ts';
import type { Sentence } from '../brief/sentences.ts';
import { figuresOf, findEvidence, findSameWords } from './evidence.ts';
import { type ClaimKind, EFFECT, FIGURE, INTERNAL, KINDS, NO_SOURCE } from './kinds.ts';

/** Words with where they stand: "Brief.md, line 3". */
export type Quote = { text: string; place: string };

/** A sentence that may stand in the copy, with what bears it. */
export type Written = Quote & {
  /** The kind of claim; null for a plain statement of what the product does. */
  kind: string | null;
  /** The sentence that bears it; the sentence itself for a plain statement. */
  evidence: Quote;
};

/** A claim that is not written, with the reason. */
type Flagged = Quote & {
  kind: string;
  reason: string;
  rule: string | null;
  isMedical: boolean;
};

export type Checked = { written: Written[]; flagged: Flagged[] };

const VERB_OF_EFFECT =
  /\b(?:sav\w+|cuts?|reduc\w+|increas\w+|improv\w+|rais\w+|halv\w+|doubl\w+|tripl\w+|boost\w*|speeds? up|gains?)\b/i;

/** The kind of claim that a sentence makes; null for a plain statement. */
export function kindOf(text: string): ClaimKind | null {
  const found = KINDS.find(({ words }) => words.test(text));
  if (found) return found;
  const hasFigure = figuresOf(text).length > 0;
  if (hasFigure && (FIGURE.words.test(text) || VERB_OF_EFFECT.test(text))) return FIGURE;
  return EFFECT.words.test(text) || VERB_OF_EFFECT.test(text) ? EFFECT : null;
}

const placeOf = ({ document, line }: Sentence): string => `${document}, line ${line}`;
const quoteOf = (sentence: Sentence): Quote => ({ text: sentence.text, place: placeOf(sentence) });

const flag = (text: string, place: string, { id, reason, rule, isMedical }: ClaimKind): Flagged => ({
  text,
  place,
  kind: id,
  reason,
  rule,
  isMedical: isMedical === true,
});

/** Checks every statement about the product, and every claim of the request, against the documents. */
export function checkClaims(brief: Brief): Checked {
  const { statements, internal, claims, sentences, product } = brief;
  const written: Written[] = [];
  const flagged: Flagged[] = [];
  const name = product?.value ?? '';
  const seen = new Set<string>();
  for (const sentence of statements) {
    if (seen.has(sentence.text)) continue;
    seen.add(sentence.text);
    const kind = kindOf(sentence.text);
    const evidence = kind?.needs === 'evidence' ? findEvidence(sentence.text, name, sentences, sentence) : null;
    if (kind === null) written.push({ ...quoteOf(sentence), kind: null, evidence: quoteOf(sentence) });
    else if (evidence) written.push({ ...quoteOf(sentence), kind: kind.id, evidence: quoteOf(evidence) });
    else flagged.push(flag(sentence.text, placeOf(sentence), kind));
  }
  for (const sentence of internal) flagged.push(flag(sentence.text, placeOf(sentence), INTERNAL));
  const kept = new Set(internal);
  const open = sentences.filter((sentence) => !kept.has(sentence));
  for (const { value, place } of claims) {
    const kind = kindOf(value);
    const evidence =
      kind === null
        ? findSameWords(value, open)
        : kind.needs === 'evidence'
          ? findEvidence(value, name, open, null)
          : null;
    if (!evidence) flagged.push(flag(value, place, kind ?? NO_SOURCE));
    else if (!written.some(({ text }) => text === value || text === evidence.text))
      written.push({ text: value, place, kind: kind?.id ?? null, evidence: quoteOf(evidence) });
  }
  // What stands in the copy without being a statement is checked as strictly.
  for (const field of [brief.audience, brief.problem, brief.callToAction]) {
    const kind = field && kindOf(field.value);
    if (kind) flagged.push(flag(field.value, field.place, kind));
  }
  return { written, flagged };
}
