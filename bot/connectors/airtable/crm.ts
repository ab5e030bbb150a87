import type { CrmSource } from '../../engine/connectors/crmSource.ts';
import { draftText, nameOfDraft } from '../../engine/connectors/draftParts.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';
import { asJson, readJson } from '../../engine/connectors/requests.ts';
import { type AirtableRecord, quoted, readTables, recordsOf, type Table, type TableId } from './api.ts';
import { findColumns, toContact } from './contacts.ts';
import { readTable } from './scope.ts';

const PAGE = 100;
const LONG_TEXT = new Set(['multilineText', 'richText']);
/** Longest text of a cell. */
const MAX_CHARACTERS = 100_000;

type Access = Parameters<NonNullable<CrmSource['listContacts']>>[0];

async function requireTable(access: Access, value: string | undefined): Promise<{ at: TableId; table: Table }> {
  const at = readTable(value);
  if (!at) throw new ProviderFailure('refused', 'no table was chosen');
  const table = (await readTables(access, at.base)).find(({ id }) => id === at.table);
  if (!table) throw new ProviderFailure('refused', 'the chosen table is gone');
  return { at, table };
}

/** Records of a table of people, and drafts as records (https://airtable.com/developers/web/api). */
export const crm: CrmSource = {
  async listContacts(access, { people }, { cursor }) {
    const { at, table } = await requireTable(access, people);
    const columns = findColumns(table);
    if (columns.email === undefined) throw new ProviderFailure('refused', 'the table has no column of addresses');
    const asked = new URLSearchParams({ pageSize: String(PAGE), ...(cursor === null ? {} : { offset: cursor }) });
    const { records, offset = null } = await readJson<{ records: AirtableRecord[]; offset?: string }>(
      access,
      `${recordsOf(at)}?${asked}`,
    );
    return { rows: records.map((record) => toContact(record, columns)), next: offset };
  },

  mails: {
    noun: 'a record in the table for drafts',
    isChosen: ({ drafts }) => readTable(drafts) !== null,
    async save(access, { drafts }, draft) {
      const { at, table } = await requireTable(access, drafts);
      const first = table.fields.find(({ id }) => id === table.primaryFieldId);
      const long = table.fields.find(({ id, type }) => id !== table.primaryFieldId && LONG_TEXT.has(type));
      if (!first || !long) throw new ProviderFailure('refused', 'the table for drafts has no column of long text');
      const name = nameOfDraft(draft);
      const asked = new URLSearchParams({ filterByFormula: `{${first.name}}=${quoted(name)}`, maxRecords: '1' });
      const known = await readJson<{ records: AirtableRecord[] }>(access, `${recordsOf(at)}?${asked}`);
      const fields = { [first.name]: name, [long.name]: draftText(draft).slice(0, MAX_CHARACTERS).toWellFormed() };
      const { id } =
        known.records[0] ?? (await readJson<AirtableRecord>(access, recordsOf(at), asJson('POST', { fields })));
      return `https://airtable.com/${at.base}/${at.table}/${id}`;
    },
  },
};
