import type { Access } from '../../engine/connectors/connector.ts';
import { CursorRefused, ProviderFailure } from '../../engine/connectors/failure.ts';

type Fault = { message?: string; extensions?: { code?: string; type?: string } };
type Answer<Data> = { data?: Data | null; errors?: Fault[] };

/**
 * Asks Linear, which only has GraphQL. A limit comes as a 400 with a code, and a fault of a query may come with 200.
 * @throws ProviderFailure; CursorRefused where a page was asked for by a cursor that is not accepted
 */
export async function ask<Data>(
  { send }: Pick<Access, 'send'>,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  const answer = await send('https://api.linear.app/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    isRead: true,
  });
  const { data, errors = [] } = (await answer.json().catch(() => ({}))) as Answer<Data>;
  if (errors.some(({ extensions }) => extensions?.code === 'RATELIMITED'))
    throw new ProviderFailure('unavailable', 'its limit is used up');
  if (answer.ok && data && errors.length === 0) return data;
  if (variables.after) throw new CursorRefused();
  throw new ProviderFailure('refused', `the query answers ${answer.status}`);
}
