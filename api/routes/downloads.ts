import type { Router } from 'express';
import { findDownload } from '../../bot/engine/agents/downloads.ts';
import { recordEvent } from '../../bot/engine/audit/recordEvent.ts';
import { downloadFile } from '../../models/contracts/chat.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { openFile } from '../../models/files.ts';
import { tokenOf } from '../middleware/acting.ts';
import { bind } from '../middleware/bind.ts';
import { sendFile } from '../middleware/sendFile.ts';

/** Files of the account, by name. */
export function downloadRoutes(router: Router): void {
  bind(router, downloadFile, async ({ who, params, request, response }) => {
    const row = await findDownload(who.accountId, params.fileName);
    const token = tokenOf(request)?.token;
    // A token that reads results alone is not told which documents there are.
    const isHidden = token && row?.kind === 'document' && !token.scopes.includes('documents:read');
    if (!row || isHidden) throw new AppError('file_not_found');
    const bytes = openFile(row);
    await recordEvent(who.accountId, 'file.exported', {
      userId: who.userId,
      subject: `file:${row._id}`,
      outcome: 'downloaded',
      shownDigest: row.digest,
    });
    return sendFile(response, row, bytes);
  });
}
