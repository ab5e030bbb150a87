import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

// A tenth of the table's rates: one failure of an e-mail from an address, twenty of the address.
process.env.RATE_LIMIT_FACTOR = '0.1';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('signing in: what succeeds does not count, one e-mail’s failures shut nobody else out, an address has its limit', async () => {
  const { email, password } = await signUp(server);
  const login = (body: object) => server.browser().post('/api/login').send(body);
  for (let time = 0; time < 5; time += 1) await login({ email, password }).expect(200);
  expect((await login({ email: 'no@example.org', password: 'wrong-1' })).status).toBe(401);
  const again = await login({ email: ' NO@example.org', password: 'wrong-1' });
  expect({ status: again.status, code: again.body.code }).toEqual({ status: 429, code: 'too_many' });
  await login({ email, password }).expect(200);
  for (let other = 0; other < 18; other += 1) {
    expect((await login({ email: `other-${other}@example.org`, password: 'wrong-1' })).status).toBe(401);
  }
  expect((await login({ email: 'last@example.org', password: 'wrong-1' })).status).toBe(429);
});
