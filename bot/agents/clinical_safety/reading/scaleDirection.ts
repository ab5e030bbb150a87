import type { ReadLog } from './logModel.ts';
import { MAX_EXAMPLES, type OpenPoint } from './openPoints.ts';
import { readRisk } from './readHazards.ts';

/** The point of which end of a scale of numbers is the worst, and its candidates. */
export const DIRECTION = 'direction';
const RISING = 'rising';
export const FALLING = 'falling';

/** With fewer changed risks, the direction of their change is no evidence. */
const MIN_CHANGED = 3;

type Cells = Pick<ReadLog, 'cell' | 'text' | 'place'>;

const isNumber = (text: string) => /^\d{1,3}(?:\.\d+)?$/.test(text);

/**
 * The question which end of a scale of bare numbers is the worst: open where controls raise the numbers at least as
 * often as they lower them, because controls lower risks. Null where the log tells, or rates in words.
 */
export function findOpenDirection(cells: Cells, dataRows: readonly number[]): OpenPoint | null {
  const changed = dataRows.flatMap((row) => {
    const [before, after] = [readRisk(cells, row, 'initial_risk'), readRisk(cells, row, 'residual_risk')];
    const words = [cells.text(row, 'initial_severity'), cells.text(row, 'residual_severity')].filter(Boolean);
    return before !== null && after !== null && before !== after && words.length > 0 && words.every(isNumber)
      ? [{ row, before, after }]
      : [];
  });
  const risen = changed.filter(({ before, after }) => after > before);
  if (changed.length < MIN_CHANGED || risen.length * 2 < changed.length) return null;
  const examples = (worst: 'highest' | 'lowest') =>
    risen.slice(0, MAX_EXAMPLES).map(({ row, before, after }) => ({
      title: cells.text(row, 'id') || `Row ${row}`,
      gives:
        worst === 'highest' ? 'The controls would have raised the risk' : 'The controls would have lowered the risk',
      quote: `Risk before controls: ${before} · after: ${after}`,
      place: cells.place(row, 'residual_risk'),
    }));
  const candidate = (id: string, label: string, worst: 'highest' | 'lowest') => ({
    id,
    label,
    reference: label,
    text: null,
    examples: examples(worst),
  });
  return {
    id: DIRECTION,
    label: 'Which end of the scale is the worst?',
    why: `The risk is a higher number after controls in ${risen.length} of ${changed.length} rows where it changes.`,
    candidates: [
      candidate(RISING, 'The highest number is the worst', 'highest'),
      candidate(FALLING, 'The lowest number (1) is the worst', 'lowest'),
    ],
  };
}
