import { findFindings } from '../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readSafetyReport } from '../../bot/agents/clinical_safety/findings/safetyReport.ts';
import { readLog } from '../../bot/agents/clinical_safety/reading/readLog.ts';
import type { Finding } from '../../models/contracts/clinical_safety/hazards.ts';
import { MATRIX_SHEET, makePackage, type SheetCell, type SheetSpec } from './hazardLog.ts';

/** The rows of a hazard log, and what is analysed together with them. */
export type Log = { rows: SheetCell[][]; sheets?: SheetSpec[]; fileName?: string; asOf?: string; report?: string };

export async function findAll({
  rows,
  sheets = [MATRIX_SHEET],
  fileName = 'log.xlsx',
  asOf,
  report,
}: Log): Promise<Finding[]> {
  const log = await readLog(makePackage({ sheets: [{ name: 'Hazard Log', rows }, ...sheets] }), fileName);
  return findFindings({ log, asOf: asOf ?? null, report: report ? readSafetyReport(report, 'report.md') : null });
}

/** A finding as one line: level, rule, clause, hazard and cells, then found and expected values. */
const lineOf = ({ level, rule, clause, hazardId, places, found, expected }: Finding) =>
  `${level} ${rule} (${clause}) ${hazardId ?? 'log'} ${places.map(({ cell }) => cell).join(' ')}${found === null && expected === null ? '' : `: ${found} → ${expected}`}`;

/** All findings of a log, or those of the given rules. */
export const list = async (log: Log, ...rules: string[]) =>
  (await findAll(log)).filter(({ rule }) => rules.length === 0 || rules.includes(rule)).map(lineOf);

/** The messages of a rule's findings. */
export const messages = async (log: Log, rule: string) =>
  (await findAll(log)).filter((finding) => finding.rule === rule).map(({ message }) => message);

export const BARE = ['ID', 'Hazard', 'Causes', 'Effect'];
export const RATED = [...BARE, 'Severity', 'Likelihood', 'Risk'];
export const BOTH = [...RATED, 'Residual Severity', 'Residual Likelihood', 'Residual Risk'];
export const START = ['H1', 'Late', 'Queue', 'Delay'];
export const NEXT = ['H2', 'Lost', 'Crash', 'Harm'];
export const THIRD = ['H3', 'Wrong', 'Typo', 'Harm'];
export const FULL: SheetCell[] = ['Design', 'Ada', 'T-1', 'Open', '2026-01-01'];
export const FULL_HEAD = ['Design controls', 'Owner', 'Evidence', 'Status', 'Review date'];
/** A log with the given columns, completed with the columns that every log should have. */
export const complete = (head: string[], ...rows: SheetCell[][]): SheetCell[][] => [
  [...head, ...FULL_HEAD],
  ...rows.map((row) => [...row, ...FULL]),
];
