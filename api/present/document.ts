import { isAnalysable } from '../../bot/engine/documents/documentType.ts';
import { mayDelete } from '../../bot/engine/documents/sandbox.ts';
import type { WorkspaceDocument } from '../../models/contracts/documents.ts';
import { downloadPath } from '../../models/contracts/files.ts';
import type { FileRow } from '../../models/file.ts';
import type { Who } from '../../models/policies/who.ts';

/** A document of the sandbox workspace as one viewer sees it. */
export const presentDocument = (row: FileRow, who: Who): WorkspaceDocument => ({
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
