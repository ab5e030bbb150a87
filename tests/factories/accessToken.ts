import supertest from 'supertest';
import type { TokenScope } from '../../models/contracts/tokenScopes.ts';
import { TOKEN_SCOPE_NAMES } from '../../models/contracts/tokenScopes.ts';
import type { Person } from './person.ts';

/** Makes an access token as its owner does on the preferences page. */
export async function makeAccessToken(
  { browser }: Pick<Person, 'browser'>,
  scopes: readonly TokenScope[] = TOKEN_SCOPE_NAMES,
  name = 'n8n',
): Promise<{ id: string; secret: string; webhookSecret: string }> {
  const { body } = await browser.post('/api/access-tokens').send({ name, scopes, expiresInDays: null }).expect(201);
  return { id: body.token.id, secret: body.secret, webhookSecret: body.webhookSecret };
}

/** A program that calls with an access token. */
export const programWith = (url: string, secret: string) =>
  supertest.agent(url).set('Authorization', `Bearer ${secret}`);

/**
 * Who calls as a person: their browser, and for calls of programs a program with a token of theirs.
 * @returns the caller of a call with this policy
 */
export async function callersOf(url: string, person: Pick<Person, 'browser'>) {
  const program = programWith(url, (await makeAccessToken(person)).secret);
  return ({ policy }: { policy: string }) => (policy === 'token' ? program : person.browser);
}
