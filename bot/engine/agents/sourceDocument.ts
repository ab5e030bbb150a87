import type { ConversationRow } from '../../../models/conversation.ts';
import { type FileRow, StoredFile } from '../../../models/file.ts';
import { keepFile } from '../../../models/files.ts';
import { findNamedDocuments } from '../documents/namedDocuments.ts';
import { readDocuments } from '../documents/sandbox.ts';
import { currentTextFile } from './textFiles.ts';

/** Shorter texts are requests, not documents. */
const MIN_CHARACTERS = 120;
/** An answer that is longer is a text, not the name of a document. */
const MAX_NAME_CHARACTERS = 200;
const LISTED = 8;

type Options = {
  /** The kind under which uploads and pasted texts of the agent are kept. */
  kind: string;
  isReadable(name: string): boolean;
  /** Whether a line belongs to the request, wherever it stands. */
  isOfRequest?(line: string): boolean;
};

type Where = { accountId: number; conversation: ConversationRow | null; key: string };

/** How an agent finds the document that a message is about: pasted, stored and named, or uploaded. */
export function makeSources({ kind, isReadable, isOfRequest = () => false }: Options) {
  /**
   * The document in a message: what follows the first line, or the colon of a request in one line; null where a
   * message holds none.
   */
  function pastedText(message: string): string | null {
    const [first = '', ...rest] = message.split('\n');
    const after = rest.join('\n').trim();
    const lines = after.split('\n').filter((line) => line.trim() !== '');
    const isRequest = lines.length > 0 && lines.every(isOfRequest);
    if (after.length >= MIN_CHARACTERS && !isRequest) return after;
    const inline = /^[^\n]{0,120}?:\s+([\s\S]+)$/.exec(first)?.[1] ?? '';
    return inline.length >= 2 * MIN_CHARACTERS ? [inline, after].filter(Boolean).join('\n') : null;
  }

  /** The part of a message that is said to the agent: all of it but the document. */
  function requestPart(message: string): string {
    const text = pastedText(message);
    return text === null ? message : message.slice(0, message.indexOf(text));
  }

  /** Keeps a pasted text as a file, once for each key. */
  const keepText = ({ accountId, key }: Pick<Where, 'accountId' | 'key'>, text: string): Promise<FileRow> =>
    keepFile({
      accountId,
      key: `pasted:${key}`,
      name: 'Pasted text.txt',
      kind,
      type: 'text/plain',
      bytes: Buffer.from(text),
    });

  /**
   * The document that a message is about: its own text, a stored document that it names, else the newest upload of the
   * conversation. Null where it is none of these.
   */
  async function findSource(message: string, { accountId, conversation, key }: Where): Promise<FileRow | null> {
    const text = pastedText(message);
    if (text !== null) return keepText({ accountId, key }, text);
    const [named] = (await findNamedDocuments(accountId, message)).filter((row) => isReadable(row.originalName));
    if (named) return named;
    const _id = conversation ? await currentTextFile(conversation, kind) : undefined;
    const uploaded = _id ? await StoredFile.findOne({ _id, accountId }).lean() : null;
    return uploaded && !uploaded.removed ? uploaded : null;
  }

  /** Names of the company's documents that can be read, the newest first, in a sentence; empty where there are none. */
  async function describeSources(accountId: number): Promise<string> {
    const names = (await readDocuments(accountId)).map(({ originalName }) => originalName).filter(isReadable);
    return names.length > 0 ? `Your documents: ${names.slice(0, LISTED).join('; ')}` : '';
  }

  /** Whether an answer to “which document?” is the text itself. */
  const isText = (answer: string): boolean => answer.includes('\n') || answer.length > MAX_NAME_CHARACTERS;

  return { pastedText, requestPart, keepText, findSource, describeSources, isText };
}
