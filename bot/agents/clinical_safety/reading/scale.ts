import { normaliseRatingWord, readRatingWord } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { findLevel } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { nameOfSheet } from './headingKeys.ts';
import { findOwnMatrices, type LogRows, type RatingWords } from './ownMatrix.ts';
import {
  levelsOf,
  lookUpLevel,
  lookUpRank,
  lookUpRisk,
  type Matrix,
  NHS_LIKELIHOODS,
  NHS_MATRIX,
  NHS_SEVERITIES,
  positionOf,
} from './riskMatrix.ts';

/** One rating of a row as written; the risk is null where blank or no number, and its words are empty where it has one. */
export type RatedRow = { severity: string; likelihood: string; risk: number | null; riskWord?: string };

/** How a matrix fits the ratings of a log. */
type Fit = {
  matrix: Matrix;
  /** Share of the severities and likelihoods that the matrix knows, 0 to 1. */
  known: number;
  /** Those of them with a recorded risk, and those where it is the matrix's. */
  compared: number;
  agreed: number;
};

/** With fewer comparisons, agreement is no evidence. */
const MIN_COMPARED = 3;
/** A scale that gives this share of the recorded risks is the log's. */
const MIN_AGREEMENT = 0.7;
/** A scale that gives less is not the log's, if there are enough comparisons. */
const NOT_THE_SCALE = { compared: 5, agreement: 0.5 };
/** A matrix of the file, or a scale of numbers, counts where it knows this share of the ratings. */
const MIN_KNOWN = 0.5;
const NHS_MAX_RISK = 5;
/** A scale of numbers is assumed to have at least this many steps. */
const MIN_STEPS = 5;
const MAX_STEPS = 10;

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
const agreementOf = ({ agreed, compared }: Fit) => shareOf(agreed, compared);
const contradicts = (fit: Fit) => fit.compared >= NOT_THE_SCALE.compared && agreementOf(fit) < NOT_THE_SCALE.agreement;
const confirms = (fit: Fit) => fit.compared >= MIN_COMPARED && agreementOf(fit) >= MIN_AGREEMENT;

/** Severity times likelihood, with `steps` steps each, as a log uses it that multiplies. */
export const productMatrix = (steps: number): Matrix => {
  const numbers = Array.from({ length: steps }, (_, at) => at + 1);
  return {
    source: 'numeric',
    name: `Numeric 1–${steps * steps} scale (severity × likelihood), as the log uses it; not the NHS matrix`,
    place: null,
    severities: numbers.map(String),
    likelihoods: numbers.toReversed().map(String),
    cells: numbers.toReversed().map((likelihood) => numbers.map((severity) => severity * likelihood)),
  };
};

/** No matrix, and why. */
const noMatrix = (why: string): Matrix => ({
  source: 'none',
  name: `None: ${why}`,
  place: null,
  severities: [],
  likelihoods: [],
  cells: [],
});

function fitOf(matrix: Matrix, rows: readonly RatedRow[]): Fit {
  const knows = rows.flatMap(({ severity, likelihood }) => [
    positionOf(matrix.severities, severity) >= 0,
    positionOf(matrix.likelihoods, likelihood) >= 0,
  ]);
  const words = levelsOf(matrix);
  const compared = rows.flatMap(({ severity, likelihood, risk, riskWord = '' }) => {
    const level = lookUpLevel(matrix, severity, likelihood);
    const recorded = level && riskWord ? findLevel(words, riskWord) : null;
    if (recorded !== null) return [recorded === level];
    const expected = lookUpRisk(matrix, severity, likelihood);
    return expected === null || risk === null ? [] : [risk === expected];
  });
  return {
    matrix,
    known: shareOf(knows.filter(Boolean).length, knows.length),
    compared: compared.length,
    agreed: compared.filter(Boolean).length,
  };
}

