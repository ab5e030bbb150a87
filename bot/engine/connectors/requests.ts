import type { Access, SendInit } from './connector.ts';
import { ProviderFailure } from './failure.ts';

type Sender = Pick<Access, 'send'>;

/** Calls a provider. @throws ProviderFailure also where it answers that this can't be done */
export async function request({ send }: Sender, address: string, init?: SendInit): Promise<Response> {
  const answer = await send(address, init);
  if (answer.ok) return answer;
  await answer.arrayBuffer().catch(() => undefined);
  throw new ProviderFailure('refused', `it answers ${answer.status}`);
}

/** Calls a provider that answers with JSON. @throws ProviderFailure */
export async function readJson<T>(access: Sender, address: string, init?: SendInit): Promise<T> {
  return (await (await request(access, address, init)).json()) as T;
}

/** A call that sends JSON. */
export const asJson = (method: string, body: object): SendInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The rows of a listing, page by page, of at most so many pages. @throws what `readPage` throws */
export async function readPages<T>(
  readPage: (cursor: string | null) => Promise<{ rows: readonly T[]; next: string | null }>,
  maxPages: number,
): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null = null, pages = 0; pages < maxPages; pages += 1) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(cursor);
    found.push(...page.rows);
    cursor = page.next;
    if (cursor === null) break;
  }
  return found;
}
