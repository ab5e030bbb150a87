import type { Access, ScopeDeclaration } from '../../engine/connectors/connector.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';

export const API = 'https://www.googleapis.com';
const FOLDER = 'application/vnd.google-apps.folder';
const PAGE = 100;
const MAX_PAGES = 20;

export type DriveFile = {
  id: string;
  name: string;
  mimeType: string;
  modifiedTime: string;
  webViewLink?: string;
  /** Absent for Google's own documents. */
  size?: string;
};
type Listed = { files?: DriveFile[]; nextPageToken?: string };

/** @throws ProviderFailure */
export async function get({ send }: Pick<Access, 'send'>, path: string): Promise<Response> {
  const answer = await send(API + path);
  if (!answer.ok) throw new ProviderFailure('refused', `it answers ${answer.status}`);
  return answer;
}

/** A page of files that a query finds (https://developers.google.com/drive/api/guides/search-files). */
export async function listFiles(
  access: Pick<Access, 'send'>,
  q: string,
  cursor: string | null,
): Promise<{ files: DriveFile[]; next: string | null }> {
  const query = new URLSearchParams({
    q,
    pageSize: String(PAGE),
    orderBy: 'modifiedTime desc',
    fields: 'nextPageToken,files(id,name,mimeType,modifiedTime,webViewLink,size)',
    supportsAllDrives: 'true',
    includeItemsFromAllDrives: 'true',
    ...(cursor === null ? {} : { pageToken: cursor }),
  });
  const { files = [], nextPageToken } = (await (await get(access, `/drive/v3/files?${query}`)).json()) as Listed;
  return { files, next: nextPageToken ?? null };
}

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'folder',
      label: 'Folder',
      hint: 'Files directly in it are read, and drafts are saved there.',
      kind: 'choice',
      required: true,
    },
  ],
  async readOptions(access) {
    const folders: DriveFile[] = [];
    for (let cursor: string | null = null, pages = 0; pages < MAX_PAGES; pages += 1) {
      const page: Awaited<ReturnType<typeof listFiles>> = await listFiles(
        access,
        `mimeType = '${FOLDER}' and trashed = false`,
        cursor,
      );
      folders.push(...page.files);
      cursor = page.next;
      if (cursor === null) break;
    }
    const named = folders.map(({ id, name }) => ({ value: `${id}/${name}`, label: name }));
    return { folder: named.sort((one, other) => one.label.localeCompare(other.label)) };
  },
  describe: (values) => `folder ${readFolder(values).name}`,
};

/** A folder is chosen with its name: "1AbC/Safety case". */
export function readFolder({ folder = '' }: Readonly<Record<string, string>>): { id: string; name: string } {
  const at = folder.indexOf('/');
  return { id: folder.slice(0, at), name: folder.slice(at + 1) };
}