/** A matrix that may be the log's, with an id that is the same for every version of the log. */
export type ScaleCandidate = { id: string; matrix: Matrix };
/** Why it is open which matrix decides, in words that need no name of the file. */
type ScaleDoubt = 'contradicted' | 'several' | 'assumed';

/** The matrix of a log, those that fit its ratings, and why a person has to choose; null where nobody has to. */
export type Scale = { matrix: Matrix; candidates: ScaleCandidate[]; doubt: ScaleDoubt | null };

/** A likelihood of two parts, P1 and P2, without their total: no matrix has rows for it. */
export const NO_SCALE_OF_PARTS: Scale = {
  matrix: noMatrix('the likelihood is given in two parts, P1 and P2 (ISO 14971), without their total'),
  candidates: [],
  doubt: null,
};

/** The candidate without a matrix. */
export const NO_MATRIX = 'none';

/** Two matrices of a file fit about equally where their agreement differs by no more. */
const ABOUT_EQUAL = 0.1;

/**
 * The matrix that the risks of a log are checked against, and what that rests on: `stated`, the file brings it;
 * `contradicted`, the file brings it and most recorded risks differ; `consistent`, at least 70 % of the recorded risks
 * follow it; `assumed`, only the kind of ratings speaks for it; `chosen`, a person chose it. None where the recorded
 * risks speak against every one.
 * @param isPriorityNumber whether the log rates detection too: its risk is then a product of three
 * @param choice the id of the candidate that a person chose; null where they did not know
 */
export function readScale(
  grids: readonly Grid[],
  rows: readonly RatedRow[],
  log: LogRows | null,
  isPriorityNumber = false,
  choice?: string | null,
): Scale {
  const pairs = rows.filter(({ severity, likelihood }) => severity && likelihood);
  const fits: Fits = {
    rows,
    pairs,
    product: fitOf(productMatrix(stepsOf(pairs)), pairs),
    nhs: fitOf(NHS_MATRIX, pairs),
    own: findOwnMatrices(grids, wordsOf(rows), log)
      .map((matrix) => fitOf(matrix, pairs))
      .filter(({ known }) => pairs.length === 0 || known >= MIN_KNOWN)
      .sort((one, other) => agreementOf(other) - agreementOf(one) || other.known - one.known),
  };
  const matrix = chooseAmong(fits, isPriorityNumber);
  const candidates = listCandidates(fits);
  const chosen = choice ? candidates.find(({ id }) => id === choice) : undefined;
  if (chosen)
    return {
      matrix: chosen.id === NO_MATRIX ? chosen.matrix : { ...chosen.matrix, basis: 'chosen' },
      candidates,
      doubt: null,
    };
  const doubt = findDoubt(fits, matrix, candidates);
  // Of several that the file brings, the first is no more than assumed until a person chooses.
  return { matrix: doubt === 'several' ? { ...matrix, basis: 'assumed' } : matrix, candidates, doubt };
}

/** The matrices that could be a log's, each with how it fits. */
type Fits = { rows: readonly RatedRow[]; pairs: readonly RatedRow[]; product: Fit; nhs: Fit; own: readonly Fit[] };

const usesNhs = ({ rows }: Fits) => rows.length === 0 || rows.some(hasNhsWord);
const isAboveNhs = ({ rows }: Fits) => rows.some(({ risk }) => risk !== null && risk > NHS_MAX_RISK);
const isNumeric = ({ product }: Fits) => product.known >= MIN_KNOWN;

function listCandidates(fits: Fits): ScaleCandidate[] {
  const times = new Map<string, number>();
  const own = fits.own.map(({ matrix }) => {
    const name = nameOfSheet(matrix.place?.sheet ?? '');
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    return { id: `own:${name}#${count}`, matrix };
  });
  return [
    ...own,
    ...(usesNhs(fits) && !isAboveNhs(fits) ? [{ id: 'nhs', matrix: fits.nhs.matrix }] : []),
    ...(isNumeric(fits) ? [{ id: 'product', matrix: fits.product.matrix }] : []),
    { id: NO_MATRIX, matrix: noMatrix('a person said that none of the candidates is the log’s') },
  ];
}

