/**
 * Words that say something of many items, of a place in an order, or of a bound, each with its other words. A row proves
 * none of them: they have to stand in what a tool says itself.
 */
const SWEEPS: readonly [name: string, words: RegExp][] = [
  [
    'all',
    /\b(?:all|every|everything|each|both|entire(?:ly)?|whole|always|the rest|the (?:others|remaining)|without exception|none left)\b/i,
  ],
  ['most', /\b(?:most(?= (?:of|\w+ (?:are|have|were|is)))|majority|mainly|mostly|largely|nearly all|almost all)\b/i],
  ['some', /\b(?:several|many|numerous|multiple|few(?:er)?(?! than))\b/i],
  ['only', /\b(?:the only|only (?:one|two|these|those|this|it))\b/i],
  ['highest', /\b(?:highest|worst|greatest|biggest|largest|most (?:severe|serious|dangerous|critical|urgent))\b/i],
  ['lowest', /\b(?:lowest|smallest|safest|mildest|least)\b/i],
  ['newest', /\b(?:newest|latest|most recent|last)\b/i],
  ['oldest', /\b(?:oldest|earliest)\b/i],
  ['above', /\b(?:above|more than|greater than|higher than|exceed(?:s|ing)?|over(?=\s+\d))\b/i],
  ['below', /\b(?:below|less than|fewer than|lower than|under(?=\s+\d))\b/i],
  ['at least', /\bat least\b|\b\d+ or (?:more|above|higher|over)\b|\bno (?:less|fewer) than\b/i],
  ['at most', /\bat most\b|\b\d+ or (?:less|fewer|below|lower|under)\b|\bno more than\b|\bup to(?=\s+\d)/i],
  ['between', /\bbetween\s+\d+(?:\.\d+)?\s+and\s+\d|\bfrom\s+\d+(?:\.\d+)?\s+to\s+\d|\b\d+\s?[-–]\s?\d+\b/i],
  ['ordinal', /\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))\b/i],
  [
    'rising',
    /\b(?:rising|rose|increas(?:ed|es|ing)|growing|grew|worsen(?:ed|s|ing)|improv(?:ed|es|ing)|fell|falling|declin\w*|decreas\w*)\b/i,
  ],
];

/** "25 of 25" says "all" in figures. */
const WHOLE = /\b(\d+) (?:[\w-]+ )?of \1\b/;

/** The sweeping words of a text, by name. */
export function sweepsIn(text: string): Set<string> {
  const found = SWEEPS.filter(([, words]) => words.test(text)).map(([name]) => name);
  return new Set(WHOLE.test(text) ? ['all', ...found] : found);
}
