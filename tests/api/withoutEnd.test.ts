/** @environment operator */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { Subscription } from '../../models/subscription.ts';
import { LEGAL_CONTACT } from '../environments/operator.ts';
import { endTrial } from '../factories/endTrial.ts';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('where TRIAL_DAYS is 0 no trial ends, however old; a plan that ended is over', async () => {
  const person = await signUp(server);
  await endTrial(person);
  const status = async () => (await person.browser.get('/api/user/trial/status').expect(200)).body;
  expect(await status()).toEqual({ isTrialActive: false, remainingDays: 0, subscriptionStatus: 'active' });
  const hire = (agentId: string) => person.browser.post('/api/user-agents/hire').send({ agentId });
  await hire('mdr').expect(200);
  const { accountId } = person.user;
  const ended = { plan: 'pro', status: 'active', planEndsAt: new Date(Date.now() - 1) };
  await runInAccount(accountId, () => Subscription.updateOne({ accountId }, { $set: ended }));
  announce(accountId, ['account']);
  expect((await hire('ops')).body.code).toBe('trial_over');
});

test('whoever runs the server is named to everybody, signed in or not', async () => {
  const { body } = await server.browser().get('/api/auth/status').expect(200);
  expect(body.contact).toBe(LEGAL_CONTACT);
});
