import { normaliseRatingWord } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';

/** Words for how high a risk is, the mildest first; those of one line are about as high. */
const LEVELS = [
  'negligible, trivial, insignificant, minimal, none, very low, broadly acceptable, green',
  'acceptable, a',
  'low, l, minor',
  'tolerable, alarp, acceptable with mitigation, acceptable with controls, yellow, reduce',
  'medium, moderate, m, amber, review',
  'undesirable, significant, considerable, orange, elevated',
  'high, h, serious, major',
  'very high, extreme, e, severe, vh, red',
  'critical, c, catastrophic',
  'unacceptable, intolerable, not acceptable, u, n',
];
const RANKS = new Map(LEVELS.flatMap((words, rank) => words.split(', ').map((word) => [word, rank + 1] as const)));

/** How high the word in a cell says that a risk is, with or without a sign before it; null for any other text. */
export function rankAt(grid: Grid, row: number, column: number): number | null {
  const cell = grid.rows[row]?.[column];
  if (!cell || cell.number !== null || cell.text.length > MAX_LEVEL_LENGTH) return null;
  return RANKS.get(normaliseRatingWord(withoutSigns(cell.text))) ?? null;
}
const MAX_LEVEL_LENGTH = 40;
const withoutSigns = (text: string) => text.replace(/\p{Extended_Pictographic}|\uFE0F/gu, '').trim();
