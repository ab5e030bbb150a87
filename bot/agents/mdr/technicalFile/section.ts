/** A piece of a section: text, a fact with its source, a list, or what only a person can write. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'fact'; label: string; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'toWrite'; what: string };

/** A section of the documentation, by the number of its annex: "II 1.1(a)". */
export type Section = { number: string; title: string; level: 1 | 2; pieces: Piece[] };

export const text = (words: string): Piece => ({ kind: 'text', text: words });
export const list = (items: string[]): Piece => ({ kind: 'list', items });
export const toWrite = (what: string): Piece => ({ kind: 'toWrite', what });
