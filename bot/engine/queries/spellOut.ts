/** Short and careless spellings, by what they stand for. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  arent: "aren't",
  isnt: "isn't",
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  havent: "haven't",
  hasnt: "hasn't",
  wasnt: 'was not',
  "wasn't": 'was not',
  werent: 'were not',
  "weren't": 'were not',
  "didn't": 'did not',
  "hadn't": 'had not',
  "couldn't": 'could not',
  "who're": 'who are',
  "they're": 'they are',
  "we're": 'we are',
  "we've": 'we have',
  "i've": 'i have',
  "there's": 'there is',
  theres: 'there is',
  "that's": 'that is',
  thats: 'that is',
  "which've": 'which have',
  "that've": 'that have',
  whats: "what's",
  whos: "who's",
  wheres: "where's",
  hw: 'how',
  mny: 'many',
  ar: 'are',
  u: 'you',
  wich: 'which',
  whcih: 'which',
  wot: 'what',
  w: 'with',
  wo: 'without',
  wout: 'without',
  docs: 'documents',
  doc: 'document',
  pls: 'please',
  plz: 'please',
  thru: 'through',
  tho: 'though',
  thx: 'thanks',
  min: 'minimum',
  max: 'maximum',
  avg: 'average',
  nr: 'number',
  num: 'number',
  "person's": 'person',
};
/** The same of several words, which are looked for in the whole line. */
const PHRASES: readonly [RegExp, string][] = [
  [/(?<= |^)w \/ o(?= |$)/g, 'without'],
  [/(?<= |^)w \/(?= |$)/g, 'with'],
  [/(?<= |^)how may(?= (?!we |i |you ))/g, 'how many'],
  [/(?<= |^)all ?together(?= |$)/g, 'altogether'],
  [/(?<= |^)btw(?= \d)/g, 'between'],
  [/^btw /g, ''],
];

/**
 * Writes short forms out: "w/o", "docs", "isnt", "we've".
 * @param line words in lower case, joined by spaces
 * @param more a field's own abbreviations, such as "sev"
 */
export function spellOut(line: string, more: Readonly<Record<string, string>> = {}): string {
  const known = (word: string) =>
    Object.hasOwn(more, word) ? more[word] : Object.hasOwn(STANDS_FOR, word) ? STANDS_FOR[word] : word;
  const phrases = PHRASES.reduce((said, [words, as]) => said.replace(words, as), line);
  return phrases.split(' ').map(known).join(' ');
}
