import { type Copy, isGap, type Piece } from '../copy/composeCopy.ts';

const wordsOf = (piece: Piece): string => (isGap(piece) ? `[To be filled: ${piece.gap}]` : piece.text);

/** The copy as plain text to paste, without places. @param state e.g. "Draft of 5 Jun 2026, not approved" */
export function writeCopyText({ headlines, texts }: Copy, title: string, state: string): string {
  return [
    `${title}: copy. ${state}.`,
    ...['HEADLINES', `A: ${wordsOf(headlines.a)}`, `B: ${wordsOf(headlines.b)}`],
    ...texts.flatMap(({ title: name, parts }) => [
      name.toUpperCase(),
      ...parts.map(({ label, pieces }) => `${label}:\n${pieces.map(wordsOf).join('\n')}`),
    ]),
    '',
  ].join('\n\n');
}
