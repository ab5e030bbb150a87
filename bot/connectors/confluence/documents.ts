import type { DocumentSource } from '../../engine/connectors/connector.ts';
import { asJson, readJson } from '../../engine/connectors/requests.ts';
import { titleOfDraft } from '../../engine/documents/draftLines.ts';
import { list, type Page, siteApi } from './api.ts';
import { draftStorage } from './draftStorage.ts';
import { readSpace } from './scope.ts';
import { storageToText } from './storageText.ts';

const PAGE = 100;
const MAX_TITLE = 255;

/** Published pages become Markdown; a draft becomes a page that is not published. */
export const documents: DocumentSource = {
  async list(access, values, cursor) {
    const { siteId, id } = readSpace(values);
    const address = `${siteApi(siteId)}/spaces/${encodeURIComponent(id)}/pages?status=current&sort=-modified-date&limit=${PAGE}`;
    const { rows, next, base } = await list<Page>(access, address, cursor);
    return {
      documents: rows.map((page) => ({
        ...{ id: page.id, name: page.title, type: 'text/markdown', bytes: null },
        ...{ version: String(page.version?.number ?? 0), url: base + page._links.webui },
      })),
      next,
    };
  },

  async read(access, { id }, values) {
    const address = `${siteApi(readSpace(values).siteId)}/pages/${encodeURIComponent(id)}?body-format=storage`;
    const { title, body } = await readJson<Page>(access, address);
    const text = storageToText(body?.storage?.value ?? '');
    return { fileName: `${title}.md`, type: 'text/markdown', bytes: Buffer.from(`# ${title}\n\n${text}\n`) };
  },

  // No call lists drafts, so one that was saved right before a crash is not found again.
  async save(access, values, draft) {
    const { siteId, id } = readSpace(values);
    const page = await readJson<Page>(
      access,
      `${siteApi(siteId)}/pages`,
      asJson('POST', {
        ...{ spaceId: id, status: 'draft', title: titleOfDraft(draft.name).slice(0, MAX_TITLE) },
        body: { representation: 'storage', value: draftStorage(draft) },
      }),
    );
    return (page._links.base ?? '') + (page._links.editui ?? page._links.webui);
  },
};
