import type { Access } from '../../engine/connectors/connector.ts';
import { readJson } from '../../engine/connectors/requests.ts';

export const GRAPH = 'https://graph.microsoft.com/v1.0';

export type Listed<T> = { value: T[]; '@odata.nextLink'?: string; '@odata.deltaLink'?: string };

/** A page of rows; the cursor to the next is its address. @throws ProviderFailure */
export async function listFrom<T>(access: Pick<Access, 'send'>, address: string, cursor: string | null) {
  const { value, '@odata.nextLink': next = null } = await readJson<Listed<T>>(access, cursor ?? address);
  return { rows: value, next };
}
