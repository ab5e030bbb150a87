export type Phase = 'initial' | 'residual';
/** Words in front of a header, or above a group of them, that say before or after controls. */
const PHASES: [RegExp, Phase][] = [
  [
    /^(?:initial|init|inherent|gross|unmitigated|pre(?: (?:control|controls|mitigation))?|before(?: (?:control|controls|mitigation))?|i|original|raw|start|starting point|uncontrolled|(?:risk )?without (?:controls?|safeguards?|mitigations?|measures?)|where we (?:started|were))\b/,
    'initial',
  ],
  [
    /^(?:residual|resid|res|net|final|mitigated|action results|results of action|post(?: (?:control|controls|mitigation))?|after(?: (?:control|controls|mitigation))?|r|target|revised|remaining|current|controlled|(?:risk )?with (?:controls?|safeguards?|mitigations?|measures?)|where we are)\b/,
    'residual',
  ],
];

/** Case, marks, underscores and stray spaces left out; "#", "No." and "Num" are "number". */
export function normaliseHeader(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/#|\bn°/g, ' number ')
      .replace(/\bno\b\.?/g, ' number ')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      // Exports of trackers name their own fields so.
      .replace(/^ ?custom field /, '')
      .replace(/\bnumber number\b/g, 'number')
      .trim()
  );
}

/** "severity after mitigation", "Schweregrad nach Maßnahmen", "gravité avant mesures". */
const TRAILING =
  /^(.+?) (before|after|pre|post|initial|init|raw|residual|resid|res|gross|net|vor|nach|avant|après|antes|después|despues|prima|dopo|voor|na|tras)(?: (?:(?:de|del|dei|delle|des|la|las|les|los|le|di|risk|der|den)? ?)*(?:control|controls|mitigation|mitigations|measure|measures|maßnahme|maßnahmen|massnahmen|risikominderung|risikobeherrschung|mesure|mesures|maîtrise|medidas|controles|misure|maatregel|maatregelen|beheersmaatregel|beheersmaatregelen))?$/;
const BEFORE = new Set(['before', 'pre', 'initial', 'init', 'raw', 'gross', 'vor', 'avant', 'antes', 'prima', 'voor']);

/** Splits "residual severity", "S2" or "I. Risk score" into the phase and the rest. */
export function splitPhase(header: string): { phase: Phase | null; rest: string } {
  for (const [pattern, phase] of PHASES) {
    const match = pattern.exec(header);
    const rest = match ? header.slice(match[0].length).trim() : '';
    if (match && rest)
      return {
        phase,
        rest: rest.replace(/^(?:risk|rating|hazard) (?=severity|likelihood|consequence|probability|risk)/, ''),
      };
  }
  const numbered = /^([\p{L} ]+?) ?([12])$/u.exec(header);
  // P1 and P2 of ISO 14971 are two factors of one probability, not a before and an after.
  if (numbered?.[1] && numbered[1] !== 'p')
    return { phase: numbered[2] === '1' ? 'initial' : 'residual', rest: numbered[1] };
  const trailing = TRAILING.exec(header);
  if (trailing?.[1]) return { phase: BEFORE.has(trailing[2] ?? '') ? 'initial' : 'residual', rest: trailing[1] };
  return { phase: null, rest: header };
}

/** "P1", "Probability P2 (after controls)": one of the two parts of a likelihood; null for their total and all else. */
export function likelihoodPart(heading: string): { number: 1 | 2; phase: Phase | null } | null {
  const text = normaliseHeader(heading);
  const numbers = new Set([...text.matchAll(PART)].map(([, number]) => number));
  if (numbers.size !== 1) return null;
  return { number: numbers.has('1') ? 1 : 2, phase: splitPhase(text.replace(PART, ' p ').trim()).phase };
}
const PART = /(?<![\p{L}\p{N}])p ?([12])(?![\p{L}\p{N}])/gu;

/** "P1 × P2", "P (P1*P2)": the total of both parts. */
export const isTotalOfParts = (heading: string): boolean => {
  const numbers = new Set([...normaliseHeader(heading).matchAll(PART)].map(([, number]) => number));
  return numbers.size === 2;
};

/** The phase that a group heading above several columns gives them. */
export function groupPhase(text: string): Phase | null {
  const header = normaliseHeader(text);
  return PHASES.find(([pattern]) => pattern.test(header) && header.length > 1)?.[1] ?? null;
}
