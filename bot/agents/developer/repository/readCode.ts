import type { CodeEntry } from '../../../engine/connectors/connector.ts';
import { requireRepository } from './connected.ts';

/** Entries and characters that a reply shows. */
const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 6000;

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en-GB')} KB`;

/** A folder as text: its folders first. */
export function describeFolder(name: string, entries: readonly CodeEntry[]): string {
  const folders = entries.filter(({ kind }) => kind === 'folder');
  const files = entries.filter(({ kind }) => kind === 'file');
  const lines = [
    ...folders.map(({ path }) => `• ${path}/`),
    ...files.map(({ path, bytes }) => `• ${path} (${kilobytes(bytes)})`),
  ];
  const more = lines.length - MAX_ENTRIES;
  return [
    `${name} holds ${lines.length === 0 ? 'nothing that I read' : 'this'}.`,
    ...lines.slice(0, MAX_ENTRIES),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'is' : 'are'} not listed.`] : []),
  ].join('\n');
}

/** A file as text, cut where it is long. */
export function describeFile(path: string, { bytes, text }: { bytes: number; text: string | null }): string {
  if (text === null) return `${path} (${kilobytes(bytes)}) is too large, or no text, so I don’t read it.`;
  const isCut = text.length > MAX_CHARACTERS;
  const shown = isCut ? text.slice(0, MAX_CHARACTERS).toWellFormed() : text;
  return `${path} (${kilobytes(bytes)})${isCut ? `, its first ${MAX_CHARACTERS.toLocaleString('en-GB')} characters` : ''}:\n${shown}`;
}

/** What is at a path of the connected repository, as text. @throws AppError not_configured, and as the connection does */
export async function describePath(accountId: number, path: string): Promise<string> {
  const { source, values, repository, connection } = await requireRepository(accountId, 'nothing was read');
  return connection.use(accountId, async (access) => {
    const entries = await source.list(access, values, path);
    if (entries) return describeFolder(path ? `${repository}, ${path},` : repository, entries);
    const file = await source.read(access, values, path);
    return file ? describeFile(path, file) : `${repository} has nothing at “${path}”.`;
  });
}
