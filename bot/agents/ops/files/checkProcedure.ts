import { textOf } from '../../../engine/documents/documentText.ts';
import type { Process } from '../process/readProcess.ts';
import type { Risk } from '../risks/findRisks.ts';

/** Letters and digits of a text, with one space between words: how a file breaks its lines says nothing. */
const inOneLine = (text: string): string => text.replace(/[\s#•]+/g, ' ').trim();

/**
 * Compares the written files with the description, both read from their bytes: every sentence of it stands in the
 * procedure word for word, every step in the workbook, and the words of every risk in its step.
 * @returns what differs, in sentences; empty where everything was carried over
 */
export async function checkProcedure(
  process: Process,
  risks: readonly Risk[],
  files: { document: Uint8Array; workbook: Uint8Array },
): Promise<string[]> {
  const [document, workbook] = [
    inOneLine((await textOf('a.docx', files.document)) ?? ''),
    inOneLine((await textOf('a.xlsx', files.workbook)) ?? ''),
  ];
  const sentences = [
    ...process.purpose,
    ...process.scope,
    ...process.roles,
    ...process.steps.map(({ words }) => words),
    ...process.records.map(({ words }) => words),
    ...process.exceptions.map(({ words }) => words),
    ...process.other,
  ];
  const steps = new Map(process.steps.map((step) => [step.number, step.words]));
  return [
    ...sentences
      .filter((words) => !document.includes(inOneLine(words)))
      .map((words) => `“${words}” is not in the procedure.`),
    ...process.steps
      .filter(({ words }) => !workbook.includes(inOneLine(words)))
      .map(({ words }) => `“${words}” is not in the workbook.`),
    ...risks
      .filter(({ step, words }) => words !== null && !steps.get(step)?.toLowerCase().includes(words.toLowerCase()))
      .map(({ id }) => `The words of ${id} are not in its step.`),
  ];
}
