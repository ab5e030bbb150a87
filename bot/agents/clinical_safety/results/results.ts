import type { Types } from 'mongoose';
import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type {
  AnalysisResult,
  ExistingHazard,
  TicketVerdict,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { FileRow } from '../../../../models/file.ts';
import { findFile, keepFile, readFileBytes } from '../../../../models/files.ts';
import { packList, packValue, readList, unpackText } from './jsonLines.ts';

type ResultFiles = Pick<HazardAnalysisRow, 'resultFileId' | 'hazardsFileId' | 'ticketsResultFileId'>;
/** A result without its two long lists. */
type Core = Omit<AnalysisResult, 'existingHazards' | 'tickets'>;

/** Makes a function that stores a part of a result under a key, so that it is stored once. */
const partKeeper =
  (accountId: number, runId: Types.ObjectId) =>
  async (part: string, bytes: Buffer): Promise<FileRow['_id']> => {
    const [key, name] = [`analysis:${runId}:${part}`, `analysis-${runId}-${part.replaceAll(':', '-')}.json.gz`];
    return (await keepFile({ accountId, key, name, kind: 'result', type: 'application/json+gzip', bytes }))._id;
  };

/** Stores a result in three files: its hazards, its tickets, and the rest. Keyed by the run, so stored once. */
export async function keepResult(
  accountId: number,
  runId: Types.ObjectId,
  result: AnalysisResult,
): Promise<ResultFiles> {
  const { existingHazards, tickets, ...core } = result;
  const keep = partKeeper(accountId, runId);
  const [hazardsFileId, ticketsResultFileId] = await Promise.all([
    keep('hazards', await packList(existingHazards)),
    keep('tickets', await packList(tickets)),
  ]);
  return { hazardsFileId, ticketsResultFileId, resultFileId: await keep('result', await packValue(core)) };
}

/** Stores the changed verdicts and counts of a result under the key of the change; its hazards stay as they are. */
export async function keepVerdicts(
  accountId: number,
  runId: Types.ObjectId,
  change: string,
  { existingHazards: _hazards, tickets, ...core }: AnalysisResult,
): Promise<Pick<ResultFiles, 'resultFileId' | 'ticketsResultFileId'>> {
  const keep = partKeeper(accountId, runId);
  const [ticketsResultFileId, resultFileId] = await Promise.all([
    packList(tickets).then((bytes) => keep(`tickets:${change}`, bytes)),
    packValue(core).then((bytes) => keep(`result:${change}`, bytes)),
  ]);
  return { ticketsResultFileId, resultFileId };
}

/** Stores what a run needs between its steps and is too long for its state, once. @returns the file's id */
export const keepBetweenSteps = async (accountId: number, runId: Types.ObjectId, part: string, value: unknown) =>
  partKeeper(accountId, runId)(part, await packValue(value));

/** What was kept between steps. @throws AppError file_not_found, expired */
export const readBetweenSteps = async <T>(fileId: Types.ObjectId): Promise<T> =>
  JSON.parse((await readPart(fileId)).toString('utf8')) as T;

/** The JSON text of one part, as bytes. @throws AppError file_not_found, expired */
async function readPart(fileId: Types.ObjectId | null): Promise<Buffer> {
  if (!fileId) throw new AppError('file_not_found');
  return unpackText(await readFileBytes(await findFile({ _id: fileId })));
}

/** The JSON text of the result without its tickets, as bytes, so that it is not parsed on the way to a page. */
export async function readResultJson(analysis: ResultFiles): Promise<Buffer> {
  const [hazards, core] = await Promise.all([readPart(analysis.hazardsFileId), readPart(analysis.resultFileId)]);
  return Buffer.concat([Buffer.from('{"existingHazards":'), hazards, Buffer.from(','), core.subarray(1)]);
}

/** The JSON text of the tickets' verdicts, as bytes. */
export const readTicketsJson = (analysis: ResultFiles) => readPart(analysis.ticketsResultFileId);

/** A result without its long lists: enough for a review, an export of proposals, or a merge into an unchanged log. */
export async function loadCore(analysis: ResultFiles): Promise<AnalysisResult> {
  const core = JSON.parse((await readPart(analysis.resultFileId)).toString('utf8')) as Core;
  return { ...core, existingHazards: [], tickets: [] };
}

/** Recently used results by the file of their verdicts, so that a question needs no file. Only small ones are cached. */
const recent = new Map<string, AnalysisResult>();
const MAX_RECENT = 8;
const MAX_CACHED_ITEMS = 4000;

/** The whole result of an analysis. */
export async function loadResult(analysis: HazardAnalysisRow): Promise<AnalysisResult> {
  const key = String(analysis.ticketsResultFileId);
  const known = recent.get(key);
  if (known) return known;
  const [core, hazards, tickets] = await Promise.all([
    loadCore(analysis),
    readPart(analysis.hazardsFileId),
    readPart(analysis.ticketsResultFileId),
  ]);
  const result: AnalysisResult = {
    ...core,
    existingHazards: await readList<ExistingHazard>(hazards),
    tickets: await readList<TicketVerdict>(tickets),
  };
  rememberResult(key, result);
  return result;
}

/**
 * Remembers a result that was just stored, so that what is asked next reads no file.
 * @param ticketsResultFileId the file of its verdicts
 */
export function rememberResult(ticketsResultFileId: string, result: AnalysisResult): void {
  if (result.existingHazards.length + result.tickets.length >= MAX_CACHED_ITEMS) return;
  if (recent.size >= MAX_RECENT) recent.delete(recent.keys().next().value as string);
  recent.set(ticketsResultFileId, result);
}
