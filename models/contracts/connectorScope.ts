import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';

const scopeOption = z.object({ value: z.string(), label: z.string() });
export type ScopeOption = z.infer<typeof scopeOption>;

const scopeField = z.object({
  id: z.string(),
  label: z.string(),
  /** What to write, below the field; empty for none. */
  hint: z.string(),
  kind: z.enum(['choice', 'text']),
  required: z.boolean(),
  value: z.string(),
  /** Of a choice that is not required: what no choice means, where that is not all. */
  empty: z.string().optional(),
  /** Of a choice, what the connection may read; null for texts, and for people who can't change it. */
  options: z.array(scopeOption).nullable(),
});
export type ScopeField = z.infer<typeof scopeField>;

const connectorScope = z.object({
  service: z.string(),
  /** What is read, in a few words; null while nothing is chosen. */
  text: z.string().nullable(),
  fields: z.array(scopeField),
  /** The last complete reading of its tickets; null where there was none. */
  read: z.object({ count: z.number(), at: z.string() }).nullable(),
});
export type ConnectorScopeView = z.infer<typeof connectorScope>;

export const readConnectorScope = endpoint({
  method: 'get',
  path: '/api/connectors/:service/scope',
  summary: 'What of a connected tool is read, and what there is to choose',
  policy: 'signed-in',
  params: z.object({ service: z.string().max(50) }),
  answer: connectorScope,
});

export const saveConnectorScope = endpoint({
  method: 'put',
  path: '/api/connectors/:service/scope',
  summary: 'Choose what of a connected tool is read; what was read by another choice is deleted',
  policy: 'signed-in',
  params: z.object({ service: z.string().max(50) }),
  body: z.object({ values: z.record(z.string().max(40), z.string().max(LIMITS.connectors.scopeText)) }),
  answer: connectorScope,
});
