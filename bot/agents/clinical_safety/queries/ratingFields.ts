import type { ExistingHazard, LogShape, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { findLevel, recordedRisk } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import type { Field } from '../../../engine/queries/entity.ts';
import { withArticle } from '../../../engine/queries/withArticle.ts';
import { PHASES, type Phase } from './phases.ts';

type RatedField = Field<ExistingHazard>;

const RISK_NAMES = [
  'rating of risk',
  'scores for risk',
  'level of risk',
  'risk levels',
  'risk value',
  'risk figure',
  'risk number',
  'risk',
  'risks',
  'risk score',
  'risk scores',
  'risk rating',
  'risk ratings',
  'risk level',
];
const phased = (phase: Phase, names: readonly string[]) =>
  PHASES[phase].flatMap((word) => names.map((name) => `${word} ${name}`));

const riskField = (phase: Phase): RatedField => ({
  id: `${phase}Risk`,
  kind: 'number',
  names: [...RISK_NAMES, ...phased(phase, RISK_NAMES), phase],
  noun: `recorded ${phase} risk`,
  has: `a recorded ${phase} risk`,
  lacks: `no recorded ${phase} risk`,
  blank: phase === 'residual' ? ['unrated after controls'] : ['unrated before controls'],
  read: (hazard) => hazard[phase].risk,
});

/** The risk of a phase that a log rates in words. */
const riskWordField = (phase: Phase, order: readonly string[]): RatedField => ({
  id: `${phase}Risk`,
  kind: 'choice',
  names: [...RISK_NAMES, ...phased(phase, RISK_NAMES), phase],
  noun: `recorded ${phase} risk`,
  has: `a recorded ${phase} risk`,
  lacks: `no recorded ${phase} risk`,
  blank: phase === 'residual' ? ['unrated after controls'] : ['unrated before controls'],
  read: (hazard) => {
    const { riskWord } = hazard[phase];
    return (riskWord && findLevel(order, riskWord)) || recordedRisk(hazard[phase]);
  },
  order,
  // "Low" alone may be a likelihood, a severity or a risk.
  isNamed: true,
});

/** Severity or likelihood of a phase, in the order of the matrix that the analysis applied. */
const ratingField = (phase: Phase, what: 'severity' | 'likelihood', order: readonly string[]): RatedField => {
  const names = what === 'severity' ? ['severity', 'severities'] : ['likelihood', 'likelihoods'];
  return {
    id: `${phase}${what === 'severity' ? 'Severity' : 'Likelihood'}`,
    kind: 'choice',
    names: [...names, ...phased(phase, names)],
    noun: `${phase} ${what}`,
    has: withArticle(`${phase} ${what}`),
    lacks: `no ${phase} ${what}`,
    read: (hazard) => hazard[phase][what satisfies keyof Rating],
    order,
    // "Low" alone may be a likelihood, a severity or a risk.
    isNamed: what === 'likelihood',
  };
};

type Change = { id: string; words: string; says: string; holds(initial: number, residual: number): boolean };
/** The effect of controls on a risk. */
const CHANGES: readonly Change[] = [
  {
    id: 'lowered',
    words:
      'went down, go down, goes down, came down, come down, fell, fall, dropped, drop, decreased, decrease, reduced, lowered',
    says: 'a recorded residual risk below the initial risk',
    holds: (initial, residual) => residual < initial,
  },
  {
    id: 'raised',
    words: 'went up, go up, goes up, rose, rise, increased, increase, raised',
    says: 'a recorded residual risk above the initial risk',
    holds: (initial, residual) => residual > initial,
  },
];

/** "risk went down after controls", "risk that did not go down with controls". */
function changeField({ id, words, says, holds }: Change): RatedField {
  const subjects = ['residual risk', 'did residual risk', 'did risk', 'risk', 'risks', 'risk that', 'risks that'];
  const ends = ['', ' after controls', ' with controls'];
  const phrases = (between: string, named: readonly string[]) =>
    subjects.flatMap((subject) => named.flatMap((word) => ends.map((end) => `${subject}${between} ${word}${end}`)));
  return {
    id,
    kind: 'flag',
    names: [],
    noun: 'change of the risk',
    has: 'both recorded risks',
    lacks: 'no recorded initial or no recorded residual risk',
    read: ({ initial, residual }) =>
      initial.risk === null || residual.risk === null ? null : holds(initial.risk, residual.risk),
    yes: { words: phrases('', words.split(', ')), says: { verb: 'have', rest: says } },
    no: {
      words: [' did not', ' does not', " didn't", " doesn't", ' has not', ' was not'].flatMap((not) =>
        phrases(not, words.split(', ')),
      ),
      says: { verb: 'have', rest: says.replace('a recorded', 'no recorded') },
    },
  };
}

type Matrix = Pick<LogShape['matrix'], 'severities' | 'likelihoods' | 'cells' | 'levels'>;

const sumOf = (risks: readonly number[]) => risks.reduce((sum, risk) => sum + risk, 0);

/** Words from the lowest to the highest risk; none where the matrix does not tell which end is which. */
function ascending(words: readonly string[], risks: readonly number[]): readonly string[] {
  const [first = 0, last = 0] = [risks[0], risks.at(-1)];
  if (risks.length !== words.length || first === last) return [];
  return first < last ? words : words.toReversed();
}

/** The severities and likelihoods of a matrix from the lowest: logs list them either way. */
function ordersOf({ severities, likelihoods, cells }: Matrix) {
  return {
    severities: ascending(
      severities,
      severities.map((_, column) => sumOf(cells.map((row) => row[column] ?? 0))),
    ),
    likelihoods: ascending(likelihoods, cells.map(sumOf)),
  };
}

/** The words of a matrix in words, from the mildest. */
function levelsInOrder({ levels = [], cells }: Matrix): string[] {
  const ranked = levels.flatMap((row, at) => row.map((word, column) => [word, cells[at]?.[column] ?? 0] as const));
  return [...new Map(ranked.sort(([, one], [, other]) => one - other)).keys()];
}

/** Whether a log rates the risks of a phase in words more than in numbers. */
function ratesInWords(hazards: readonly ExistingHazard[], phase: Phase): boolean {
  const words = hazards.filter((hazard) => hazard[phase].riskWord !== undefined).length;
  return words > hazards.filter((hazard) => hazard[phase].risk !== null).length;
}

/**
 * The fields of a hazard's two ratings, compared in the order of the matrix that the analysis applied. A risk that the
 * log rates in words is asked for by them.
 */
export function ratingFields(matrix: Matrix, hazards: readonly ExistingHazard[]): RatedField[] {
  const { severities, likelihoods } = ordersOf(matrix);
  const levels = levelsInOrder(matrix);
  const risk = (phase: Phase) => (ratesInWords(hazards, phase) ? riskWordField(phase, levels) : riskField(phase));
  return [
    ...CHANGES.map(changeField),
    risk('initial'),
    risk('residual'),
    ratingField('initial', 'severity', severities),
    ratingField('residual', 'severity', severities),
    ratingField('initial', 'likelihood', likelihoods),
    ratingField('residual', 'likelihood', likelihoods),
  ];
}
