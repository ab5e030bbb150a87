import { Types } from 'mongoose';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { digestOf } from '../../../models/digest.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { plainFileName } from '../../../models/fileName.ts';
import { deleteFile, keepFile } from '../../../models/files.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { readIntegrations } from '../accounts/integrations.ts';
import { documentType } from './documentType.ts';
import { findWorkspace, saveInWorkspace } from './workspace.ts';

/** Whether documents can be added: the sandbox workspace is offered and switched on. */
export async function takesDocuments(accountId: number): Promise<boolean> {
  return (await readIntegrations(accountId)).sandbox?.enabled ?? false;
}

/** Every document of the account, newest first; readable even when the sandbox workspace is no longer offered. */
export async function readDocuments(accountId: number): Promise<FileRow[]> {
  return await StoredFile.find({ accountId, kind: 'document' }).sort({ createdAt: -1, _id: -1 }).lean();
}

/** One document. @throws AppError file_not_found */
export async function findDocument(accountId: number, id: string): Promise<FileRow> {
  const row = await StoredFile.findOne({ accountId, _id: new Types.ObjectId(id), kind: 'document' }).lean();
  if (!row) throw new AppError('file_not_found');
  return row;
}

/**
 * Stores a document. The same content under the same name returns the existing one.
 * @throws AppError sandbox_off, invalid_document_type, workspace_full
 */
export async function addDocument(who: Who, given: { fileName: string; bytes: Uint8Array }): Promise<FileRow> {
  const { accountId } = who;
  const states = await readIntegrations(accountId);
  if (!states.sandbox?.enabled) {
    const text = states.sandbox
      ? 'The sandbox workspace is switched off. Switch it on under Integrations.'
      : 'A real workspace is connected, so the sandbox workspace takes no more documents. Those in it stay readable.';
    throw new AppError('sandbox_off', { text });
  }
  const name = plainFileName(given.fileName);
  const type = documentType(name, given.bytes);
  if (!type || given.bytes.byteLength === 0) {
    throw new AppError('invalid_document_type', {}, { fields: { document: `${name} can’t be taken.` } });
  }
  const digest = await digestOf(given.bytes);
  const key = `document:${name}:${digest}`;
  if (!(await StoredFile.exists({ accountId, key }))) await requireRoom(accountId, given.bytes.byteLength);
  return changing(accountId, ['integrations'], () =>
    keepFile({
      accountId,
      key,
      name,
      kind: 'document',
      type,
      bytes: given.bytes,
      digest,
      addedBy: { userId: who.userId, name: who.name },
    }),
  );
}

async function requireRoom(accountId: number, bytes: number): Promise<void> {
  const kept = await StoredFile.find({ accountId, kind: 'document', source: null }, { size: 1 }).lean();
  const size = kept.reduce((sum, it) => sum + it.size, bytes);
  const { count, bytes: most } = LIMITS.documents;
  if (kept.length < count && size <= most) return;
  throw new AppError('workspace_full', { count, megabytes: most / 2 ** 20 });
}

/**
 * Saves an agent's draft in the connected workspace, else in the sandbox workspace, where that is in use.
 * @param key idempotency key of the draft
 * @returns a sentence that says where it is, with a link for a connected one; null where it is nowhere
 */
export async function saveDraft(
  accountId: number,
  draft: { key: string; name: string; type: string; bytes: Uint8Array; agentName: string },
): Promise<string | null> {
  const workspace = await findWorkspace(accountId);
  if (workspace) return saveInWorkspace(accountId, workspace, draft);
  return (await saveInSandbox(accountId, draft)) ? 'A copy is in the sandbox workspace.' : null;
}

async function saveInSandbox(accountId: number, draft: Parameters<typeof saveDraft>[1]): Promise<boolean> {
  if (!(await takesDocuments(accountId))) return false;
  const key = `document:${draft.key}`;
  const full = await requireRoom(accountId, draft.bytes.byteLength).then(
    () => false,
    () => true,
  );
  if (full && !(await StoredFile.exists({ accountId, key }))) return false;
  const { name, type, bytes, agentName } = draft;
  await changing(accountId, ['integrations'], () =>
    keepFile({ accountId, key, name, kind: 'document', type, bytes, addedBy: { userId: null, name: agentName } }),
  );
  return true;
}

/** Whether somebody may delete a document: its creator and the account's owner. */
export function mayDelete(who: Who, row: FileRow): boolean {
  // The next reading would bring back what is in a connected workspace.
  return !row.source && may(who, 'document.delete', row.addedBy);
}

/**
 * Deletes a document permanently.
 * @throws AppError file_not_found, not_allowed
 */
export async function deleteDocument(who: Who, id: string): Promise<void> {
  const row = await findDocument(who.accountId, id);
  if (!mayDelete(who, row)) throw new AppError('not_allowed');
  await changing(who.accountId, ['integrations'], () => deleteFile(row));
}
