import { normaliseRatingWord, readRatingWord } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { rankAt } from './riskLevels.ts';
import type { Matrix } from './riskMatrix.ts';

const SEVERITY_WORDS = [
  'minor',
  'significant',
  'considerable',
  'major',
  'catastrophic',
  'negligible',
  'insignificant',
  'marginal',
  'moderate',
  'serious',
  'severe',
  'critical',
  'fatal',
  'none',
  'death',
];
const LIKELIHOOD_WORDS = [
  'very high',
  'high',
  'medium',
  'low',
  'very low',
  'certain',
  'almost certain',
  'likely',
  'very likely',
  'possible',
  'unlikely',
  'very unlikely',
  'rare',
  'remote',
  'frequent',
  'probable',
  'occasional',
  'improbable',
  'incredible',
  'moderate',
  'extremely unlikely',
];
const SEVERITY_TITLE = /severity|consequence|impact|\bharm/i;
const LIKELIHOOD_TITLE = /likelihood|likeliness|probability|frequency|occurrence/i;

/** The rating words of the log itself, normalised, so that a matrix in its own words is found too. */
export type RatingWords = { severities: Set<string>; likelihoods: Set<string> };
/** Rows of a sheet in which no matrix is looked for: those of the log's own table. */
export type LogRows = { grid: Grid; first: number; last: number };

type Axis = 'severity' | 'likelihood';
type Rectangle = { top: number; left: number; bottom: number; right: number };
type Labels = { words: string[]; isWorded: boolean };

/** A matrix stands in the first rows and columns of a sheet; what is beyond is data. */
const MAX_ROWS = 300;
const MAX_COLUMNS = 60;
const MAX_AXIS = 12;
const MIN_AXIS = 3;
/** Labels and titles stand at most so far from the numbers. */
const LABEL_DISTANCE = 2;
const TITLE_DISTANCE = 4;
const MAX_TITLE_LENGTH = 60;

/**
 * The risk matrices that a file brings: blocks of numbers with the severities along one side and the likelihoods along
 * the other. Labels are words, numbers with the name of their scale near by, or both ("4 - Major").
 */
export function findOwnMatrices(grids: readonly Grid[], own: RatingWords, log: LogRows | null): Matrix[] {
  const known: Record<Axis, Set<string>> = {
    severity: new Set([...SEVERITY_WORDS, ...own.severities]),
    likelihood: new Set([...LIKELIHOOD_WORDS, ...own.likelihoods]),
  };
  return grids.flatMap((grid) => {
    const isLogRow = (row: number) => grid === log?.grid && row >= log.first && row <= log.last;
    return [NUMBERS, WORDS].flatMap((kind) =>
      findBlocks(grid, kind.at, isLogRow).flatMap((rectangle) => readMatrix(grid, kind, rectangle, known) ?? []),
    );
  });
}

const textAt = (grid: Grid, row: number, column: number) => grid.rows[row]?.[column]?.text.trim() ?? '';

/** The risk in a cell: its number, or the one that a phrase such as "12 - High" or "High (12)" has. */
function riskAt(grid: Grid, row: number, column: number): number | null {
  const cell = grid.rows[row]?.[column];
  return cell ? (cell.number ?? readRatingWord(cell.text).number) : null;
}

/** What the cells of a matrix are. */
type Kind = { at: typeof riskAt; isWorded: boolean };
const NUMBERS: Kind = { at: riskAt, isWorded: false };

const WORDS: Kind = { at: rankAt, isWorded: true };

/** Rectangles of numbers or of words for risks, three by three and more, from the top left; none starts within another. */
function findBlocks(grid: Grid, at: Kind['at'], isLogRow: (row: number) => boolean): Rectangle[] {
  const blocks: Rectangle[] = [];
  const limit = Math.min(grid.rows.length, MAX_ROWS);
  const isRisk = (row: number, column: number) =>
    row < limit && column <= MAX_COLUMNS && !isLogRow(row) && at(grid, row, column) !== null;
  const isTaken = (row: number, column: number) =>
    blocks.some(({ top, left, bottom, right }) => row >= top && row <= bottom && column >= left && column <= right);
  for (let top = 1; top < limit; top += 1)
    for (let left = 1; left <= Math.min(MAX_COLUMNS, grid.rows[top]?.length ?? 0); left += 1) {
      if (!isRisk(top, left) || isTaken(top, left)) continue;
      let right = left;
      while (isRisk(top, right + 1)) right += 1;
      let bottom = top;
      const isRow = (row: number) => {
        for (let column = left; column <= right; column += 1) if (!isRisk(row, column)) return false;
        return true;
      };
      while (isRow(bottom + 1)) bottom += 1;
      if (right - left + 1 >= MIN_AXIS && bottom - top + 1 >= MIN_AXIS) blocks.push({ top, left, bottom, right });
    }
  return blocks;
}

