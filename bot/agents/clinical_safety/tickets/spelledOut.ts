import known from './spelledOut.json' with { type: 'json' };

const written = new Map(Object.entries(known.written));
const capitals = new Map(Object.entries(known.capitals));

/** Characters of a ticket in which abbreviations are looked for. */
const MAX_READ = 4000;

/**
 * What the abbreviations, brand names and medicines in a text stand for, in the words that a hazard log uses: insulin
 * for Novorapid, date of birth for DOB. Each once; empty where there are none.
 */
export function spellOut(text: string): string {
  const found = new Set<string>();
  for (const word of text.slice(0, MAX_READ).match(/[A-Za-z][A-Za-z0-9]*/g) ?? []) {
    const words = capitals.get(word) ?? written.get(word.toLowerCase());
    if (words) found.add(words);
  }
  return [...found].join('. ');
}
