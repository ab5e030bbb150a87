import { mutate } from 'swr';
import { addDocument, deleteDocument, listDocuments, useDocument } from '../../models/contracts/documents.ts';
import type { ParamsOf } from '../../models/contracts/endpoint.ts';
import { LIMITS, POLLS } from '../../models/contracts/limits.ts';
import { call, urlOf } from './call.ts';
import { whenSwitched } from './integrations.ts';
import { useCall } from './useCall.ts';

/** File types that the sandbox workspace accepts; for the file dialog and the check before upload. */
export const DOCUMENT_TYPES = '.pdf,.docx,.xlsx,.xlsm,.xls,.csv,.md,.txt';

/** The documents of the sandbox workspace. */
export function useDocuments() {
  // The place is shown as soon as its switch moves: an answer from before that is saved would say that it is closed.
  return useCall(listDocuments, {}, { poll: POLLS.toolStatus, after: whenSwitched });
}

const refreshDocuments = () => mutate(urlOf(listDocuments));

/** The fault of a file by its type or size; null if it can be sent. */
export function documentFault(file: File): { title: string; message: string } | null {
  if (!DOCUMENT_TYPES.split(',').some((extension) => file.name.toLowerCase().endsWith(extension))) {
    return {
      title: 'Invalid file type',
      message: 'Please select a PDF, Word, Excel, CSV, Markdown or text file.',
    };
  }
  if (file.size > LIMITS.uploadBytes) {
    return { title: 'File too large', message: 'Please select a file smaller than 10MB.' };
  }
  return null;
}

/** Adds a document. */
export async function sendDocument(file: File): Promise<void> {
  const body = new FormData();
  body.append('document', file);
  // The place is shown as soon as its switch moves; the server opens it once that is saved.
  await whenSwitched();
  await call(addDocument, { body: body as never });
  await refreshDocuments();
}

/** Deletes a document permanently. */
export async function removeDocument(id: string): Promise<void> {
  await call(deleteDocument, { params: { id } });
  await refreshDocuments();
}

/** Sends a document of the workspace to the agents in the chat. */
export async function sendDocumentToChat(params: ParamsOf<typeof useDocument>) {
  return (await call(useDocument, { params })).parseResult;
}