/** Whether two matrices give other risks for any rating of the log. */
const differ = ({ pairs }: Fits, one: Matrix, other: Matrix) =>
  pairs.some(
    ({ severity, likelihood }) => lookUpRank(one, severity, likelihood) !== lookUpRank(other, severity, likelihood),
  );

/** Why a person has to choose: only where another choice gives other risks. */
function findDoubt(fits: Fits, matrix: Matrix, candidates: readonly ScaleCandidate[]): ScaleDoubt | null {
  if (matrix.basis === 'contradicted') return 'contradicted';
  const [best, ...others] = fits.own;
  const isRival = (fit: Fit) =>
    best !== undefined && agreementOf(best) - agreementOf(fit) <= ABOUT_EQUAL && differ(fits, best.matrix, fit.matrix);
  if (matrix.basis === 'stated') return others.some(isRival) ? 'several' : null;
  if (matrix.basis !== 'assumed') return null;
  const real = candidates.filter(({ id }) => id !== NO_MATRIX);
  return real.some((one) => differ(fits, matrix, one.matrix)) ? 'assumed' : null;
}

function chooseAmong(fits: Fits, isPriorityNumber: boolean): Matrix {
  const { pairs, product, nhs } = fits;
  const [own] = fits.own;
  if (own && !(contradicts(own) && confirms(product)))
    return { ...own.matrix, basis: contradicts(own) ? 'contradicted' : 'stated' };

  if (isPriorityNumber && !confirms(product))
    return noMatrix('the risk is a priority number of severity, occurrence and detection, which no matrix gives');
  const [hasNhs, isAbove, hasNumbers] = [usesNhs(fits), isAboveNhs(fits), isNumeric(fits)];
  if (hasNhs && !isAbove && confirms(nhs)) return { ...NHS_MATRIX, basis: 'consistent' };
  if (hasNumbers && confirms(product)) return { ...product.matrix, basis: 'consistent' };
  if (hasNhs && isAbove && !hasNumbers)
    return noMatrix(
      'the rating words are those of the NHS matrix, but risks above 5 are recorded, and the file brings no matrix that gives them',
    );
  if (hasNhs && !isAbove)
    return contradicts(nhs)
      ? noMatrix('most recorded risks are not those of the NHS matrix, and the file brings no other')
      : { ...NHS_MATRIX, basis: 'assumed' };
  if (hasNumbers)
    return contradicts(product)
      ? noMatrix('the recorded risks are not severity times likelihood, and the file brings no matrix that gives them')
      : { ...product.matrix, basis: 'assumed' };
  return noMatrix(
    pairs.length === 0
      ? 'the log records no pair of severity and likelihood, and the file brings no matrix'
      : 'the rating words of this log are not those of the NHS matrix, and Arc can read no matrix of its own in it',
  );
}

const NHS_WORDS = new Set([...NHS_SEVERITIES, ...NHS_LIKELIHOODS].map(normaliseRatingWord));
const hasNhsWord = ({ severity, likelihood }: RatedRow) =>
  [severity, likelihood].some((text) => NHS_WORDS.has(normaliseRatingWord(text)));

function wordsOf(rows: readonly RatedRow[]): RatingWords {
  const normalised = (texts: readonly string[]) => new Set(texts.filter(Boolean).map(normaliseRatingWord));
  return {
    severities: normalised(rows.map(({ severity }) => severity)),
    likelihoods: normalised(rows.map(({ likelihood }) => likelihood)),
  };
}

/** The steps of a scale of numbers: five, or the highest number that is used. */
function stepsOf(rows: readonly RatedRow[]): number {
  const numbers = rows.flatMap(({ severity, likelihood }) =>
    [severity, likelihood].flatMap((text) => readRatingWord(text).number ?? []),
  );
  return numbers.filter((number) => number <= MAX_STEPS).reduce((most, number) => Math.max(most, number), MIN_STEPS);
}
