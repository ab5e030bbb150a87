/** @environment payments */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setPlan } from '../../bot/engine/accounts/setPlan.ts';
import { replayEvents } from '../../bot/engine/payments/events.ts';
import { endPayments, readPaidPlan } from '../../bot/engine/payments/readPaidPlan.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { LedgerEntry } from '../../models/ledgerEntry.ts';
import { PaymentEvent } from '../../models/paymentEvent.ts';
import { runInAccount } from '../../models/store/context.ts';
import { Subscription } from '../../models/subscription.ts';
import { stripe } from '../environments/payments.ts';
import { addColleague } from '../factories/colleague.ts';
import { endTrial } from '../factories/endTrial.ts';
import { eventually, type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { PRICES } from '../fakes/stripe/books.ts';

let server: Server;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  owner = await signUp(server);
});
afterAll(() => server.stop());

const post = ({ browser }: Person, path: string, body: object = {}) => browser.post(`/api/billing/${path}`).send(body);
const summary = async ({ browser }: Person) => (await browser.get('/api/billing').expect(200)).body;
const rowOf = ({ user }: Person) =>
  runInAccount(user.accountId, () => Subscription.findOne({ accountId: user.accountId }).lean());
const last = () => stripe.events.at(-1) as (typeof stripe.events)[number];
const deliver = (event = last()) => stripe.deliver(server.url, event);
const applied = (id: string) =>
  eventually(async () => (await PaymentEvent.findById(id).lean())?.appliedAt, `event ${id} to be applied`);
const creditsOf = async ({ user }: Person) => {
  const rows = await runInAccount(user.accountId, () => LedgerEntry.find({ accountId: user.accountId }).lean());
  return rows.filter(({ key }) => key.startsWith('invoice:')).map(({ amount }) => amount);
};

/** Pays for a plan on the checkout page; nothing has told Arc yet. @returns Stripe's subscription */
async function buy(person: Person, plan: 'starter' | 'pro' = 'starter') {
  const { url } = (await post(person, 'checkout', { plan }).expect(200)).body;
  const session = stripe.pay(url);
  const found = [...stripe.subscriptions.values()].find(({ customer }) => customer === session?.customer);
  if (!found) throw new Error('nothing was bought');
  return found;
}
async function paying(plan: 'starter' | 'pro' = 'starter') {
  const subscription = await buy(owner, plan);
  await post(owner, 'refresh').expect(200);
  return subscription;
}

describe('buying a plan', () => {
  /** @shows POST /api/billing/checkout, POST /api/billing/refresh */
  test('lifts a trial that is over, brings the month’s credits, and is in the audit', async () => {
    await endTrial(owner);
    const hire = (agentId: string) => owner.browser.post('/api/user-agents/hire').send({ agentId });
    expect((await hire('ops')).body.code).toBe('trial_over');
    const { customer } = await buy(owner);
    expect(await summary(owner)).toMatchObject({ status: 'expired', payment: null, hasPaid: true });
    expect(await deliver()).toBe(200);
    await applied(last().id);
    expect(await summary(owner)).toMatchObject({
      plan: 'starter',
      status: 'active',
      agents: { allowed: 3 },
      paymentConfigured: true,
      payment: { plan: 'starter', isOverdue: false, endsAt: null, running: 1 },
    });
    expect((await owner.browser.get('/api/user/trial/status')).body.subscriptionStatus).toBe('active');
    for (const id of ['ops', 'mdr', 'marketer']) await hire(id).expect(200);
    expect((await hire('outreach')).body.code).toBe('plan_full');
    expect(await creditsOf(owner)).toEqual([500_000]);
    expect(stripe.customers.get(customer)).toMatchObject({ email: owner.email });
    const rows = await runInAccount(owner.user.accountId, () =>
      AuditEvent.find({ accountId: owner.user.accountId, event: { $in: ['plan.checkout', 'plan.paid'] } }).lean(),
    );
    expect(rows.map(({ event, userId, surface, outcome }) => [event, userId, surface, outcome])).toEqual([
      ['plan.checkout', owner.user.id, 'api', 'starter'],
      ['plan.paid', null, 'payment', 'starter active'],
    ]);
  });

  test('opens one page for the same plan, closes one for another, and never sells a second plan', async () => {
    const open = async (plan: string) => (await post(owner, 'checkout', { plan })).body.url as string;
    const [one, other] = await Promise.all([open('starter'), open('starter')]);
    expect(other).toBe(one);
    expect(await open('starter')).toBe(one);
    const larger = await open('pro');
    expect([stripe.pay(one), stripe.pay(larger)?.price]).toEqual([null, PRICES.pro]);
    // No event has come yet, but Stripe is asked first.
    const refused = await post(owner, 'checkout', { plan: 'pro' });
    expect([refused.status, refused.body.code]).toEqual([409, 'plan_stands']);
    expect((await summary(owner)).plan).toBe('pro');
  });

  test('is the owner’s: other roles are refused each call and see no invoices', async () => {
    const colleague = await addColleague(server, owner, ['approver']);
    for (const path of ['checkout', 'portal', 'plan', 'refresh'])
      expect([path, (await post(colleague, path, { plan: 'pro' })).status]).toEqual([path, 403]);
    await colleague.browser.get('/api/billing/invoices').expect(403);
  });

  test('fails with a sentence while Stripe is down, and begins nothing', async () => {
    stripe.fail(503, 9);
    const { status, body } = await post(owner, 'checkout', { plan: 'pro' });
    stripe.recover();
    expect([status, body.code, body.error]).toEqual([
      503,
      'provider_unavailable',
      'Stripe does not answer. Please try again in a moment.',
    ]);
  });

  test('repeats a call that failed under its key, so that one customer is made', async () => {
    stripe.fail(500);
    const { url } = (await post(owner, 'checkout', { plan: 'pro' }).expect(200)).body;
    const id = (await rowOf(owner))?.customerId;
    expect([...stripe.customers.values()].filter(({ email }) => email === owner.email).map((one) => one.id)).toEqual([
      id,
    ]);
    expect(url).toContain('/pay/');
  });
});

