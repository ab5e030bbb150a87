import type { ConversationRow } from '../../../../models/conversation.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { currentTextFile } from '../../../engine/agents/textFiles.ts';
import { findNamedDocuments } from '../../../engine/documents/namedDocuments.ts';
import { readDocuments } from '../../../engine/documents/sandbox.ts';
import { isTextField } from '../drafts/fields.ts';
import { isOptOutName } from '../optOuts/readOptOuts.ts';

/** The kind under which uploads and pasted lists for this agent are kept. */
export const SOURCE_KIND = 'prospect-list';

/** The types of a list, by extension. */
export const LIST_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const LIST = /\.(?:csv|xlsx)$/i;
const LISTED = 8;

/** The list in a message: lines below the request that hold addresses in columns; null where it has none. */
export function pastedList(message: string): string | null {
  const lines = message
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '' && !isTextField(line));
  const isTable =
    lines.length > 1 && lines.every((line) => /[,;\t|]/.test(line)) && lines.some((line) => line.includes('@'));
  return isTable ? lines.join('\n') : null;
}

/** The part of a message that is said to the agent: its first line and the values that it gives. */
export const requestPart = (message: string): string =>
  pastedList(message) === null
    ? message
    : message
        .split('\n')
        .filter((line, at) => at === 0 || isTextField(line))
        .join('\n');

type Where = { accountId: number; conversation: ConversationRow | null; key: string };

/** Keeps a pasted list as a file, once for each key. */
export const keepList = ({ accountId, key }: Pick<Where, 'accountId' | 'key'>, text: string): Promise<FileRow> =>
  keepFile({
    ...{ accountId, key: `pasted:${key}`, name: 'Pasted list.csv', kind: SOURCE_KIND, type: LIST_TYPES.csv },
    bytes: Buffer.from(text),
  });

/** The documents of a message in its order: the first names the list, the others hold opt-outs. */
async function namedInOrder(accountId: number, request: string): Promise<FileRow[]> {
  const words = request.toLowerCase();
  const place = ({ originalName }: FileRow) => words.indexOf(originalName.toLowerCase().replace(/\.\w{2,4}$/, ''));
  return (await findNamedDocuments(accountId, request)).sort((one, other) => place(one) - place(other));
}

type Sources = {
  list: FileRow | null;
  /** True for an upload that the message does not name. */
  isUpload: boolean;
  optOuts: FileRow[];
};

/**
 * The list that a message is about: its own, a document that it names, else the newest upload of the conversation; and
 * every document with opt-outs: those that it names beside the list, and all of the company whose name says so.
 */
export async function findSources(message: string, { accountId, conversation, key }: Where): Promise<Sources> {
  const pasted = pastedList(message);
  const named = await namedInOrder(accountId, requestPart(message));
  const isList = ({ originalName }: FileRow) => LIST.test(originalName) && !isOptOutName(originalName);
  const uploadId = conversation ? await currentTextFile(conversation, SOURCE_KIND) : undefined;
  const upload = uploadId ? await StoredFile.findOne({ _id: uploadId, accountId, removed: false }).lean() : null;
  const own = pasted === null ? (named.find(isList) ?? null) : await keepList({ accountId, key }, pasted);
  const list = own ?? upload;
  const kept = (await readDocuments(accountId)).filter(({ originalName }) => isOptOutName(originalName));
  const others = [...named, ...kept].filter((row) => !list || !row._id.equals(list._id));
  return {
    list,
    isUpload: own === null && list !== null,
    optOuts: [...new Map(others.map((row) => [String(row._id), row])).values()],
  };
}

/** Names of the company's lists, the newest first, in a sentence; empty where there are none. */
export async function describeLists(accountId: number): Promise<string> {
  const names = (await readDocuments(accountId)).map(({ originalName }) => originalName);
  const lists = names.filter((name) => LIST.test(name) && !isOptOutName(name));
  return lists.length > 0 ? `Your lists: ${lists.slice(0, LISTED).join('; ')}` : '';
}
