import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { listReferences } from '../ooxml/formulaReferences.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { readRisk } from '../reading/readHazards.ts';
import { lookUpRisk } from '../reading/riskMatrix.ts';
import { compactPlaces, listIds, type Rule } from './rule.ts';

type FormulaCell = { hazard: LogHazard; row: number; formula: string; reads: string };

const PHASES = ['residual', 'initial'] as const;
type Phase = (typeof PHASES)[number];

/** Risk cells whose formula reads a rating of the other phase, although the log has that rating for its own phase. */
export function mixedFormulaCells(log: ReadLog, phase: Phase = 'residual'): FormulaCell[] {
  const other = phase === 'residual' ? 'initial' : 'residual';
  const foreign = new Map<number | null, string>();
  for (const kind of ['severity', 'likelihood'] as const)
    if (log.has(`${phase}_${kind}`)) foreign.set(log.columnOf(`${other}_${kind}`), `${other} ${kind}`);
  const cells: FormulaCell[] = [];
  for (const hazard of log.hazards)
    for (const row of hazard.rowNumbers) {
      const formula = log.cell(row, `${phase}_risk`)?.formula;
      if (!formula) continue;
      const reads = new Set<string>();
      for (const reference of listReferences(formula)) {
        const name = foreign.get(reference.column);
        if (name && reference.row === row && (reference.sheet === null || reference.sheet === log.table.grid.name))
          reads.add(name);
      }
      if (reads.size > 0) cells.push({ hazard, row, formula, reads: [...reads].join(' and ') });
    }
  return cells;
}

/** A formula for the risk of one phase that reads a rating of the other. */
export const mixesPhases: Rule = {
  name: 'formula-mixes-initial-and-residual',
  level: 'fix',
  clause: '6.1.4',
  find: ({ log }) =>
    PHASES.flatMap((phase) => {
      const cells = mixedFormulaCells(log, phase);
      const [first] = cells;
      if (!first) return [];
      const wrong = cells.flatMap(({ hazard, row }) => {
        const risk = readRisk(log, row, `${phase}_risk`);
        const matrix = lookUpRisk(log.matrix, log.text(row, `${phase}_severity`), log.text(row, `${phase}_likelihood`));
        return risk !== null && matrix !== null && risk !== matrix ? [{ hazard, risk, matrix }] : [];
      });
      const values = wrong
        .slice(0, 8)
        .map(({ hazard, risk, matrix }) => `${hazard.id} shows ${risk} where the ${phase} words give ${matrix}`)
        .join('; ');
      const more = wrong.length > 8 ? `; and ${wrong.length - 8} more` : '';
      return [
        {
          title: `The ${phase} risk formula reads the ${first.reads}, in ${cells.length} ${cells.length === 1 ? 'row' : 'rows'}`,
          message: `The formula for the ${phase} risk takes the ${first.reads} of the row instead of the ${phase} one. ${wrong.length === 0 ? 'The values happen to be right today and will be wrong once the two differ.' : `Already wrong: ${values}${more}.`}`,
          hazardId: null,
          places: compactPlaces(cells.map(({ row }) => log.place(row, `${phase}_risk`))),
          found: `=${first.formula}`,
          expected:
            wrong.length > 0
              ? `${phase} severity and likelihood; wrong in value for ${listIds(wrong.map(({ hazard }) => hazard))}`
              : `${phase} severity and likelihood`,
        },
      ];
    }),
};

const RATINGS: CanonicalColumn[] = [
  'initial_severity',
  'initial_likelihood',
  'residual_severity',
  'residual_likelihood',
];

const readsAnotherRow: Rule = {
  name: 'formula-reads-another-row',
  level: 'fix',
  clause: '4.4.1',
  find: ({ log }) => {
    const columns = new Set(RATINGS.map((column) => log.columnOf(column)));
    const rows = new Set(log.dataRows);
    const hits: { hazard: LogHazard; row: number; column: CanonicalColumn; formula: string }[] = [];
    for (const hazard of log.hazards)
      for (const row of hazard.rowNumbers)
        for (const column of ['initial_risk', 'residual_risk'] as const) {
          // A merged cell answers in each of its rows; its formula stands in the first.
          const formula = log.table.grid.rows[row]?.[log.columnOf(column) ?? 0]?.formula;
          const off =
            formula &&
            listReferences(formula).some(
              (reference) =>
                !reference.rowAbsolute &&
                columns.has(reference.column) &&
                reference.row !== row &&
                rows.has(reference.row) &&
                (reference.sheet === null || reference.sheet === log.table.grid.name),
            );
          if (off) hits.push({ hazard, row, column, formula });
        }
    const [first] = hits;
    if (!first) return [];
    return [
      {
        title: `${hits.length === 1 ? 'A risk formula reads' : `${hits.length} risk formulas read`} the rating of another row`,
        message: `The formula takes severity or likelihood from another hazard’s row: ${listIds(hits.map(({ hazard }) => hazard))}.`,
        hazardId: hits.length === 1 ? first.hazard.id : null,
        places: compactPlaces(hits.map(({ row, column }) => log.place(row, column))),
        found: `=${first.formula}`,
        expected: `row ${first.row}`,
      },
    ];
  },
};

export const formulaRules: Rule[] = [mixesPhases, readsAnotherRow];
