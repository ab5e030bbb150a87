/** @environment payments */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Account } from '../../models/account.ts';
import { stripe } from '../environments/payments.ts';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('erasing a company ends what it pays for first; where that fails, nothing is erased', async () => {
  const owner = await signUp(server);
  const { url } = (await owner.browser.post('/api/billing/checkout').send({ plan: 'pro' }).expect(200)).body;
  const paid = stripe.pay(url);
  await owner.browser.post('/api/billing/refresh').expect(200);
  expect((await owner.browser.get('/api/account/erasure').expect(200)).body.plan).toBe('pro');
  const erase = () => owner.browser.post('/api/account/erasure').send({ typed: owner.email, password: owner.password });

  stripe.fail(500, 20);
  expect((await erase()).body.code).toBe('provider_unavailable');
  stripe.recover();
  expect((await Account.findById(owner.user.accountId).lean())?.erasure ?? null).toBeNull();
  await owner.browser.get('/api/account/exports').expect(200);

  expect((await erase().expect(200)).body).toEqual({ success: true, notRevoked: [], isPlanLeft: false });
  const subscription = [...stripe.subscriptions.values()].find(({ customer }) => customer === paid?.customer);
  expect(subscription?.status).toBe('canceled');
  expect((await Account.findById(owner.user.accountId).lean())?.name).toBe('Erased account');
});