describe('webhooks', () => {
  const send = (body: string, header: string | undefined) =>
    fetch(`${server.url}/api/billing/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(header ? { 'stripe-signature': header } : {}) },
      body,
    });

  /** @shows POST /api/billing/webhook */
  test('that are forged, unsigned, altered or old change and store nothing', async () => {
    await buy(owner);
    const event = last();
    const { body, header } = stripe.sign(event);
    const old = stripe.sign(event, { seconds: Math.floor(Date.now() / 1000) - 302 });
    const answers = await Promise.all([
      send(body, undefined),
      send(body, stripe.sign(event, { secret: 'whsec_other' }).header),
      send(body.replace('"created"', ' "created"'), header),
      send(old.body, old.header),
    ]);
    for (const answer of answers) expect([answer.status, (await answer.json()).code]).toEqual([400, 'bad_signature']);
    expect(await PaymentEvent.findById(event.id).lean()).toBeNull();
    expect((await summary(owner)).payment).toBeNull();
  });

  test('that come twice are applied once', async () => {
    await buy(owner, 'pro');
    const event = last();
    expect(await Promise.all([deliver(event), deliver(event)])).toEqual([200, 200]);
    await applied(event.id);
    const readings = (await rowOf(owner))?.readingsBegun;
    await deliver(event);
    expect(await PaymentEvent.countDocuments({ _id: event.id })).toBe(1);
    expect((await rowOf(owner))?.readingsBegun).toBe(readings);
    expect(await creditsOf(owner)).toEqual([2_000_000]);
  });

  test('that come in the wrong order leave the newest state', async () => {
    const { id } = await buy(owner, 'pro');
    const begun = stripe.events.length;
    stripe.renew(id);
    stripe.end(id, true);
    for (const event of stripe.events.slice(begun).toReversed()) {
      await deliver(event);
      await applied(event.id);
    }
    expect((await rowOf(owner))?.paid).toMatchObject({ status: 'canceled' });
    expect(await summary(owner)).toMatchObject({ status: 'trial', payment: null });
    expect(await creditsOf(owner)).toEqual([2_000_000, 2_000_000]);
  });

  test('read at the same moment keep what was read last', async () => {
    const { id } = await paying('pro');
    const release = stripe.hold();
    const early = readPaidPlan(owner.user.accountId);
    const asked = stripe.asked.length;
    await eventually(async () => stripe.asked.length >= asked + 1, 'the early reading to be asked');
    stripe.end(id, true);
    const late = readPaidPlan(owner.user.accountId);
    release();
    await Promise.all([early, late]);
    await late;
    expect((await rowOf(owner))?.paid?.status).toBe('canceled');
  });

  test('concern the company of the customer, whatever they claim', async () => {
    const other = await signUp(server);
    await buy(owner, 'pro');
    const event = structuredClone(last());
    const claimed = { ...event.data.object, metadata: { account: String(other.user.accountId) } };
    await deliver({ ...event, data: { object: claimed } });
    await applied(event.id);
    expect([(await summary(owner)).plan, (await summary(other)).plan]).toEqual(['pro', 'trial']);
    const stranger = { ...event, id: 'evt_of_nobody', data: { object: { customer: 'cus_of_nobody' } } };
    expect(await deliver(stranger)).toBe(200);
    await applied(stranger.id);
    expect(await PaymentEvent.findById(stranger.id).lean()).toMatchObject({ accountId: null });
  });

  test('of other kinds are acknowledged and not kept', async () => {
    const event = { id: 'evt_other', type: 'payout.paid', created: 1, data: { object: {} } };
    expect(await deliver(event)).toBe(200);
    expect(await PaymentEvent.findById(event.id).lean()).toBeNull();
  });

  test('that could not be applied are applied by the job', async () => {
    await buy(owner, 'pro');
    stripe.fail(503, 99);
    expect(await deliver()).toBe(200);
    await expect(readPaidPlan(owner.user.accountId)).rejects.toMatchObject({ code: 'provider_unavailable' });
    stripe.recover();
    expect((await PaymentEvent.findById(last().id).lean())?.appliedAt).toBeNull();
    await replayEvents();
    expect((await summary(owner)).plan).toBe('pro');
  });

  test('that never came are found in Stripe’s list, also those before one that came', async () => {
    await replayEvents();
    const { id } = await buy(owner, 'pro');
    stripe.renew(id);
    const missed = stripe.events.slice(-5);
    // The outage is over: a webhook of somebody else comes before the job has looked.
    await buy(await signUp(server));
    await deliver();
    await replayEvents();
    await Promise.all(missed.map((event) => applied(event.id)));
    expect(await creditsOf(owner)).toEqual([2_000_000, 2_000_000]);
    const readings = (await rowOf(owner))?.readingsBegun;
    await replayEvents();
    expect((await rowOf(owner))?.readingsBegun).toBe(readings);
  });
});

describe('a plan that is paid for', () => {
  test('stays beside one by hand: the larger counts, and what was given without an end is not sold', async () => {
    const by = { userId: null, key: `hand-${owner.user.id}` };
    await paying('starter');
    await setPlan(owner.user.id, 'enterprise', undefined, by);
    expect(await summary(owner)).toMatchObject({
      plan: 'enterprise',
      planByHand: { plan: 'enterprise', endsAt: null },
      payment: { plan: 'starter' },
    });
    await setPlan(owner.user.id, 'trial', undefined, { userId: null, key: `back-${owner.user.id}` });
    expect(await summary(owner)).toMatchObject({ plan: 'starter', status: 'active', planByHand: null });
    const other = await signUp(server);
    await setPlan(other.user.id, 'pro', undefined, { userId: null, key: `other-${other.user.id}` });
    const refused = await post(other, 'checkout', { plan: 'starter' });
    expect([refused.status, refused.body.code]).toEqual([409, 'plan_stands']);
    expect(stripe.asked.some(({ form }) => form.email === other.email)).toBe(false);
  });

  /** @shows POST /api/billing/plan */
  test('is changed on Stripe’s page; one that is too small says what no longer fits first', async () => {
    const { id } = await paying('pro');
    for (const agentId of ['ops', 'mdr', 'marketer', 'outreach'])
      await owner.browser.post('/api/user-agents/hire').send({ agentId }).expect(200);
    const change = (plan: string, accepted = false) => post(owner, 'plan', { plan, accepted });
    const refused = await change('starter');
    expect([refused.status, refused.body.code]).toEqual([409, 'plan_too_small']);
    expect(refused.body.error).toMatch(/^Starter allows 3 agents and you have 4\./);
    expect((await change('pro')).body.code).toBe('plan_stands');
    const { url } = (await change('starter', true).expect(200)).body;
    expect(url).toContain(`${stripe.url}/portal/`);
    await fetch(`${url}?done=1`, { redirect: 'manual' });
    expect(stripe.subscriptions.get(id)?.items.data[0]?.price.id).toBe(PRICES.starter);
    await deliver();
    await applied(last().id);
    const { plan, agents, noLongerFits } = await summary(owner);
    expect({ plan, agents, now: noLongerFits.now.length }).toEqual({
      plan: 'starter',
      agents: { hired: 4, allowed: 3 },
      now: 1,
    });
    expect(await creditsOf(owner)).toEqual([2_000_000]);
  });

  test('ends at the end of its month, and holds while a failed payment is tried again', async () => {
    const { id } = await paying('pro');
    stripe.end(id);
    await post(owner, 'refresh').expect(200);
    const { payment, status } = await summary(owner);
    expect([status, payment.endsAt]).toEqual(['active', payment.renewsAt]);
    stripe.renew(id, false);
    await post(owner, 'refresh').expect(200);
    expect((await summary(owner)).payment).toMatchObject({ isOverdue: true });
    expect(await creditsOf(owner)).toEqual([2_000_000]);
  });

  /** @shows GET /api/billing/invoices, POST /api/billing/portal */
  test('has its invoices, which only its own company sees', async () => {
    await paying('starter');
    const invoices = async ({ browser }: Person) =>
      (await browser.get('/api/billing/invoices').expect(200)).body.invoices;
    expect(await invoices(owner)).toEqual([
      expect.objectContaining({
        total: 1900,
        currency: 'USD',
        status: 'paid',
        url: expect.stringContaining('/invoice/'),
      }),
    ]);
    expect(await invoices(await signUp(server))).toEqual([]);
    expect((await post(owner, 'portal').expect(200)).body.url).toContain(`${stripe.url}/portal/`);
    expect((await post(await signUp(server), 'portal')).status).toBe(404);
  });

  test('is ended before its company is erased', async () => {
    const { id } = await paying('pro');
    expect(await endPayments(owner.user.accountId)).toBe(true);
    expect(stripe.subscriptions.get(id)?.status).toBe('canceled');
    expect(await endPayments((await signUp(server)).user.accountId)).toBe(true);
  });
});
