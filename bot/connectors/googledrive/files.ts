import type { Access, ScopeDeclaration, ScopeValues } from '../../engine/connectors/connector.ts';
import { inOrder, optionOf, readOption } from '../../engine/connectors/places.ts';
import { readJson, readPages } from '../../engine/connectors/requests.ts';

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

/** A page of files that a query finds (https://developers.google.com/drive/api/guides/search-files). */
export async function listFiles(
  access: Pick<Access, 'send'>,
  q: string,
  cursor: string | null,
): Promise<{ rows: DriveFile[]; next: string | null }> {
  const query = new URLSearchParams({
    q,
    pageSize: String(PAGE),
    orderBy: 'modifiedTime desc',
    fields: 'nextPageToken,files(id,name,mimeType,modifiedTime,webViewLink,size)',
    supportsAllDrives: 'true',
    includeItemsFromAllDrives: 'true',
    ...(cursor === null ? {} : { pageToken: cursor }),
  });
  const { files = [], nextPageToken } = await readJson<Listed>(access, `${API}/drive/v3/files?${query}`);
  return { rows: files, next: nextPageToken ?? null };
}

/** The chosen folder. */
export const readFolder = ({ folder }: ScopeValues): ReturnType<typeof readOption> => readOption(folder);

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
    const ofFolders = `mimeType = '${FOLDER}' and trashed = false`;
    const folders = await readPages((cursor) => listFiles(access, ofFolders, cursor), MAX_PAGES);
    return { folder: inOrder(folders.map((folder) => optionOf(folder))) };
  },
  describe: (values) => `folder ${readFolder(values).name}`,
};
