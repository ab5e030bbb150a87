import type { Access, ScopeDeclaration } from '../../engine/connectors/connector.ts';
import { inOrder, optionOf, readOption } from '../../engine/connectors/places.ts';
import { asJson, readJson, readPages } from '../../engine/connectors/requests.ts';
import { ALL, API } from './contacts.ts';

const PAGE = 100;
const MAX_PAGES = 10;
/** HubSpot's id of the kind of record that contacts are. */
const CONTACTS = '0-1';

type Lists = { lists: { listId: string; name: string; objectTypeId: string }[]; hasMore: boolean; offset: number };

const readLists = (access: Access) =>
  readPages(async (cursor) => {
    const body = { query: '', objectTypeId: CONTACTS, count: PAGE, offset: Number(cursor ?? 0) };
    const { lists, hasMore, offset } = await readJson<Lists>(access, `${API}/crm/v3/lists/search`, {
      ...asJson('POST', body),
      isRead: true,
    });
    return { rows: lists, next: hasMore ? String(offset) : null };
  }, MAX_PAGES);

export const scope: ScopeDeclaration = {
  fields: [
    { id: 'people', label: 'List of contacts', hint: 'A thousand lists are offered.', kind: 'choice', required: true },
  ],
  async readOptions(access) {
    const lists = (await readLists(access)).filter(({ objectTypeId }) => objectTypeId === CONTACTS);
    const options = inOrder(lists.map(({ listId, name }) => optionOf({ id: listId, name })));
    return { people: [{ value: ALL, label: 'All contacts' }, ...options] };
  },
  describe: ({ people }) => (people === ALL ? 'all contacts' : `the list ${readOption(people).name}`),
};
