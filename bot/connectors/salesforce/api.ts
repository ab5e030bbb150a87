import type { Access, SendInit } from '../../engine/connectors/access.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';

const VERSION = '/services/data/v62.0';
const HOST = '.salesforce.com';

/** What a customer's own instance is called by: its origin, and how calls are sent there. */
type Instance = Pick<Access, 'send'> & { origin: string };

/** A page of rows of a query (https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_query.htm). */
type Queried<T> = { records: T[]; nextRecordsUrl?: string };

/**
 * The origin of the instance that a token answer names. The token is sent there, so only Salesforce's own hosts are
 * accepted.
 * @throws ProviderFailure
 */
export function readInstance(address = ''): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'https:' || url.port !== '' || !url.hostname.endsWith(HOST))
    throw new ProviderFailure('refused', 'the instance is not one of Salesforce');
  return url.origin;
}

/** The instance of an open grant. @throws ProviderFailure */
export const instanceOf = ({ send, place }: Access): Instance => ({ send, origin: readInstance(place.origin) });

/** Calls the REST API of an instance. @throws ProviderFailure */
async function call<T>({ send, origin }: Instance, path: string, init?: SendInit): Promise<T> {
  const answer = await send(origin + path, init);
  if (answer.ok) return (await answer.json()) as T;
  const text = await answer.text().catch(() => '');
  // The daily limit is refused with 403, like what a person may not see.
  if (text.includes('"REQUEST_LIMIT_EXCEEDED"')) throw new ProviderFailure('unavailable', 'its limit is used up');
  throw new ProviderFailure('refused', `it answers ${answer.status}`);
}

/** A text within the quotation marks of a query. */
export const quoted = (text: string): string => text.replace(/[\\']/g, (sign) => `\\${sign}`);

/** A text that is looked for with LIKE: its own signs of that operator stand for themselves. */
export const likeText = (text: string): string => `%${quoted(text).replace(/[%_]/g, (sign) => `\\${sign}`)}%`;

/** A page of a query; `cursor` is the path that the page before has named. @throws ProviderFailure */
export function query<T>(instance: Instance, soql: string, cursor: string | null = null): Promise<Queried<T>> {
  if (cursor !== null && !cursor.startsWith(`${VERSION}/query/`))
    throw new ProviderFailure('refused', 'the cursor is not accepted');
  return call(instance, cursor ?? `${VERSION}/query?${new URLSearchParams({ q: soql })}`);
}

/** Makes a record. @returns its id. @throws ProviderFailure */
export const create = async (instance: Instance, object: string, fields: object): Promise<string> =>
  (
    await call<{ id: string }>(instance, `${VERSION}/sobjects/${object}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
  ).id;
