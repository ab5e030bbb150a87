import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { columnLetters } from '../ooxml/cellAddress.ts';
import { meaningPoint, NOT_READ } from './columnChoices.ts';
import { isFilled, looksLike, textsOf } from './columnContents.ts';
import { type ColumnPoint, examplesOf, nameOfRole, type Part, RATINGS, upperFirst } from './columnExamples.ts';
import type { FoundTable } from './findTable.ts';
import { headingKeys } from './headingKeys.ts';
import type { ReadingCandidate } from './openPoints.ts';

type Column = FoundTable['columns'][number];

const CAUSE = /\b(?:causes?|reasons?|hazard source)\b/i;
const EFFECT = /\b(?:effects?|consequences?|impacts?|harms?|outcomes?)\b/i;
/** Roles that are read only where their cells look like them. */
const CERTAIN: CanonicalColumn[] = [
  'name',
  ...RATINGS.flatMap((r): CanonicalColumn[] => [`initial_${r}`, `residual_${r}`]),
];

/** Other meanings that a column could have: the effect, for a “Consequence” in sentences. */
function otherRole(table: FoundTable, { canonical, header }: Column): CanonicalColumn | null {
  const opposite: Partial<Record<CanonicalColumn, CanonicalColumn>> = {
    cause: 'clinical_impact',
    clinical_impact: 'cause',
  };
  const other = opposite[canonical] ?? (EFFECT.test(header) ? ('clinical_impact' as const) : null);
  return other && !table.columns.some((one) => one.canonical === other) ? other : null;
}

/** Columns whose cells do not look like what their heading stands for, and headings that name cause and effect. */
export function openMeanings({ table, dataRows }: Part): ColumnPoint[] {
  const keys = headingKeys(table);
  return table.columns.flatMap((column) => {
    const { canonical, header, column: at } = column;
    const namesBoth =
      (canonical === 'cause' || canonical === 'clinical_impact') && CAUSE.test(header) && EFFECT.test(header);
    const texts = textsOf(table, at, dataRows);
    const isWeak = table.matches.some(({ column: of, score }) => of === at && score < 1);
    // A column headed as a name is the name, whatever its cells look like.
    // A cell with several ratings looks like none of them.
    const isOdd =
      column.part === undefined &&
      CERTAIN.includes(canonical) &&
      !looksLike(canonical, texts) &&
      (canonical !== 'name' || isWeak);
    const other = otherRole(table, column);
    if (!isOdd && !(namesBoth && other && isFilled(texts))) return [];
    const rows = dataRows.filter((_, index) => texts[index]);
    const roles = [canonical, ...(other ? [other] : [])];
    const candidate = (id: string, label: string, gives: (row: number) => string): ReadingCandidate => ({
      id,
      label,
      reference: label,
      text: null,
      examples: examplesOf(table, rows, [at], gives),
    });
    return [
      {
        id: meaningPoint(keys.get(at) ?? ''),
        label: `What does column ${columnLetters(at)} give?`,
        why: namesBoth
          ? `The heading “${header}” names both a cause and an effect.`
          : `Its heading “${header}” stands for ${nameOfRole(canonical)}, but its cells don’t look like it.`,
        columns: roles,
        candidates: [
          ...roles.map((role) =>
            candidate(role, upperFirst(nameOfRole(role)), () => `Would be read as ${nameOfRole(role)}`),
          ),
          candidate(NOT_READ, 'Something else: don’t read it', () => 'Would not be read'),
        ],
      },
    ];
  });
}
