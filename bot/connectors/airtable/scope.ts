import type { Access, ScopeDeclaration, ScopeValues } from '../../engine/connectors/connector.ts';
import { inOrder, optionOf, readOption } from '../../engine/connectors/places.ts';
import { readJson, readPages } from '../../engine/connectors/requests.ts';
import { API, readTables, type TableId } from './api.ts';

const MAX_PAGES = 2;
/** Bases whose tables are listed; Airtable takes five calls a second. */
const MAX_BASES = 40;

type Bases = { bases: { id: string; name: string }[]; offset?: string };

/** A chosen table; null where none was. */
export function readTable(value = ''): (TableId & { name: string }) | null {
  const { id, name } = readOption(value);
  const [base = '', table = ''] = id.split('.');
  return base && table ? { base, table, name } : null;
}

async function readOptions(access: Access) {
  const bases = await readPages(async (offset) => {
    const query = offset === null ? '' : `?${new URLSearchParams({ offset })}`;
    const { bases: rows, offset: next = null } = await readJson<Bases>(access, `${API}/meta/bases${query}`);
    return { rows, next };
  }, MAX_PAGES);
  const tables = [];
  for (const { id: base, name } of bases.slice(0, MAX_BASES))
    for (const table of await readTables(access, base))
      tables.push(optionOf({ id: `${base}.${table.id}`, name: `${name}: ${table.name}` }));
  const options = inOrder(tables);
  return { people: options, drafts: options };
}

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'people',
      label: 'Table of people',
      hint: 'Columns are found by their names: Name, First name, Email, Company, Role, Opted out.',
      kind: 'choice',
      required: true,
    },
    {
      id: 'drafts',
      label: 'Table for drafts',
      hint: 'Optional. It needs a first column of text and a column of long text; each draft becomes a new record.',
      kind: 'choice',
      required: false,
    },
  ],
  readOptions,
  describe({ people, drafts }: ScopeValues) {
    const into = readTable(drafts);
    return `the table ${readTable(people)?.name ?? ''}${into ? `, drafts in ${into.name}` : ''}`;
  },
};
