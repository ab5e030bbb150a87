import type { Router } from 'express';
import { isAnalysable } from '../../bot/engine/documents/documentType.ts';
import {
  addDocument,
  deleteDocument,
  mayDelete,
  readDocuments,
  takesDocuments,
} from '../../bot/engine/documents/sandbox.ts';
import { acceptDocument } from '../../bot/engine/turns/acceptDocument.ts';
import * as contract from '../../models/contracts/documents.ts';
import { downloadPath } from '../../models/contracts/files.ts';
import type { FileRow } from '../../models/file.ts';
import type { Who } from '../../models/policies/who.ts';
import { bind } from '../middleware/bind.ts';
import { requireChat } from '../middleware/chatGate.ts';
import { takeDocument, uploadedFile } from '../middleware/upload.ts';

const present = (who: Who, row: FileRow): contract.WorkspaceDocument => ({
  id: String(row._id),
  name: row.originalName,
  type: row.type,
  size: row.size,
  addedBy: row.addedBy?.name ?? 'unknown',
  addedAt: row.createdAt.toISOString(),
  url: downloadPath(row.name),
  analysable: isAnalysable(row.originalName),
  deletable: mayDelete(who, row),
});

/** The sandbox workspace: documents kept in Arc. */
export function documentRoutes(router: Router): void {
  bind(
    router,
    contract.listDocuments,
    async ({ who }) => ({
      open: await takesDocuments(who.accountId),
      documents: (await readDocuments(who.accountId)).map((row) => present(who, row)),
    }),
    { topics: ['integrations'] },
  );

  bind(
    router,
    contract.addDocument,
    async ({ who, request }) => {
      const row = await addDocument(who, uploadedFile(request.file));
      return { success: true as const, document: present(who, row) };
    },
    { before: takeDocument },
  );

  bind(router, contract.deleteDocument, async ({ who, params }) => {
    await deleteDocument(who, params.id);
    return { success: true as const };
  });

  bind(router, contract.useDocument, async ({ who, params }) => {
    await requireChat(who);
    const { kind, fileName, rowCount } = (await acceptDocument(who, params.id)).seen;
    return { success: true as const, parseResult: { kind, fileName, rowCount } };
  });
}
