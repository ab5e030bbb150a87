import type { Access, CodeEntry, CodeSource, ScopeValues } from '../../engine/connectors/connector.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';
import { openProposal } from './proposal.ts';
import { get, WITH_CODE } from './tickets.ts';

/** A larger file is not read. */
const MAX_BYTES = 200_000;

type Content = { type: string; path: string; size: number; encoding?: string; content?: string };

const repositoryOf = ({ repository = '' }: ScopeValues) => repository;

/** The address of a path in a repository; null for one that leads out of it. */
export function contentsPath(repository: string, path: string): string | null {
  const parts = path.split('/').filter(Boolean);
  if (parts.some((part) => part === '.' || part === '..')) return null;
  const [owner = '', name = ''] = repository.split('/');
  return `/repos/${[owner, name, 'contents', ...parts].map(encodeURIComponent).join('/')}`;
}

/** What is at a path; null where there is nothing. */
async function readContents(access: Access, values: ScopeValues, path: string): Promise<Content | Content[] | null> {
  const address = contentsPath(repositoryOf(values), path);
  if (address === null) return null;
  try {
    return (await (await get(access, address)).json()) as Content | Content[];
  } catch (error) {
    if (error instanceof ProviderFailure && error.message === 'it answers 404') return null;
    throw error;
  }
}

/** Bytes as text; null where they are not UTF-8, or are of a program. */
export function toText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The code of the chosen repository, on its default branch (https://docs.github.com/rest/repos/contents). */
export const code: CodeSource = {
  isChosen: (values) => values.code === WITH_CODE,
  nameOf: repositoryOf,

  async list(access, values, path) {
    const found = await readContents(access, values, path);
    if (!Array.isArray(found)) return null;
    return found.flatMap(({ type, path: at, size }): CodeEntry[] =>
      // Links and submodules lead elsewhere.
      type === 'dir' || type === 'file' ? [{ path: at, kind: type === 'dir' ? 'folder' : 'file', bytes: size }] : [],
    );
  },

  async read(access, values, path) {
    const found = await readContents(access, values, path);
    if (!found || Array.isArray(found) || found.type !== 'file') return null;
    const { size: bytes, encoding, content = '' } = found;
    const isRead = bytes <= MAX_BYTES && encoding === 'base64';
    return { bytes, text: isRead ? toText(Buffer.from(content, 'base64')) : null };
  },

  propose: (access, values, proposal) => openProposal(access, repositoryOf(values), proposal),
};
