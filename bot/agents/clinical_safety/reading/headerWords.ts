export type Phase = 'initial' | 'residual';
/** Words in front of a header, or above a group of them, that say before or after controls. */
const PHASES: [RegExp, Phase][] = [
  [
    /^(?:initial|init|inherent|gross|unmitigated|pre(?: (?:control|controls|mitigation))?|before(?: (?:control|controls|mitigation))?|i|original|raw|start|starting point|uncontrolled|(?:risk )?without (?:controls?|safeguards?|mitigations?|measures?)|where we (?:started|were))\b/,
    'initial',
  ],
  [
    /^(?:residual|resid|res|net|final|mitigated|action results|results of action|post(?: (?:control|controls|mitigation))?|after(?: (?:control|controls|mitigation))?|r|target|revised|remaining|current|now|controlled|(?:risk )?with (?:controls?|safeguards?|mitigations?|measures?)|where we are)\b/,
    'residual',
  ],
  [
    /^new(?= (?:s|c|p|l|o|sev|severity|consequence|prob|probability|likelihood|occ|occurrence|risk|rpn|level|score|rating)\b)/,
    'residual',
  ],
  [
    /^(?:ohne|sans|sin|senza|zonder|utan|uten|uden) (?:åtgärd(?:er)?|tiltak|tiltag|foranstaltning(?:er)?|ma(?:ß|ss)nahmen?|mesures|medidas|misure|maatregelen)$/u,
    'initial',
  ],
  [
    /^(?:mit|avec|con|met|med) (?:åtgärd(?:er)?|tiltak|tiltag|foranstaltning(?:er)?|ma(?:ß|ss)nahmen?|mesures|medidas|misure|maatregelen)$/u,
    'residual',
  ],
  [
    /^(?:(?:före|før|vor|avant|antes|prima|voor)(?: (?:åtgärd(?:er)?|tiltak|tiltag|foranstaltning(?:er)?|ma(?:ß|ss)nahmen?|mesures|medidas|misure|maatregelen))?|(?:derzeitiger|ist) zustand|ist|alt|état initial|bruto|brutto)(?![\p{L}\p{N}])/u,
    'initial',
  ],
  [
    /^(?:(?:efter|etter|nach|après|después|despues|dopo|na)(?: (?:åtgärd(?:er)?|tiltak|tiltag|foranstaltning(?:er)?|ma(?:ß|ss)nahmen?|mesures|medidas|misure|maatregelen))?|(?:verbesserter|soll) zustand|neu|soll|état final|netto|rest)(?![\p{L}\p{N}])/u,
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

/** Words behind a heading that say before or after controls. */
const TRAILING_WORDS = new Map<string, Phase>([
  ...listed(
    'initial',
    `before pre initial init raw gross old alt vorher vor avant antes prima voor före før initiale initiales initiaux initieel inicial
     iniciales iniziale iniziali brut brute bruto brutto lordo lorda`,
  ),
  ...listed(
    'residual',
    `after post residual resid res net new neu nachher nach après después despues dopo na tras efter etter résiduel résiduelle
     résiduelles residuel residuale residuo residua netto nette neto neta`,
  ),
]);

function listed(phase: Phase, words: string): [string, Phase][] {
  return words
    .trim()
    .split(/\s+/)
    .map((word) => [word, phase]);
}

/** "(after) mitigation", "(nach) Maßnahmen", "(avant) mesures de maîtrise". */
const CONTROLS_BEHIND =
  / (?:(?:de|del|dei|delle|des|la|las|les|los|le|di|risk|der|den) )*(?:controls?|mitigations?|measures?|ma(?:ß|ss)nahmen?|risikominderung|risikobeherrschung|mesures?|maîtrise|medidas|controles|misure|(?:beheers)?maatregel(?:en)?|åtgärd(?:er)?|tiltak|tiltag|foranstaltning(?:er)?)$/;

/** "severity after mitigation", "Schweregrad nach Maßnahmen", "fréquence résiduelle". */
function splitTrailing(header: string): { phase: Phase; rest: string } | null {
  const text = header.replace(CONTROLS_BEHIND, '');
  const last = text.lastIndexOf(' ');
  const phase = last > 0 ? TRAILING_WORDS.get(text.slice(last + 1)) : undefined;
  return phase ? { phase, rest: text.slice(0, last) } : null;
}

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
  return splitTrailing(header) ?? { phase: null, rest: header };
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