/** The matrix of a block, whose first column and outer rows may themselves be the numbers of a scale. */
function readMatrix(grid: Grid, kind: Kind, block: Rectangle, known: Record<Axis, Set<string>>): Matrix | null {
  let best: { matrix: Matrix; worded: number } | null = null;
  for (const left of [block.left, block.left + 1])
    for (const top of [block.top, block.top + 1])
      for (const bottom of [block.bottom, block.bottom - 1]) {
        const body = { top, left, bottom, right: block.right };
        const height = bottom - top + 1;
        const width = body.right - left + 1;
        if (Math.min(height, width) < MIN_AXIS || Math.max(height, width) > MAX_AXIS) continue;
        // The cells left out of a block have to be the numbers of a scale.
        const isLeftOut = [
          left > block.left && linesDown(grid, body)[0],
          top > block.top && lineAcross(grid, body, top - 1),
          bottom < block.bottom && lineAcross(grid, body, bottom + 1),
        ].every((line) => !line || kind.isWorded || isNumberScale(line));
        const risks = risksOf(grid, kind, body);
        if (!isLeftOut || !isMonotone(risks)) continue;
        for (const across of ['severity', 'likelihood'] as const) {
          const matrix = labelled(grid, kind, body, risks, across, known);
          if (matrix && (!best || matrix.worded > best.worded)) best = matrix;
        }
      }
  return best?.matrix ?? null;
}

const risksOf = (grid: Grid, { at }: Kind, { top, left, bottom, right }: Rectangle): number[][] =>
  Array.from({ length: bottom - top + 1 }, (_row, row) =>
    Array.from({ length: right - left + 1 }, (_column, column) => at(grid, top + row, left + column) ?? 0),
  );

const isOrdered = (line: readonly number[], direction: 1 | -1) =>
  line.every((risk, at) => at === 0 || (risk - (line[at - 1] ?? 0)) * direction >= 0);

/** In a risk matrix the risk only rises, or only falls, along each side. */
function isMonotone(risks: readonly number[][]): boolean {
  const columns = (risks[0] ?? []).map((_, column) => risks.map((row) => row[column] ?? 0));
  const isOneWay = (lines: readonly number[][]) =>
    ([1, -1] as const).some((direction) => lines.every((line) => isOrdered(line, direction)));
  return isOneWay(risks) && isOneWay(columns) && new Set(risks.flat()).size > 1;
}

function labelled(
  grid: Grid,
  { isWorded }: Kind,
  body: Rectangle,
  risks: number[][],
  across: Axis,
  known: Record<Axis, Set<string>>,
): { matrix: Matrix; worded: number } | null {
  const down: Axis = across === 'severity' ? 'likelihood' : 'severity';
  const columnLabels = labelsOf(linesAcross(grid, body), known[across], CODES[across]);
  const rowLabels = labelsOf(linesDown(grid, body), known[down], CODES[down]);
  if (!columnLabels || !rowLabels) return null;
  const titles = readTitles(grid, body);
  // Numbers say nothing of whose scale they are: the names of both scales have to.
  if (!columnLabels.isWorded && titles.across !== across) return null;
  if (!rowLabels.isWorded && titles.down !== down) return null;
  const isUpright = across === 'severity';
  const turn = <Cell>(rows: readonly (readonly Cell[])[]): Cell[][] =>
    isUpright
      ? rows.map((row) => [...row])
      : columnLabels.words.map((_, column) => rows.flatMap((row) => row.slice(column, column + 1)));
  return {
    worded: Number(columnLabels.isWorded) + Number(rowLabels.isWorded),
    matrix: {
      source: 'log',
      name: `“${grid.name}” sheet of this workbook`,
      place: { sheet: grid.name, cell: cellAddress(body.top, body.left) },
      severities: isUpright ? columnLabels.words : rowLabels.words,
      likelihoods: isUpright ? rowLabels.words : columnLabels.words,
      cells: turn(isWorded ? inOrder(risks) : risks),
      ...(isWorded
        ? {
            levels: turn(
              risks.map((row, at) => row.map((_, column) => textAt(grid, body.top + at, body.left + column))),
            ),
          }
        : {}),
    },
  };
}

