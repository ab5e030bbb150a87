import { confluence } from '../../bot/connectors/confluence/index.ts';
import { googledrive } from '../../bot/connectors/googledrive/index.ts';
import { notion } from '../../bot/connectors/notion/index.ts';
import { sharepoint } from '../../bot/connectors/sharepoint/index.ts';
import type { ConnectorPlugIn } from '../../bot/engine/connectors/connector.ts';
import { startConfluence } from '../fakes/confluence.ts';
import { DOCUMENT, startGoogleDrive } from '../fakes/googleDrive.ts';
import { startNotion } from '../fakes/notion.ts';
import type { FakeProvider } from '../fakes/provider.ts';
import { startSharepoint } from '../fakes/sharepoint.ts';

/** A tool with documents and its provider, with the words that all tests of such tools use. */
export type DocumentTool = {
  plugIn: ConnectorPlugIn;
  fake: FakeProvider;
  /** What is chosen, and another choice. */
  values: Record<string, string>;
  others: Record<string, string>;
  /** The labels of what there is to choose. */
  options: string[];
  /** Documents that are always there. */
  own: string[];
  /** Adds or changes a document; its text gets a new version. */
  put(id: string, title: string, text: string, place?: 'chosen' | 'other'): void;
  remove(id: string): void;
  clear(): void;
  setPageSize(size: number): void;
  /** The path of the call that lists its documents. */
  listing: string;
  link: RegExp;
  draftLink: RegExp;
  /** Whether saved drafts are listed among the documents. */
  listsDrafts: boolean;
  /** Whether its access can be given back there. */
  revokes: boolean;
};

/** An id and a secret with signs that a provider must get as they are. */
const client = () => ({ id: 'arc-app', secret: 'shh-1', redirectUris: [] as string[] });
/** Later than all before, and long ago: what changed has another version. */
let later = Date.now() - 30 * 24 * 3_600_000;
const nextEdit = () => {
  later += 60_000;
  return later;
};

async function openGoogleDrive(): Promise<DocumentTool> {
  const fake = await startGoogleDrive(client());
  return {
    ...{ plugIn: googledrive, fake, listsDrafts: true, revokes: true, own: [] },
    ...{ values: { folder: 'f1/Safety case' }, others: { folder: 'f2/Private' }, options: ['Private', 'Safety case'] },
    put: (id, title, text, place = 'chosen') =>
      fake.put(id, {
        ...{ name: title, mimeType: DOCUMENT, content: text, modified: nextEdit() },
        parent: place === 'chosen' ? 'f1' : 'f2',
      }),
    remove: (id) => void fake.files.delete(id),
    clear() {
      fake.files.clear();
      fake.addFolder('f1', 'Safety case');
      fake.addFolder('f2', 'Private');
    },
    setPageSize: fake.setPageSize,
    listing: '/drive/v3/files',
    link: /^https:\/\/drive\.google\.com\/file\/d\/d1\/view$/,
    draftLink: /https:\/\/drive\.google\.com\/file\/d\/up-\d+\/view$/,
  };
}

async function openNotion(): Promise<DocumentTool> {
  const fake = await startNotion(client());
  return {
    ...{ plugIn: notion, fake, listsDrafts: true, revokes: true, own: ['Safety case.md'] },
    ...{
      values: { page: 'root/Safety case' },
      others: { page: 'private/Private' },
      options: ['Private', 'Safety case'],
    },
    put: (id, title, text, place = 'chosen') =>
      fake.put(id, {
        ...{ title, edited: nextEdit() },
        parent: { type: 'page_id', page_id: place === 'chosen' ? 'root' : 'private' },
        blocks: [{ id: `${id}-1`, type: 'paragraph', paragraph: { rich_text: [{ plain_text: text }] }, children: [] }],
      }),
    remove: (id) => void fake.pages.delete(id),
    clear() {
      fake.pages.clear();
      const parent = { type: 'workspace' };
      fake.put('root', { title: 'Safety case', parent });
      fake.put('private', { title: 'Private', parent });
    },
    setPageSize: fake.setPageSize,
    listing: '/v1/search',
    link: /^https:\/\/www\.notion\.so\/d1$/,
    draftLink: /https:\/\/www\.notion\.so\/draft-\d+$/,
  };
}

async function openConfluence(): Promise<DocumentTool> {
  const fake = await startConfluence(client());
  return {
    ...{ plugIn: confluence, fake, listsDrafts: false, revokes: false, own: [] },
    ...{ values: { space: 'cloud-1:11/Safety case' }, others: { space: 'cloud-1:12/Private' } },
    options: ['Private (PRIV)', 'Safety case (SAFE)'],
    put: (id, title, text, place = 'chosen') =>
      fake.put(id, { title, storage: `<p>${text}</p>`, space: place === 'chosen' ? '11' : '12' }),
    remove: (id) => void fake.pages.delete(id),
    clear: () => fake.pages.clear(),
    setPageSize: fake.setPageSize,
    listing: '/ex/confluence/cloud-1/wiki/api/v2/spaces/11/pages',
    link: /^https:\/\/quillmere\.atlassian\.net\/wiki\/spaces\/11\/pages\/d1$/,
    draftLink: /https:\/\/quillmere\.atlassian\.net\/wiki\/pages\/resumedraft\.action\?draftId=\d+$/,
  };
}

async function openSharepoint(): Promise<DocumentTool> {
  const fake = await startSharepoint(client());
  return {
    ...{ plugIn: sharepoint, fake, listsDrafts: true, revokes: false, own: [] },
    ...{ values: { library: 'b!1/Safety: Documents' }, others: { library: 'b!2/Safety: Private' } },
    options: ['Safety: Documents', 'Safety: Private'],
    put: (id, title, text, place = 'chosen') =>
      fake.put(id, { name: `${title}.md`, content: text, drive: place === 'chosen' ? 'b!1' : 'b!2' }),
    remove: fake.remove,
    clear: () => fake.items.clear(),
    setPageSize: fake.setPageSize,
    listing: '/v1.0/drives/b!1/root/delta',
    link: /^https:\/\/quillmere\.sharepoint\.com\/sites\/safety\/b!1\/Safety%20plan\.md$/,
    draftLink: /https:\/\/quillmere\.sharepoint\.com\/sites\/safety\/b!1\/Draft%20\(Arc%20\w{8}\)\.md$/,
  };
}

/** Every tool with documents. */
export const DOCUMENT_TOOLS = {
  notion: openNotion,
  googledrive: openGoogleDrive,
  sharepoint: openSharepoint,
  confluence: openConfluence,
};
