import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import { findDownload } from '../../bot/engine/agents/downloads.ts';
import { recordEvent } from '../../bot/engine/audit/recordEvent.ts';
import { downloadFile } from '../../models/contracts/chat.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { openFile } from '../../models/files.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';

/** Files of the account, by name. */
export function downloadRoutes(router: Router): void {
  bind(router, downloadFile, async ({ who, params, response }) => {
    const row = await findDownload(who.accountId, params.fileName);
    if (!row) throw new AppError('file_not_found');
    const bytes = openFile(row);
    await recordEvent(who.accountId, 'file.exported', {
      userId: who.userId,
      subject: `file:${row._id}`,
      outcome: 'downloaded',
      shownDigest: row.digest,
    });
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
