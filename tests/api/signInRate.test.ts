import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

// A tenth of the table's rates: one failure of an e-mail from an address, twenty failures of the address.
process.env.RATE_LIMIT_FACTOR = '0.1';
// Behind one proxy, so that a test can use many client addresses.
process.env.TRUST_PROXY = '1';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('successful sign-ins don’t count, one e-mail’s failures block no other, and an address has its limit', async () => {
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

describe('one e-mail tried from many addresses', () => {
  let address = 0;
  /** An attempt from an unused address. */
  const tryFrom = (browser: ReturnType<Server['browser']>, email: string, password: string) => {
    address += 1;
    const from = `192.0.2.${address}`;
    return browser.post('/api/login').set('X-Forwarded-For', from).send({ email, password });
  };
  /** Someone whose browser has signed up, from an address of their own. */
  const arrive = async () => {
    const [browser, email, password] = [server.browser(), `${randomUUID()}@example.org`, 'correct-horse-1'];
    address += 1;
    const from = `192.0.2.${address}`;
    await browser
      .post('/api/auth/send-signup-confirmation')
      .set('X-Forwarded-For', from)
      .send({ email, password })
      .expect(200);
    return { browser, email, password };
  };
  const besiege = async (email: string) => {
    for (let time = 0; time < 5; time += 1)
      expect((await tryFrom(server.browser(), email, 'wrong-1')).status).toBe(401);
  };

  test('is refused everywhere except where it has signed in before, and no other e-mail is', async () => {
    const [owner, other] = await Promise.all([arrive(), arrive()]);
    await besiege(owner.email);
    expect((await tryFrom(server.browser(), owner.email, owner.password)).body.code).toBe('too_many');
    expect((await tryFrom(server.browser(), other.email, other.password)).status).toBe(200);
    for (let time = 0; time < 3; time += 1) {
      expect((await tryFrom(owner.browser, owner.email, owner.password)).status).toBe(200);
    }
    // The device cookie of one e-mail does not work for another.
    expect((await tryFrom(other.browser, owner.email, owner.password)).status).toBe(429);
  });

  test('from a known browser has attempts of its own; a forged device cookie does not count', async () => {
    const { browser, email, password } = await arrive();
    const entered = await tryFrom(browser, email, password);
    const [name = ''] = /arc\.device\.[\w-]+=/.exec(String(entered.headers['set-cookie'])) ?? [];
    expect((await tryFrom(browser, email, 'wrong-1')).status).toBe(401);
    expect((await tryFrom(browser, email, password)).status).toBe(429);
    await besiege(email);
    expect(name).not.toBe('');
    const forged = await server
      .browser()
      .post('/api/login')
      .set('X-Forwarded-For', '198.51.100.1')
      .set('Cookie', `${name}made.up`)
      .send({ email, password });
    expect(forged.status).toBe(429);
  });
});
