import type { Access } from '../../engine/connectors/access.ts';
import { readJson } from '../../engine/connectors/requests.ts';

export const API = 'https://api.airtable.com/v0';

type Field = { id: string; name: string; type: string };
export type Table = { id: string; name: string; primaryFieldId: string; fields: Field[] };
export type AirtableRecord = { id: string; fields: Record<string, unknown> };
/** A table by the ids of its base and of itself. */
export type TableId = { base: string; table: string };

/** The address of a table's records. */
export const recordsOf = ({ base, table }: TableId): string =>
  `${API}/${encodeURIComponent(base)}/${encodeURIComponent(table)}`;

/** The tables of a base, with their fields. @throws ProviderFailure */
export const readTables = async (access: Access, base: string): Promise<Table[]> =>
  (await readJson<{ tables: Table[] }>(access, `${API}/meta/bases/${encodeURIComponent(base)}/tables`)).tables;

/** A text as a string of Airtable's formulas. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, (sign) => `\\${sign}`)}"`;
