import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { ScopeValues } from '../connectors/access.ts';
import type { CrmCompany, CrmContact, CrmFrom, CrmPage } from '../connectors/crmSource.ts';
import { type ConnectedTool, findTools } from '../connectors/toolOf.ts';

/** A connected tool of customer relations, of which something was chosen. */
export type CrmTool = ConnectedTool<'crm'>;
/** A connected tool of which the people to be read were chosen. */
export type ContactTool = CrmTool & { values: ScopeValues };

/** What was found. */
type Found<T> = { rows: T[] /** False where the tool has more than are read. */; isAll: boolean };

/** Every connected tool of customer relations that is switched on. */
export const readCrmTools = (accountId: number): Promise<CrmTool[]> => findTools(accountId, 'crm');

const isContactTool = (tool: CrmTool): tool is ContactTool => Boolean(tool.source.listContacts) && tool.values !== null;

/** Every connected tool with people that may be read. */
export const readContactTools = async (accountId: number): Promise<ContactTool[]> =>
  (await readCrmTools(accountId)).filter(isContactTool);

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether texts hold every word, in any case. A tool may find more than that, or look for nothing at all. */
const holds = (words: readonly string[], ...texts: readonly string[]): boolean => {
  const text = texts.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
};

async function readRows<T>(
  words: string,
  readPage: (from: CrmFrom) => Promise<CrmPage<T>>,
  textsOf: (row: T) => readonly string[],
): Promise<Found<T>> {
  const { rows: maxRows, pages: maxPages } = LIMITS.crm;
  const wanted = wordsIn(words);
  const rows: T[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page: CrmPage<T> = await readPage({ words: words.trim(), cursor });
    rows.push(...page.rows.filter((row) => holds(wanted, ...textsOf(row))));
    cursor = page.next;
    if (cursor === null || rows.length > maxRows) break;
  }
  return { rows: rows.slice(0, maxRows), isAll: cursor === null && rows.length <= maxRows };
}

/**
 * People of a connected tool, those who opted out included and marked.
 * @param words words that a person's name, company or role holds; empty for all
 * @throws AppError as the connection does
 */
export const readContacts = (
  accountId: number,
  { source, values, connection, name }: ContactTool,
  words: string,
): Promise<Found<CrmContact>> =>
  connection.use(accountId, (access) => {
    const { listContacts } = source;
    if (!listContacts) throw new AppError('not_available', { text: `${name} holds no contacts.` });
    return readRows(
      words,
      (from) => listContacts(access, values, from),
      ({ name: person, company, role }) => [person, company, role],
    );
  });

/**
 * Companies of a connected tool; none where it holds none.
 * @throws AppError as the connection does
 */
export const readCompanies = (
  accountId: number,
  { source: { listCompanies }, values, connection }: CrmTool,
  words: string,
): Promise<Found<CrmCompany>> =>
  listCompanies
    ? connection.use(accountId, (access) =>
        readRows(
          words,
          (from) => listCompanies(access, values ?? {}, from),
          ({ name, domain, industry }) => [name, domain, industry],
        ),
      )
    : Promise.resolve({ rows: [], isAll: true });