/** The places of ranks among those that occur, from 1. */
function inOrder(ranks: readonly (readonly number[])[]): number[][] {
  const used = [...new Set(ranks.flat())].sort((one, other) => one - other);
  return ranks.map((row) => row.map((rank) => used.indexOf(rank) + 1));
}

/** Texts beside the body, nearest line first: each line has one text per row of the body. */
const linesDown = (grid: Grid, { top, left, bottom }: Rectangle): string[][] =>
  [left - 1, left - 2]
    .filter((column) => column >= 1)
    .map((column) => Array.from({ length: bottom - top + 1 }, (_, row) => textAt(grid, top + row, column)));

const lineAcross = (grid: Grid, { left, right }: Rectangle, row: number): string[] =>
  Array.from({ length: right - left + 1 }, (_, column) => textAt(grid, row, left + column));

/** Texts over and under the body, each pair of lines by itself, nearest first. */
function linesAcross(grid: Grid, body: Rectangle): string[][] {
  const rows = Array.from({ length: LABEL_DISTANCE }, (_, away) => [
    body.bottom + 1 + away,
    body.top - 1 - away,
  ]).flat();
  return rows.filter((row) => row >= 1).map((row) => lineAcross(grid, body, row));
}

/** Codes of the steps of a scale: S1 to S5, P1 to P5. */
const CODES: Record<Axis, RegExp> = { severity: /^[SC] ?\d{1,2}$/i, likelihood: /^[PLFO] ?\d{1,2}$/i };
const isWord = (text: string) => /\p{L}/u.test(text);

/** The labels of a side, from its lines of texts; null where they are neither known words nor a scale of numbers. */
function labelsOf(lines: readonly string[][], words: ReadonlySet<string>, code: RegExp): Labels | null {
  const worded = lines.find(
    (line) =>
      line.every((text) => code.test(text)) ||
      line.every((text) => isWord(text) && words.has(normaliseRatingWord(text))),
  );
  const numbered = lines.find(isNumberScale);
  if (worded && new Set(worded.map(normaliseRatingWord)).size < worded.length) return null;
  if (!worded) return numbered ? { words: [...numbered], isWorded: false } : null;
  if (!numbered || worded === numbered) return { words: [...worded], isWorded: true };
  return { words: worded.map((word, at) => `${numbered[at]} - ${word}`), isWorded: true };
}

/** Whole numbers that go up or down by one. */
function isNumberScale(line: readonly string[]): boolean {
  const numbers = line.map((text) => (/^\d{1,2}$/.test(text) ? Number(text) : Number.NaN));
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return Math.abs(step) === 1 && numbers.every((number, at) => at === 0 || number - (numbers[at - 1] ?? 0) === step);
}

/** Which scale the texts over, under and beside a body name. */
function readTitles(grid: Grid, { top, left, bottom, right }: Rectangle): { across: Axis | null; down: Axis | null } {
  const axisOf = (texts: readonly string[]): Axis | null => {
    const short = texts.filter((text) => text && text.length <= MAX_TITLE_LENGTH);
    const isSeverity = short.some((text) => SEVERITY_TITLE.test(text));
    const isLikelihood = short.some((text) => LIKELIHOOD_TITLE.test(text));
    return isSeverity === isLikelihood ? null : isSeverity ? 'severity' : 'likelihood';
  };
  const region = (rows: [number, number], columns: [number, number]) => {
    const texts: string[] = [];
    for (let row = Math.max(1, rows[0]); row <= rows[1]; row += 1)
      for (let column = Math.max(1, columns[0]); column <= columns[1]; column += 1)
        texts.push(textAt(grid, row, column));
    return texts;
  };
  const down = axisOf(region([top, bottom], [left - TITLE_DISTANCE, left - 1]));
  const across =
    axisOf(region([top - TITLE_DISTANCE, top - 1], [left, right])) ??
    axisOf(region([bottom + 1, bottom + TITLE_DISTANCE], [left, right]));
  // With one side named the other scale is the other side's.
  const other = (axis: Axis | null): Axis | null => axis && (axis === 'severity' ? 'likelihood' : 'severity');
  return { across: across ?? other(down), down: down ?? other(across) };
}
