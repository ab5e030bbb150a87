import type { FileRow } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import type { RunRow } from '../../../../models/run.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { type FoundEvidence, findEvidence } from '../documents/findEvidence.ts';
import { readGivenDocuments } from '../documents/readDocumentText.ts';
import { type DeviceFacts, factOf } from '../facts/facts.ts';
import { writeChecklist } from '../files/checklistWorkbook.ts';
import { fileNameOf } from '../files/fileNameOf.ts';
import { writeTechnicalFile } from '../files/technicalFileDocument.ts';
import { makeChecklist } from '../gspr/checklist.ts';
import { classify } from '../rules/classify.ts';
import { dayIn, reportsDue } from '../surveillance/dates.ts';
import { dayText } from '../surveillance/describeDue.ts';
import { composeSections, countToWrite } from '../technicalFile/compose.ts';
import type { FileContent } from '../technicalFile/content.ts';
import type { ReadOnce } from './state.ts';

/** The input of a run's files. */
export type RunContent = FileContent & { unread: string[]; day: string; toWrite: number };

type Owner = Pick<RunRow, '_id' | 'accountId'>;

const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/**
 * Reads which kinds of evidence the company's documents seem to be, and the day in the account's time zone.
 * @param progress how many documents were read
 */
export async function readCompany(
  accountId: number,
  progress: (label: string, done: number, total: number) => void,
  now = new Date(),
): Promise<ReadOnce> {
  const documents = await readGivenDocuments(accountId, (done, total) =>
    progress('Reading your documents', done, total),
  );
  return {
    found: [...findEvidence(documents)].map(([id, found]) => [id, [...found]]),
    unread: documents.filter(({ text }) => text === null).map(({ name }) => name),
    today: dayIn(await readTimeZone(accountId), now),
  };
}

/** Everything that follows from the facts, the company's documents and the day. */
export function contentOf(facts: DeviceFacts, { found, unread, today }: ReadOnce): RunContent {
  const classification = classify(facts);
  const evidence: FoundEvidence = new Map(found);
  const content: FileContent = {
    facts,
    classification,
    evidence,
    checklist: makeChecklist(facts, evidence),
    due: reportsDue(facts, classification, today),
  };
  return { ...content, unread, day: dayText(today), toWrite: countToWrite(composeSections(content)) };
}

const productOf = (facts: DeviceFacts) =>
  fileNameOf([factOf(facts, 'name'), factOf(facts, 'version')].filter(Boolean).join(' '));

/** Stores the checklist under the run's key, so that a repetition after a crash stores it once. */
export async function keepChecklist({ _id, accountId }: Owner, content: RunContent): Promise<FileRow> {
  const name = `${productOf(content.facts)}, GSPR checklist.xlsx`;
  const bytes = await writeChecklist(content);
  return keepFile({ accountId, key: `mdr:${_id}:checklist`, name, kind: 'export', type: SHEET, bytes });
}

/** Stores the documentation under the run's key. */
export async function keepDocument({ _id, accountId }: Owner, content: RunContent): Promise<FileRow> {
  const name = `${productOf(content.facts)}, technical documentation.docx`;
  const bytes = await writeTechnicalFile(content, composeSections(content), content.day);
  return keepFile({ accountId, key: `mdr:${_id}:documentation`, name, kind: 'export', type: WORD, bytes });
}
