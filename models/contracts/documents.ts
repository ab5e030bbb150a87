import { z } from 'zod';
import { parseResult } from './chat.ts';
import { endpoint, isoDate } from './endpoint.ts';

/** A document of the sandbox workspace: kept in Arc until it is deleted. */
const workspaceDocument = z.object({
  id: z.string(),
  /** The name that it was uploaded with. */
  name: z.string(),
  /** Its media type. */
  type: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** The name of the person who added it, or of the agent that drafted it. */
  addedBy: z.string(),
  addedAt: isoDate,
  /** Download path. */
  url: z.string(),
  /** Whether an agent can analyse it: spreadsheets and CSV. */
  analysable: z.boolean(),
  /** Whether the person who asks may delete it: who added it, and the owner. */
  deletable: z.boolean(),
});
export type WorkspaceDocument = z.infer<typeof workspaceDocument>;

const documentId = z.object({ id: z.string().regex(/^[0-9a-f]{24}$/, 'This is not the id of a document.') });

export const listDocuments = endpoint({
  method: 'get',
  path: '/api/documents',
  summary: 'The sandbox workspace: its documents, newest first, and whether it takes more',
  policy: 'signed-in',
  scopes: ['documents:read'],
  answer: z.object({
    /** False once a real workspace is connected: documents stay readable and none can be added. */
    open: z.boolean(),
    documents: z.array(workspaceDocument),
  }),
});

export const addDocument = endpoint({
  method: 'post',
  path: '/api/documents',
  summary: 'Add a document to the sandbox workspace (multipart: document)',
  policy: 'signed-in',
  scopes: ['documents:add'],
  rate: ['upload', 'uploadAccount'],
  status: 201,
  answer: z.object({ success: z.literal(true), document: workspaceDocument }),
});

export const deleteDocument = endpoint({
  method: 'delete',
  path: '/api/documents/:id',
  summary: 'Delete a document: who added it, or the owner',
  policy: 'signed-in',
  params: documentId,
  answer: z.object({ success: z.literal(true) }),
});

export const useDocument = endpoint({
  method: 'post',
  path: '/api/documents/:id/use',
  summary: 'Give a document of the sandbox workspace to the agents in the chat',
  policy: 'signed-in',
  startsWork: true,
  rate: ['upload', 'uploadAccount'],
  params: documentId,
  answer: z.object({
    success: z.literal(true),
    parseResult,
  }),
});
