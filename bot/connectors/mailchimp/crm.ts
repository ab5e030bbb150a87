import type { Access, ScopeDeclaration, ScopeValues } from '../../engine/connectors/connector.ts';
import type { CrmContact, CrmSource } from '../../engine/connectors/crmSource.ts';
import { draftParts, mailHtml } from '../../engine/connectors/draftParts.ts';
import { inOrder, optionOf, readOption } from '../../engine/connectors/places.ts';
import { asJson, readPages } from '../../engine/connectors/requests.ts';
import { call } from './api.ts';

const PAGE = 200;
/** Pages of audiences to choose from, and of drafts in which one is looked for. */
const MAX_PAGES = 5;

type Member = {
  id: string;
  email_address: string;
  full_name?: string;
  status: string;
  merge_fields?: Record<string, unknown>;
};
type Campaign = { id: string; web_id: number; settings: { title?: string } };

const FIELDS = [
  'total_items',
  ...['id', 'email_address', 'full_name', 'status', 'merge_fields'].map((name) => `members.${name}`),
].join(',');

const audienceOf = ({ audience }: ScopeValues) => readOption(audience);

/** The cursor of the page after one of a listing that counts; null after the last. */
const nextOffset = (offset: number, rows: readonly unknown[], total: number): string | null =>
  rows.length > 0 && offset + rows.length < total ? String(offset + rows.length) : null;

/** A merge field by one of its names; audiences name them as they like. */
function mergeField(fields: Member['merge_fields'] = {}, names: readonly string[]): string {
  const value = names.map((name) => fields[name]).find((one) => typeof one === 'string' && one !== '');
  return typeof value === 'string' ? value : '';
}

/**
 * Statuses of members that are read, and whether they opted out. Who has not confirmed, never subscribed, was archived or
 * whose address bounced is in no list.
 */
const STATUSES: Record<string, { isOptedOut: boolean }> = {
  subscribed: { isOptedOut: false },
  unsubscribed: { isOptedOut: true },
};

const toContacts = ({ id, email_address, full_name = '', status, merge_fields }: Member): CrmContact[] => {
  const read = STATUSES[status];
  const first = mergeField(merge_fields, ['FNAME']);
  const name = full_name || [first, mergeField(merge_fields, ['LNAME'])].filter(Boolean).join(' ');
  return read
    ? [
        {
          ...{ id, name, first, email: email_address, ...read },
          company: mergeField(merge_fields, ['COMPANY', 'ORG', 'EMPLOYER']),
          role: mergeField(merge_fields, ['ROLE', 'JOBTITLE', 'TITLE']),
        },
      ]
    : [];
};

/** Signs that Mailchimp reads as its merge tags. */
const plainTags = (text: string): string => text.replaceAll('*|', '* |').replaceAll('|*', '| *');

const readDrafts = (access: Access) =>
  readPages(async (cursor) => {
    const offset = Number(cursor ?? 0);
    const asked = { status: 'save', sort_field: 'create_time', sort_dir: 'DESC', count: String(PAGE) };
    const { campaigns, total_items } = await call<{ campaigns: Campaign[]; total_items: number }>(
      access,
      `/campaigns?${new URLSearchParams({ ...asked, offset: String(offset) })}`,
    );
    return { rows: campaigns, next: nextOffset(offset, campaigns, total_items) };
  }, MAX_PAGES);

/** Writes the text of a draft that has none yet: what a person has changed meanwhile stays. */
async function writeContent(access: Access, id: string, text: string): Promise<void> {
  const path = `/campaigns/${encodeURIComponent(id)}/content`;
  const { plain_text = '' } = await call<{ plain_text?: string }>(access, path);
  if (plain_text === '') await call(access, path, asJson('PUT', { plain_text: text, html: mailHtml(text) }));
}

/** Members of an audience, and draft campaigns. */
export const crm: CrmSource = {
  async listContacts(access, values, { cursor }) {
    const offset = Number(cursor ?? 0);
    const asked = { count: String(PAGE), offset: String(offset), fields: FIELDS };
    const { members, total_items } = await call<{ members: Member[]; total_items: number }>(
      access,
      `/lists/${encodeURIComponent(audienceOf(values).id)}/members?${new URLSearchParams(asked)}`,
    );
    return { rows: members.flatMap(toContacts), next: nextOffset(offset, members, total_items) };
  },

  mails: {
    noun: 'draft campaigns without recipients',
    async save(access, _values, draft) {
      const known = await readDrafts(access);
      const made: Campaign[] = [];
      for (const { name, subject, text } of draftParts(draft)) {
        // Without recipients, so that nobody sends it to the whole audience by mistake.
        const campaign =
          known.find(({ settings }) => settings.title === name) ??
          (await call<Campaign>(
            access,
            '/campaigns',
            asJson('POST', { type: 'regular', settings: { title: name, subject_line: plainTags(subject) } }),
          ));
        await writeContent(access, campaign.id, plainTags(text));
        made.push(campaign);
      }
      const dataCentre = new URL(access.place.origin ?? '').hostname.split('.')[0];
      return `https://${dataCentre}.admin.mailchimp.com/campaigns/edit?id=${made[0]?.web_id ?? ''}`;
    },
  },
};

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'audience',
      label: 'Audience',
      hint: 'Members who are subscribed or unsubscribed are read; others are left out.',
      kind: 'choice',
      required: true,
    },
  ],
  async readOptions(access) {
    const audiences = await readPages(async (cursor) => {
      const offset = Number(cursor ?? 0);
      const { lists, total_items } = await call<{ lists: { id: string; name: string }[]; total_items: number }>(
        access,
        `/lists?${new URLSearchParams({ count: String(PAGE), offset: String(offset), fields: 'lists.id,lists.name,total_items' })}`,
      );
      return { rows: lists, next: nextOffset(offset, lists, total_items) };
    }, MAX_PAGES);
    return { audience: inOrder(audiences.map((one) => optionOf(one))) };
  },
  describe: (values) => `the audience ${audienceOf(values).name}`,
};
