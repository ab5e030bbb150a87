import type { TextBlock } from '../reading/textBlocks.ts';

/** A risk that a table of a report gives for a hazard. */
type ReportedRisk = { id: string; stage: 'initial' | 'residual'; risk: number };

const ID_HEADING = /\bhazard(?: (?:id|no\.?|number|ref\w*))?\b|^(?:id|no\.?|ref\w*|number|num)$/i;
const RISK_HEADING = /\brisk\b(?! owner)/i;
const RESIDUAL = /\bresidual\b|\bafter\b|\bpost\b|^r\. ?/i;
const INITIAL = /\binitial\b|\bbefore\b|\bpre\b|^i\. ?/i;

export const plainId = (id: string): string => id.replace(/[\s_-]/g, '').toUpperCase();

/** The risk in a cell: a number alone, with a word, or before what the matrix gives. */
const riskOf = (cell: string): number | null => {
  const digits = /^\D{0,20}?(\d{1,2})(?!\d)/.exec(cell.trim())?.[1];
  return digits === undefined ? null : Number(digits);
};

/**
 * The columns of initial and residual risk: by its heading, by the heading left of it, else the first initial and the
 * second residual.
 */
function riskColumns(head: readonly string[]): { at: number; stage: ReportedRisk['stage'] }[] {
  const risks = head.flatMap((cell, at) => (RISK_HEADING.test(cell) ? [at] : []));
  return risks.map((at, order) => {
    const own = head[at] ?? '';
    const left = head[at - 1] ?? '';
    const side = [own, left].map((text) => (RESIDUAL.test(text) ? 'residual' : INITIAL.test(text) ? 'initial' : null));
    return { at, stage: side[0] ?? side[1] ?? (order === 0 && risks.length > 1 ? 'initial' : 'residual') };
  });
}

/** The risks of hazards that the tables of a report give, for the ids of a log. */
export function readReportedRisks(blocks: readonly TextBlock[], ids: readonly string[]): ReportedRisk[] {
  const known = new Map(ids.map((id) => [plainId(id), id]));
  return blocks.flatMap((block) => {
    if (!('table' in block)) return [];
    const [head = [], ...rows] = block.table;
    const idAt = head.findIndex((cell) => ID_HEADING.test(cell.trim()));
    const columns = riskColumns(head);
    if (idAt === -1 || columns.length === 0) return [];
    return rows.flatMap((row) => {
      const id = known.get(plainId(row[idAt]?.split('\n')[0] ?? ''));
      if (!id) return [];
      return columns.flatMap(({ at, stage }): ReportedRisk[] => {
        const risk = riskOf(row[at] ?? '');
        return risk === null ? [] : [{ id, stage, risk }];
      });
    });
  });
}
