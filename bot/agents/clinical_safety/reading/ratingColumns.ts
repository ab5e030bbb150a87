import type { tableCells } from './dataRows.ts';
import type { FoundTable } from './findTable.ts';
import { likelihoodPart, normaliseHeader, type Phase } from './headerWords.ts';
import { readRisk } from './readHazards.ts';
import type { RatedRow } from './scale.ts';

type Cells = ReturnType<typeof tableCells>;

const PHASES: readonly Phase[] = ['initial', 'residual'];

const DETECTION =
  /^(?:d|det|detection|detectability|detectable|entdeckung|entdeckbarkeit|entdeckungswahrscheinlichkeit|détection|détectabilité|detección|rilevabilità)(?: (?:rating|score|level|d))?$/;

/** Whether a heading rates detection: the risk beside it is then a product of three. */
export const isDetection = ({ header }: { header: string }): boolean => DETECTION.test(normaliseHeader(header));

/** The columns of P1 and P2 (ISO 14971, annex C) of each phase, where a table has both without a total or a rating between. */
type LikelihoodParts = Partial<Record<Phase, readonly [first: number, second: number]>>;

/** Ratings that stand between P1 and P2 say that the two are of different phases. */
const isRating = (canonical: string) => /_(?:severity|likelihood|risk)$/.test(canonical);

/** A second pair without a word for its phase is that after controls. */
export function findLikelihoodParts({ columns, unmatched }: FoundTable): LikelihoodParts {
  const parts: LikelihoodParts = {};
  const found = unmatched.flatMap(({ header, column }) => {
    const part = likelihoodPart(header);
    return part ? [{ ...part, column }] : [];
  });
  for (const [at, phase] of PHASES.entries()) {
    const of = (number: 1 | 2) => {
      const same = found.filter((one) => one.number === number);
      return same.find((one) => one.phase === phase) ?? same.filter((one) => one.phase === null)[at];
    };
    const [first, second] = [of(1), of(2)];
    if (!first || !second) continue;
    const isTotalled = columns.some(({ canonical }) => canonical === `${phase}_likelihood`);
    const isParted = columns.some(
      ({ canonical, column }) =>
        isRating(canonical) &&
        column > Math.min(first.column, second.column) &&
        column < Math.max(first.column, second.column),
    );
    if (!isTotalled && !isParted) parts[phase] = [first.column, second.column];
  }
  return parts;
}

/** The two parts of a likelihood in a row, as its own words; empty where neither is given. */
export function likelihoodOfParts(table: FoundTable, parts: LikelihoodParts, row: number, phase: Phase): string {
  const columns = parts[phase];
  if (!columns) return '';
  const [first, second] = columns.map((column) => table.grid.rows[row]?.[column]?.text.trim() ?? '');
  return first || second ? `P1 ${first || '–'}, P2 ${second || '–'}` : '';
}

/** The ratings of a log, initial and residual, of rows that give any. */
export const readRatings = (cells: Cells, dataRows: readonly number[]): RatedRow[] =>
  dataRows.flatMap((row) =>
    PHASES.flatMap((phase) => {
      const severity = cells.text(row, `${phase}_severity`);
      const likelihood = cells.text(row, `${phase}_likelihood`);
      const risk = readRisk(cells, row, `${phase}_risk`);
      const riskWord = risk === null ? cells.text(row, `${phase}_risk`) : '';
      return severity || likelihood || risk !== null ? [{ severity, likelihood, risk, riskWord }] : [];
    }),
  );
