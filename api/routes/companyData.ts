import type { Router } from 'express';
import { askForExport, findExport, readExports } from '../../bot/engine/accounts/companyExports.ts';
import { recordEvent } from '../../bot/engine/audit/recordEvent.ts';
import { eraseCompany, readErasurePlan } from '../../bot/engine/erasure/eraseCompany.ts';
import * as contract from '../../models/contracts/companyData.ts';
import { openFile } from '../../models/files.ts';
import { bind } from '../middleware/bind.ts';
import { sendFile } from '../middleware/sendFile.ts';
import { dropSession, requireOwnSession } from '../middleware/session.ts';
import { presentExport } from '../present/companyExport.ts';

/** Export and erasure of everything that Arc holds of a company. */
export function companyDataRoutes(router: Router): void {
  bind(router, contract.listExports, async ({ who }) => ({ exports: (await readExports(who)).map(presentExport) }));

  bind(router, contract.askForExport, async ({ who }) => ({ export: presentExport(await askForExport(who)) }));

  bind(router, contract.downloadExport, async ({ who, params, response }) => {
    const file = await findExport(who, params.id);
    const bytes = openFile(file);
    await recordEvent(who.accountId, 'account.exported', {
      userId: who.userId,
      subject: `account:${who.accountId}`,
      outcome: 'downloaded',
      shownDigest: file.digest,
    });
    return sendFile(response, file, bytes);
  });

  bind(router, contract.readErasurePlan, ({ who }) => readErasurePlan(who));

  bind(router, contract.eraseCompany, async ({ who, body, request }) => {
    requireOwnSession(request);
    const done = await eraseCompany(who, { ...body, since: request.session.since ?? 0 });
    await dropSession(request);
    return { success: true as const, ...done };
  });
}
