import type { FileRow } from '../../../../models/file.ts';
import { plainFileName } from '../../../../models/fileName.ts';
import { keepFile } from '../../../../models/files.ts';
import type { CrmContact } from '../../../engine/connectors/crmSource.ts';
import { plugInOf } from '../../../engine/connectors/registry.ts';
import { type ContactTool, readContacts, readContactTools } from '../../../engine/crm/readContacts.ts';
import { csvText } from '../../../engine/files/csvText.ts';
import { FileError } from '../../../engine/files/fileError.ts';
import { LIST_TYPES, requestPart, SOURCE_KIND } from './sources.ts';

const HEAD = ['Name', 'First name', 'Email', 'Company', 'Role', 'Opted out'];
/** Words for a connected tool of customer relations, whatever it is called. */
const ANY_TOOL = /\b(?:crm|our contacts|our leads|address book)\b/i;

const rowOf = ({ name, first, email, company, role, isOptedOut }: CrmContact): string[] => [
  ...[name, first, email, company, role],
  isOptedOut ? 'yes' : 'no',
];

/** What is read of a tool, for people: "The CRM, the list Trusts". */
const placeOf = ({ id, name, values }: ContactTool): string => {
  const described = plugInOf(id)?.scope?.describe(values);
  return described ? `${name}, ${described}` : name;
};

/** What of the people a request asks for: its words in quotation marks; empty for all. */
const wordsOf = (request: string): string => /[“"]([^”"]{2,60})[”"]/.exec(request)?.[1] ?? '';

/** A text as its words alone, with a space around each. */
const asWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()} `;

/**
 * The connected tool that a request names, or the one that it can only mean.
 * @param isOnly whether the request names no other list, so that the only connected tool is meant
 */
export async function findContactTool(
  accountId: number,
  message: string,
  isOnly: boolean,
): Promise<ContactTool | null> {
  const tools = await readContactTools(accountId);
  const request = requestPart(message);
  const named = tools.find(({ name }) => asWords(request).includes(asWords(name)));
  const [first = null] = tools;
  if (named) return named;
  return (isOnly && tools.length === 1) || ANY_TOOL.test(request) ? first : null;
}

/**
 * Reads the people of a connected tool into a list like any other, with a column of who opted out. It is kept once for
 * each key.
 * @throws AppError as the connection does; FileError where they are more than a list may hold, or nobody
 */
export async function keepCrmList(
  { accountId, key }: { accountId: number; key: string },
  tool: ContactTool,
  message: string,
): Promise<FileRow> {
  const words = wordsOf(requestPart(message));
  const { rows, isAll } = await readContacts(accountId, tool, words);
  const place = placeOf(tool);
  if (!isAll)
    throw new FileError(
      'too_long',
      `${place} has more people than can be read at once. Choose fewer under Integrations, or give words of a company or role in quotation marks.`,
    );
  if (rows.length === 0)
    throw new FileError('empty', `${place} has nobody${words ? ` with “${words}” in name, company or role` : ''}.`);
  const name = plainFileName(`${place}${words ? `, ${words}` : ''}.csv`);
  return keepFile({
    ...{ accountId, key: `crm:${key}`, name, kind: SOURCE_KIND, type: LIST_TYPES.csv },
    bytes: Buffer.from(csvText([HEAD, ...rows.map(rowOf)])),
  });
}

/** Names of the connected tools that hold people, in a sentence; empty where there are none. */
export async function describeContactTools(accountId: number): Promise<string> {
  const places = (await readContactTools(accountId)).map(placeOf);
  return places.length > 0 ? `Connected: ${places.join('; ')}` : '';
}
