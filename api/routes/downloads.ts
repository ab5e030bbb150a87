import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import { makeExport } from '../../bot/engine/agents/clinical_safety/exports.ts';
import { downloadFile } from '../../models/contracts/chat.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { type FileRow, StoredFile } from '../../models/file.ts';
import { findFile, openFile } from '../../models/files.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';

/** A kept file, or an export that is made when it is first asked for. @throws AppError file_not_found */
async function findOrMake(accountId: number, name: string): Promise<FileRow> {
  const made = (await StoredFile.exists({ name })) ? null : await makeExport(accountId, name);
  return made ?? findFile({ name });
}

/** Files of the account, by name. */
export function downloadRoutes(router: Router): void {
  bind(router, downloadFile, async ({ who, params, response }) => {
    const row = await findOrMake(who.accountId, params.fileName);
    // Results are kept for the engine; what people download are uploads and exports.
    if (row.kind === 'result') throw new AppError('file_not_found');
    const bytes = openFile(row);
    response.attachment(row.name).type(row.type);
    response.set({
      'Content-Length': String(row.size),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    await pipeline(bytes, response);
    return ANSWERED;
  });
}
