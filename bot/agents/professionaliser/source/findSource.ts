import type { ConversationRow } from '../../../../models/conversation.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { currentTextFile } from '../../../engine/agents/textFiles.ts';
import { findNamedDocuments } from '../../../engine/documents/namedDocuments.ts';
import { readDocuments } from '../../../engine/documents/sandbox.ts';
import { readRequestValues } from '../rules/controlFields.ts';
import { isControllable } from './readSource.ts';

/** The kind under which uploads and pasted texts for this agent are kept. */
export const SOURCE_KIND = 'rough-document';

/** Shorter texts are requests, not documents. */
const MIN_CHARACTERS = 120;
const LISTED = 8;

/**
 * The document in a message: what follows the first line, unless it only fills the control block; null where a message
 * holds none.
 */
export function pastedText(message: string): string | null {
  const [first = '', ...rest] = message.split('\n');
  const after = rest.join('\n').trim();
  const lines = after.split('\n').filter((line) => line.trim() !== '');
  const isControl = lines.length > 0 && lines.every((line) => Object.keys(readRequestValues(line)).length > 0);
  if (after.length >= MIN_CHARACTERS && !isControl) return after;
  // A whole document in one line, after a request and a colon.
  const inline = /^[^\n]{0,120}?:\s+([\s\S]+)$/.exec(first)?.[1] ?? '';
  return inline.length >= 2 * MIN_CHARACTERS ? [inline, after].filter(Boolean).join('\n') : null;
}

/** The part of a message that is said to the agent: its first line, and lines for the control block. */
export function requestPart(message: string): string {
  const text = pastedText(message);
  return text === null ? message : message.slice(0, message.indexOf(text));
}

type Where = { accountId: number; conversation: ConversationRow | null; key: string };

/** Keeps a pasted text as a file, once for each key. */
export const keepText = ({ accountId, key }: Pick<Where, 'accountId' | 'key'>, text: string): Promise<FileRow> =>
  keepFile({
    accountId,
    key: `pasted:${key}`,
    name: 'Pasted text.txt',
    kind: SOURCE_KIND,
    type: 'text/plain',
    bytes: Buffer.from(text),
  });

/**
 * The document that a message is about: its own text, a stored document that it names, else the newest upload of the
 * conversation. Null where it is none of these.
 */
export async function findSource(message: string, { accountId, conversation, key }: Where): Promise<FileRow | null> {
  const text = pastedText(message);
  if (text !== null) return keepText({ accountId, key }, text);
  const [named] = (await findNamedDocuments(accountId, message)).filter(({ originalName }) =>
    isControllable(originalName),
  );
  if (named) return named;
  const _id = conversation ? await currentTextFile(conversation, SOURCE_KIND) : undefined;
  const uploaded = _id ? await StoredFile.findOne({ _id, accountId }).lean() : null;
  return uploaded && !uploaded.removed ? uploaded : null;
}

/** Names of the company's documents that can be controlled, the newest first. */
export async function listSources(accountId: number): Promise<string[]> {
  const rows = await readDocuments(accountId);
  return rows
    .map(({ originalName }) => originalName)
    .filter(isControllable)
    .slice(0, LISTED);
}
