import { requireSettledText, textOf } from '../../../engine/documents/documentText.ts';
import type { ThreadProgress } from '../../../engine/files/serveThread.ts';
import { countGaps } from '../../../engine/files/wordDocument.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import { checkProcedure } from '../files/checkProcedure.ts';
import { composeProcedure } from '../files/procedure.ts';
import { writeWorkbook } from '../files/workbook.ts';
import { readProcess, rolesOf } from '../process/readProcess.ts';
import { findRisks } from '../risks/findRisks.ts';
import { describeProcedure } from '../workflows/describe.ts';

/**
 * A job for a thread: to read a description, or to write its procedure on a day such as "5 Jun 2026". `name` and
 * `bytes` are the description's, `usualTitle` is for one that has no title.
 */
export type Request = { name: string; bytes: Uint8Array; usualTitle: string; day: string | null };

/** What was written, with what differs from the description; `problems` are empty where everything was carried over. */
type Written = {
  title: string;
  text: string;
  counts: { steps: number; roles: number; risks: number; toFill: number };
  document: Uint8Array;
  workbook: Uint8Array;
  problems: string[];
};

/** How many steps the description has, and what was written where a day was given; null where it can't be read. */
export type Output = { steps: number; written: Written | null } | null;

/** Does one job. @throws FileError tracked_changes */
export async function work(
  { name, bytes, usualTitle, day }: Request,
  report: (progress: ThreadProgress) => void,
): Promise<Output> {
  requireSettledText(name, bytes);
  const text = await textOf(name, bytes);
  if (!text) return null;
  const process = readProcess(text);
  const steps = process.steps.length;
  if (day === null) return { steps, written: null };
  const risks = findRisks(process);
  const title = process.title ?? usualTitle;
  const base = { process, title, sourceName: name, day };
  const composed = composeProcedure(base);
  report({ label: 'Writing the procedure', done: 0, total: 3 });
  const document = await writeWord(composed);
  report({ label: 'Writing the checklist and the register', done: 1, total: 3 });
  const workbook = await writeWorkbook({ ...base, risks });
  report({ label: 'Comparing them with the description', done: 2, total: 3 });
  const problems = await checkProcedure(process, risks, { document, workbook });
  const counts = { steps, roles: rolesOf(process).length, risks: risks.length, toFill: countGaps(composed) };
  const told = describeProcedure({ process, risks, title }, counts);
  return { steps, written: { title, text: told, counts, document, workbook, problems } };
}
