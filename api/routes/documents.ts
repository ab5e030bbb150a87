import type { Router } from 'express';
import { addDocument, deleteDocument, readDocuments, takesDocuments } from '../../bot/engine/documents/sandbox.ts';
import { acceptDocument } from '../../bot/engine/turns/acceptDocument.ts';
import * as contract from '../../models/contracts/documents.ts';
import { bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';
import { takeDocument, uploadedFile } from '../middleware/upload.ts';
import { presentDocument } from '../present/document.ts';
import { presentParseResult } from '../present/parseResult.ts';

/** The sandbox workspace: documents kept in Arc. */
export function documentRoutes(router: Router): void {
  bind(
    router,
    contract.listDocuments,
    async ({ who }) => ({
      open: await takesDocuments(who.accountId),
      documents: (await readDocuments(who.accountId)).map((row) => presentDocument(row, who)),
    }),
    { topics: ['integrations'] },
  );

  bind(
    router,
    contract.addDocument,
    async ({ who, request }) => {
      const row = await addDocument(who, uploadedFile(request.file));
      return { success: true as const, document: presentDocument(row, who) };
    },
    { before: takeDocument },
  );

  bind(router, contract.deleteDocument, async ({ who, params }) => {
    await deleteDocument(who, params.id);
    return { success: true as const };
  });

  bind(router, contract.useDocument, async ({ who, params }) => {
    await requireChat(who);
    return { success: true as const, parseResult: presentParseResult(await acceptDocument(who, params.id)) };
  });
}
