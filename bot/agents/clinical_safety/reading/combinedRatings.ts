import type { GridCell } from '../ooxml/sheetScanner.ts';
import type { Phase } from './headerWords.ts';
import { toNumber } from './toNumber.ts';

/** "Initial (Sev / Lik / Risk)", "S x L = R (raw)": severity, likelihood and, where it is named, risk in one cell. */
const COMBINED =
  /(?:^|[\s(])(?:s|sev|severity|c|consequence)\s{0,3}[/x×*,]\s{0,3}(?:l|lik|likelihood|p|prob|probability|o)(?:\s{0,3}[/=,]\s{0,3}(?:r|rr|risk|score|rating|risk (?:score|rating|level)))?(?:$|[\s)])/i;
const INITIAL = /\b(?:initial|inherent|before|pre|raw|gross|unmitigated)\b/i;
const RESIDUAL = /\b(?:residual|after|post|net|mitigated|current|final|target)\b/i;
const BETWEEN = /\s*[/×*=,;|]\s*|\s+x\s+/;

/** The ratings that a column of combined ones gives, in their order. */
export const COMBINED_RATINGS = ['severity', 'likelihood', 'risk'] as const;

/** Whether a heading stands for combined ratings, and of which phase; a phase of null is not said. */
export function readCombinedHeading(heading: string): { phase: Phase | null } | null {
  if (!COMBINED.test(heading)) return null;
  return { phase: INITIAL.test(heading) ? 'initial' : RESIDUAL.test(heading) ? 'residual' : null };
}

/** One rating out of a combined cell; blank where the cell has not as many. */
export function partOfCell(cell: GridCell | undefined, part: number): GridCell | undefined {
  if (!cell) return undefined;
  const parts = cell.text.trim().split(BETWEEN);
  const text = parts.length > 1 ? (parts[part] ?? '') : '';
  return { ...cell, text, number: toNumber(text), formula: null };
}
