/** @environment store */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuditEvent } from '../../models/auditEvent.ts';
import { runInAccount } from '../../models/store/context.ts';
import { addColleague } from '../factories/colleague.ts';
import { type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let owner: Person & { agent: { id: number } };
beforeAll(async () => {
  server = await startServer();
  owner = await signUpReady(server);
});
afterAll(() => server.stop());

const eventsOf = async () =>
  (await runInAccount(owner.user.accountId, () => AuditEvent.find({}).sort({ seq: 1 }).lean())).map(
    ({ event }) => event,
  );

test('a setting that is saved as it stands adds no row to the audit', async () => {
  const { browser, user } = owner;
  const colleague = await addColleague(server, owner, ['approver', 'member']);
  const officer = { userId: user.id, profession: 'Nurse', register: 'NMC', registrationNumber: '1' };
  const settings: [string, () => Promise<unknown>][] = [
    [
      'consent.changed',
      () =>
        browser
          .put('/api/preferences')
          .send({ channelConsent: { slack: 'redacted' } })
          .expect(200),
    ],
    ['signing.changed', () => browser.put('/api/preferences').send({ signsAnswers: true }).expect(200)],
    ['officer.appointed', () => browser.put('/api/preferences').send({ clinicalSafetyOfficer: officer }).expect(200)],
    [
      'roles.changed',
      () =>
        browser
          .post('/api/account/members')
          .send({ email: colleague.email, roles: ['member', 'deputy'] })
          .expect(200),
    ],
    [
      'budget.changed',
      () => browser.put('/api/billing/budgets').send({ agentId: 'clinical_safety', budget: 500 }).expect(200),
    ],
    [
      'integration.switched',
      () => browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: false }).expect(200),
    ],
    [
      'agent.tools-changed',
      () => browser.post('/api/user-agents/onboard').send({ agentId: 'clinical_safety', tools: [] }).expect(200),
    ],
  ];
  for (const [event, save] of settings) {
    const count = async () => (await eventsOf()).filter((one) => one === event).length;
    const before = await count();
    await save();
    const once = await count();
    await save();
    expect([event, once - before, (await count()) - once]).toEqual([event, 1, 0]);
  }
});
