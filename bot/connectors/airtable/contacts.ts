import type { CrmContact } from '../../engine/connectors/crmSource.ts';
import type { AirtableRecord, Table } from './api.ts';

/** The columns that are read, each by words of its name; an opt-in is read as its opposite. */
const COLUMNS = {
  optedIn: /\b(?:opt(?:ed)?[-_ ]?in|subscribed|marketing[-_ ]consent)\b/i,
  optedOut: /opt(?:ed)?[-_ ]?out|unsubscri|do[-_ ]not[-_ ](?:contact|e-?mail|mail|call)|suppress|no[-_ ]contact/i,
  email: /\be-?mail\b|^mail$/i,
  first: /\b(?:first|given|fore)[-_ ]?name\b/i,
  last: /\b(?:last|family|sur)[-_ ]?name\b/i,
  company: /\b(?:company|organi[sz]ation|employer|account|practice|trust|hospital|business)\b/i,
  role: /\b(?:role|job[-_ ]?title|position|job)\b/i,
  name: /^(?:(?:full|contact)[-_ ]?)?name$|^contact(?: person)?$|^person$/i,
} as const;
type ColumnName = keyof typeof COLUMNS;
type Columns = Partial<Record<ColumnName, string>>;

const SAYS_NO = /^(?:|0|no|n|false|none|never|-)$/i;
/** What stands in a cell of somebody who opted out, whatever its column is called: “Status” is common. */
const SAYS_OUT = /^(?:unsubscribed|opted[- ]?out|opt[- ]?out|do[- ]not[- ](?:contact|e-?mail|mail|call)|suppressed)$/i;

/** The columns of a table of people by their names; the e-mail also by the type of its column. */
export function findColumns({ fields }: Pick<Table, 'fields'>): Columns {
  const columns: Columns = {};
  for (const { name } of fields) {
    const found = (Object.keys(COLUMNS) as ColumnName[]).find(
      (column) => columns[column] === undefined && COLUMNS[column].test(name.trim()),
    );
    if (found) columns[found] = name;
  }
  const typed = fields.find(({ type }) => type === 'email');
  if (columns.email === undefined && typed) columns.email = typed.name;
  return columns;
}

/** A cell as text: texts, numbers, ticks, and lists of those. Airtable leaves out cells that are empty or not ticked. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell.trim();
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  return Array.isArray(cell) ? cell.map(textOf).filter(Boolean).join(', ') : '';
}

/** The choices in a cell, each on its own. */
const choicesOf = (cell: unknown): string[] => (Array.isArray(cell) ? cell.map(textOf) : [textOf(cell)]);

/** A record as a person. */
export function toContact({ id, fields }: AirtableRecord, columns: Columns): CrmContact {
  const value = (column: ColumnName) => textOf(columns[column] === undefined ? '' : fields[columns[column]]);
  const isOptedIn = columns.optedIn === undefined || !SAYS_NO.test(value('optedIn'));
  const says = Object.values(fields).some((cell) => choicesOf(cell).some((choice) => SAYS_OUT.test(choice)));
  return {
    ...{ id, first: value('first'), email: value('email'), company: value('company'), role: value('role') },
    name: value('name') || [value('first'), value('last')].filter(Boolean).join(' '),
    isOptedOut: says || !isOptedIn || !SAYS_NO.test(value('optedOut')),
  };
}
