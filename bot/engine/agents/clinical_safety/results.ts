import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Types } from 'mongoose';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { AnalysisResult, TicketVerdict } from '../../../../models/contracts/hazards.ts';
import type { FileRow } from '../../../../models/file.ts';
import { findFile, keepFile, readFileBytes } from '../../../../models/files.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/hazardAnalysis.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);
const JSON_GZIP = 'application/json+gzip';

/** Keeps a result as two files: everything but the tickets, and the tickets. Keyed by the run, kept once. */
export async function keepResult(
  accountId: number,
  runId: Types.ObjectId,
  result: AnalysisResult,
): Promise<{ resultFileId: Types.ObjectId; ticketsResultFileId: Types.ObjectId }> {
  const { tickets, ...rest } = result;
  const [main, verdicts] = await Promise.all([
    keepJson(accountId, `analysis:${runId}:result`, `analysis-${runId}.json.gz`, rest),
    keepJson(accountId, `analysis:${runId}:tickets`, `analysis-${runId}-tickets.json.gz`, tickets),
  ]);
  return { resultFileId: main._id, ticketsResultFileId: verdicts._id };
}

async function keepJson(accountId: number, key: string, name: string, value: unknown): Promise<FileRow> {
  const bytes = await pack(JSON.stringify(value), { level: 4 });
  return keepFile({ accountId, key, name, kind: 'result', type: JSON_GZIP, bytes });
}

/** The JSON text of the result without its tickets, as bytes; never parsed on the way to a page. */
export async function readResultJson(analysis: HazardAnalysisRow): Promise<Buffer> {
  return readJson(analysis.resultFileId);
}

/** The JSON text of the tickets' verdicts, as bytes. */
export async function readTicketsJson(analysis: HazardAnalysisRow): Promise<Buffer> {
  return readJson(analysis.ticketsResultFileId);
}

async function readJson(fileId: Types.ObjectId | null): Promise<Buffer> {
  if (!fileId) throw new AppError('file_not_found');
  return unpack(await readFileBytes(await findFile({ _id: fileId })));
}

/** Results that were asked about lately; small ones only, so that a question costs no parsing. */
const recent = new Map<number, AnalysisResult>();
const RECENT = 8;
const SMALL_BYTES = 4 * 1024 * 1024;

/** The whole result of an analysis. */
export async function loadResult(analysis: HazardAnalysisRow): Promise<AnalysisResult> {
  const known = recent.get(analysis._id);
  if (known) return known;
  const [main, tickets] = await Promise.all([readResultJson(analysis), readTicketsJson(analysis)]);
  const result = {
    ...(JSON.parse(main.toString('utf8')) as Omit<AnalysisResult, 'tickets'>),
    tickets: JSON.parse(tickets.toString('utf8')) as TicketVerdict[],
  };
  if (main.byteLength + tickets.byteLength < SMALL_BYTES) {
    if (recent.size >= RECENT) recent.delete(recent.keys().next().value as number);
    recent.set(analysis._id, result);
  }
  return result;
}

/** The newest analysis of the account that has a result, or the newest at all. */
export function findLatestAnalysis(accountId: number, withResult = false): Promise<HazardAnalysisRow | null> {
  return HazardAnalysis.findOne({ accountId, ...(withResult ? { resultFileId: { $ne: null } } : {}) })
    .sort({ createdAt: -1 })
    .lean() as Promise<HazardAnalysisRow | null>;
}
