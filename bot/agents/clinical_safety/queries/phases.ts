/** The two ratings of a hazard, with the words that name them. */
export const PHASES = {
  initial: [
    'initial',
    'inherent',
    'unmitigated',
    'original',
    'init',
    'starting',
    'gross',
    'raw',
    'pre-mitigation',
    'pre-control',
    'pre-controls',
    'uncontrolled',
    'untreated',
    'baseline',
  ],
  residual: [
    'residual',
    'final',
    'mitigated',
    'remaining',
    'resid',
    'net',
    'post-mitigation',
    'post-control',
    'post-controls',
    'controlled',
    'current',
    'leftover',
  ],
} as const;
export type Phase = keyof typeof PHASES;
const PHASE_WORDS: readonly string[] = Object.values(PHASES).flat();

/** Words behind a rating that say which of the two it is. */
const BEHIND: readonly [Phase, RegExp][] = [
  [
    'initial',
    / (?:before (?:any |all )?(?:controls|mitigations?|measures)|without (?:any )?controls considered|pre-controls?|(?:at|from) (?:start|beginning)|initially|originally|to (?:begin|start) with|start(?:s|ed)? out)(?= |$)| (?:began|begins|started)(?= (?:at|above|below|over|under) )/,
  ],
  [
    'residual',
    / (?:after (?:any |all )?(?:controls|mitigations?|measures|everything)|with controls in place|once controls are in place|post-controls?|afterwards|that remains?|left(?= at \d))(?= |$)/,
  ],
];
const RATED = /\b(?:risks?|severit(?:y|ies)|likelihoods?)\b/;
/** "Above 2 after controls". */
const OF_NUMBER =
  /\b(?:(?:above|over|below|under|at least|at most|more than|less than|higher than|lower than|exactly) )\d+\b|\bat \d+(?: or (?:higher|lower|above|below|more|less|over|under))?(?= (?:and|but|or|with|in)\b|$)/;
/** What a rating before or after controls was is what the log has of it. */
const WAS = / (?:was|were)(?= (?:at|above|over|below|under|rated|scored)\b)/;
/** "The risk went down after controls" is about both. */
const CHANGED = /\b(?:went|goes|go|came|come|fell|rose|reduced|lowered|raised)\b/;
const IS_RATED = /\brated(?: as)?\b/;
const COUNTED = /\b(?:controls?|causes?|tickets?|findings?)\b/;

/** Whether one of these words stands before a rating: "inherent severity". */
function isPhased(words: readonly string[], line: string): boolean {
  const all = line.split(' ');
  return all.some((word, at) => words.includes(word) && RATED.test(all[at + 1] ?? ''));
}

/** "a risk of 3 before controls" as "an initial risk of 3"; unchanged where the question names the other one. */
export function placePhase(line: string): string {
  for (const [phase, words] of BEHIND) {
    if (!words.test(line) || CHANGED.test(line)) continue;
    const rest = line.replace(words, '').replace(WAS, '');
    if (isPhased(PHASES[phase], rest)) return rest;
    if (isPhased(PHASE_WORDS, rest)) continue;
    if (RATED.test(rest)) return rest.replace(RATED, (rating) => `${phase} ${rating}`);
    if (OF_NUMBER.test(rest) && !COUNTED.test(rest)) return rest.replace(OF_NUMBER, `with ${phase} risk $&`);
    if (IS_RATED.test(rest)) return rest.replace(IS_RATED, `$& ${phase} severity`);
  }
  return line;
}
