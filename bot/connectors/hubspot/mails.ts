import type { Access } from '../../engine/connectors/access.ts';
import type { CrmMail, CrmSource } from '../../engine/connectors/crmSource.ts';
import { draftParts, mailHtml } from '../../engine/connectors/draftParts.ts';
import { asJson, readJson } from '../../engine/connectors/requests.ts';
import { API } from './contacts.ts';

const EMAILS = `${API}/marketing/v3/emails`;
const PAGE = 100;
/** Pages of draft e-mails in which a draft is looked for, the newest first. */
const MAX_PAGES = 5;

type Email = { id: string; name: string; state: string };
type Emails = { results: Email[]; paging?: { next?: { after: string } } };

/** Braces as characters: HubSpot reads pairs of them as code of its templates. */
const plainBraces = (text: string): string => text.replace(/\{(?=[{%#])/g, '{\u200b');
const braceEntities = (html: string): string => html.replaceAll('{', '&#123;').replaceAll('}', '&#125;');

const MODULE = 'module-0-0-0';

/** An e-mail of one text (https://developers.hubspot.com/docs/api-reference/marketing-marketing-emails-v3-v3). */
const contentOf = ({ text }: CrmMail) => ({
  templatePath: '@hubspot/email/dnd/Start_from_scratch.html',
  plainTextVersion: plainBraces(text),
  flexAreas: {
    main: {
      boxed: false,
      isSingleColumnFullWidth: false,
      sections: [{ id: 'section-0', columns: [{ id: 'column-0-0', widgets: [MODULE], width: 12 }] }],
    },
  },
  widgets: {
    [MODULE]: {
      ...{ id: MODULE, name: MODULE, type: 'module', module_id: 1155639, order: 1 },
      body: { path: '@hubspot/rich_text', schema_version: 2, html: braceEntities(mailHtml(text)) },
    },
  },
});

/** Names of unpublished e-mails with their ids, of the newest. */
async function readDrafts(access: Access): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const asked = { limit: String(PAGE), isPublished: 'false', sort: '-createdAt', ...(after ? { after } : {}) };
    const { results, paging } = await readJson<Emails>(access, `${EMAILS}?${new URLSearchParams(asked)}`);
    for (const { name, id } of results) found.set(name, id);
    after = paging?.next?.after;
    if (!after) break;
  }
  return found;
}

/** Draft e-mails, one for each mail. They have no recipients, and nothing publishes them. */
export const mails: NonNullable<CrmSource['mails']> = {
  noun: 'draft marketing e-mails without recipients',
  async save(access, _values, draft) {
    const known = await readDrafts(access);
    const ids: string[] = [];
    for (const part of draftParts(draft)) {
      const made =
        known.get(part.name) ??
        (
          await readJson<Email>(
            access,
            EMAILS,
            asJson('POST', {
              ...{ name: part.name, subject: plainBraces(part.subject), state: 'DRAFT' },
              content: contentOf(part),
            }),
          )
        ).id;
      ids.push(made);
    }
    return `https://app.hubspot.com/email/${encodeURIComponent(access.place.id)}/edit/${encodeURIComponent(ids[0] ?? '')}/content`;
  },
};
