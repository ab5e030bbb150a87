import type { Brief } from '../brief/readBrief.ts';
import { type Checked, kindOf } from '../claims/checkClaims.ts';
import { figuresOf } from '../claims/evidence.ts';
import { type Copy, isGap, piecesOf } from './composeCopy.ts';

/**
 * Checks the copy before it is kept: every piece is a sentence or a value that was given, every figure of it stands in
 * a document or in the request, and no claim that was flagged is in it.
 * @param given all words of the request and of the documents
 * @returns what is wrong, in sentences; empty where nothing is
 */
export function checkCopy(copy: Copy, brief: Brief, { flagged, written }: Checked, given: string): string[] {
  const pieces = piecesOf(copy).flatMap((piece) => (isGap(piece) ? [] : [piece.text]));
  const figures = new Set(figuresOf(given));
  const inOneLine = (text: string) => text.replace(/\*\*|__|`/g, '').replace(/\s+/g, ' ');
  const words = inOneLine(given);
  const borne = new Set([...written.map(({ text }) => text), ...written.map(({ evidence }) => evidence.text)]);
  return pieces.flatMap((text) => [
    ...(words.includes(inOneLine(text)) ? [] : [`“${text}” is in no document.`]),
    ...figuresOf(text)
      .filter((figure) => !figures.has(figure))
      .map((figure) => `The figure “${figure}” is in no document.`),
    ...(flagged.some((claim) => text.includes(claim.text)) ? [`“${text}” was flagged.`] : []),
    ...(borne.has(text) || text === brief.product?.value || kindOf(text) === null
      ? []
      : [`“${text}” is a claim without evidence.`]),
  ]);
}
