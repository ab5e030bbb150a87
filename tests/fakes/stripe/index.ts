import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Event, makeBooks, newId, PRICES } from './books.ts';
import { type Fields, readForm, valueAt } from './form.ts';

type Answer = { status: number; body: object | string; location?: string };
type Session = {
  id: string;
  customer: string;
  status: 'open' | 'complete' | 'expired';
  price: string;
  metadata: Fields;
  url: string;
  success: string;
  cancel: string;
};
const SECRET = 'sk_test_arc';
const WEBHOOK_SECRET = 'whsec_arc';
const MAX_LISTED = 100;

const readBody = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};
const refused = (code: string, status = 400): Answer => ({ status, body: { error: { code, message: code } } });
const page = (title: string, actions: Record<string, string>): Answer => ({
  status: 200,
  body: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${Object.entries(actions)
    .map(([name, to]) => `<p><a href="${to}">${name}</a></p>`)
    .join('')}</html>`,
});

/**
 * Stripe over real HTTP, with what Arc uses of it: customers, subscriptions, invoices, the pages of Checkout and of the
 * customer portal, events in a list and as signed webhooks. Webhooks are delivered by hand, so that they come late, twice
 * or in another order; or at once to `deliverTo`.
 */
export async function startStripe() {
  const books = makeBooks(() => url);
  const sessions = new Map<string, Session>();
  const portals = new Map<string, { customer: string; back: string; change: { id: string; price: string } | null }>();
  const answered = new Map<string, { form: string; answer: Answer }>();
  const asked: { method: string; path: string; form: Fields; key: string | undefined }[] = [];
  const faults: Answer[] = [];
  let held: Promise<void> | null = null;
  let release = () => {};
  let deliverTo: string | null = null;
  let delivered = 0;

  function list<Item extends { id: string }>(items: Item[], query: Fields): Answer {
    const most = Math.min(MAX_LISTED, Number(valueAt(query, 'limit')) || 10);
    const newest = items.toReversed();
    const after = valueAt(query, 'starting_after');
    const from = after ? newest.findIndex(({ id }) => id === after) + 1 : 0;
    return { status: 200, body: { data: newest.slice(from, from + most), has_more: newest.length > from + most } };
  }

  function createSession(form: Fields): Answer {
    const id = newId('cs');
    const session: Session = {
      id,
      customer: valueAt(form, 'customer'),
      status: 'open',
      price: valueAt(form, 'line_items.0.price'),
      metadata: (form.metadata ?? {}) as Fields,
      url: `${url}/pay/${id}`,
      success: valueAt(form, 'success_url'),
      cancel: valueAt(form, 'cancel_url'),
    };
    if (!Object.values(PRICES).includes(session.price as never)) return refused('resource_missing');
    sessions.set(id, session);
    return { status: 200, body: session };
  }

  function openPortal(form: Fields): Answer {
    const id = newId('bps');
    const change = 'flow_data.subscription_update_confirm';
    const subscription = valueAt(form, `${change}.subscription`);
    const back = valueAt(form, 'flow_data.after_completion.redirect.return_url') || valueAt(form, 'return_url');
    portals.set(id, {
      customer: valueAt(form, 'customer'),
      back,
      change: subscription ? { id: subscription, price: valueAt(form, `${change}.items.0.price`) } : null,
    });
    return { status: 200, body: { id, url: `${url}/portal/${id}` } };
  }

  const of = <Item extends { customer?: string }>(items: Iterable<Item>, query: Fields) =>
    [...items].filter(({ customer }) => customer === valueAt(query, 'customer'));

  function listEvents(query: Fields): Answer {
    const types = Object.values((query.types ?? {}) as Fields);
    const since = Number(valueAt(query, 'created.gte'));
    return list(
      books.events.filter(({ type, created }) => types.includes(type) && created >= since),
      query,
    );
  }

  function createCustomer(fields: Fields): Answer {
    const customer = { id: newId('cus'), email: valueAt(fields, 'email'), metadata: fields.metadata as object };
    books.customers.set(customer.id, customer);
    return { status: 200, body: customer };
  }

  function cancel(id: string): Answer {
    books.end(id, true);
    return { status: 200, body: books.subscriptions.get(id) ?? {} };
  }

  /** The calls, by method and path; an id in a path is `:id`. */
  const calls: Record<string, (fields: Fields, id: string) => Answer> = {
    'POST /v1/customers': createCustomer,
    'GET /v1/customers/:id': (_fields, id) => ({ status: 200, body: books.customers.get(id) ?? { id, deleted: true } }),
    'GET /v1/prices/:id': (_fields, id) => {
      const price = books.prices.get(id);
      return price ? { status: 200, body: price } : refused('resource_missing', 404);
    },
    'GET /v1/subscriptions': (fields) => list(of(books.subscriptions.values(), fields), fields),
    'DELETE /v1/subscriptions/:id': (_fields, id) => cancel(id),
    'GET /v1/invoices': (fields) => list(of(books.invoices, fields), fields),
    'GET /v1/events': listEvents,
    'POST /v1/checkout/sessions': createSession,
    'GET /v1/checkout/sessions': (fields) =>
      list(
        of(sessions.values(), fields).filter(({ status }) => status === valueAt(fields, 'status')),
        fields,
      ),
    'POST /v1/checkout/sessions/:id/expire': (_fields, id) => expire(id),
    'POST /v1/billing_portal/sessions': openPortal,
  };

  function answerApi(method: string, path: string, fields: Fields): Answer {
    const id = path.split('/').find((part) => /^(cus|sub|cs|price)_/.test(part)) ?? '';
    const call = calls[`${method} ${id ? path.replace(id, ':id') : path}`];
    return call ? call(fields, id) : refused('unknown_path', 404);
  }

  function expire(id: string): Answer {
    const session = sessions.get(id);
    if (session?.status !== 'open') return refused('not_open');
    session.status = 'expired';
    return { status: 200, body: session };
  }

  function pay(id: string): Session | null {
    const session = sessions.get(id);
    if (session?.status !== 'open') return null;
    session.status = 'complete';
    books.subscribe(session.customer, session.price);
    books.note('checkout.session.completed', session);
    return session;
  }

  /** The pages that people see, each with links in place of forms. */
  function answerPage(path: string, done: boolean): Answer {
    const [, kind, id = ''] = path.split('/');
    const session = sessions.get(id);
    const portal = portals.get(id);
    if (kind === 'pay' && session) {
      if (session.status !== 'open') return page('This page has expired', {});
      if (!done) return page('Pay with Stripe', { Subscribe: '?done=1', Back: session.cancel });
      return { status: 302, body: '', location: pay(id)?.success ?? session.cancel };
    }
    if (kind === 'portal' && portal) {
      if (!done)
        return page('Your subscription', { [portal.change ? 'Confirm' : 'Cancel plan']: '?done=1', Back: portal.back });
      if (portal.change) books.change(portal.change.id, portal.change.price);
      else for (const { id } of of(books.subscriptions.values(), { customer: portal.customer })) books.end(id);
      return { status: 302, body: '', location: portal.back };
    }
    return kind === 'invoice' ? page(`Invoice ${id}`, {}) : refused('unknown_path', 404);
  }

  function answerCall(request: IncomingMessage, path: string, query: string, body: string): Answer {
    const { method = 'GET', headers } = request;
    if (headers.authorization !== `Bearer ${SECRET}`) return refused('invalid_api_key', 401);
    if (headers['stripe-version'] !== '2024-06-20') return refused('wrong_version');
    const form = readForm(method === 'GET' ? query : body);
    const key = headers['idempotency-key'] as string | undefined;
    asked.push({ method, path, form, key });
    const fault = faults.shift();
    if (fault) return fault;
    const before = key ? answered.get(key) : undefined;
    if (before) return before.form === body ? before.answer : refused('idempotency_error');
    const answer = answerApi(method, path, form);
    if (key) answered.set(key, { form: body, answer: structuredClone(answer) });
    return answer;
  }

  const server = createServer(async (request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://stripe.local');
    const body = await readBody(request);
    const isCall = pathname.startsWith('/v1/');
    const answer = isCall
      ? answerCall(request, pathname, search.slice(1), body)
      : answerPage(pathname, searchParams.has('done'));
    // What is said was true when it was asked for, however late it arrives.
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    if (held && isCall) await held;
    await deliverNew();
    const type = isCall ? 'application/json' : 'text/html; charset=utf-8';
    const { status, location } = answer;
    response.writeHead(status, { 'content-type': type, ...(location ? { location } : {}) }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** The signed message of an event. @param seconds when it was signed */
  function sign(event: Event, { secret = WEBHOOK_SECRET, seconds = Math.floor(Date.now() / 1000) } = {}) {
    const body = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { body, header: `t=${seconds},v1=${signature}` };
  }
  async function deliver(to: string, event: Event): Promise<number> {
    const { body, header } = sign(event);
    const headers = { 'content-type': 'application/json', 'stripe-signature': header };
    return (await fetch(`${to}/api/billing/webhook`, { method: 'POST', headers, body })).status;
  }
  async function deliverNew(): Promise<void> {
    if (!deliverTo) return;
    const [to, fresh] = [deliverTo, books.events.slice(delivered)];
    delivered = books.events.length;
    for (const event of fresh) await deliver(to, event);
  }

  return {
    ...books,
    url,
    sessions,
    asked,
    sign,
    deliver,
    pay: (address: string) => pay(address.split('/').at(-1) ?? ''),
    environment: {
      STRIPE_SECRET_KEY: SECRET,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICE_STARTER: PRICES.starter,
      STRIPE_PRICE_PRO: PRICES.pro,
      STRIPE_BASE_URL: url,
    },
    /** Sends each new event to this server at once. */
    deliverTo(to: string) {
      deliverTo = to;
    },
    /** Makes the next calls fail. */
    fail(status: number, times = 1) {
      for (let at = 0; at < times; at += 1) faults.push(refused('server_error', status));
    },
    /** Delays the answers that are given from now on. @returns a function that lets them go */
    hold(): () => void {
      held = new Promise((resolve) => {
        release = () => {
          held = null;
          resolve();
        };
      });
      return release;
    },
    recover() {
      faults.length = 0;
      deliverTo = null;
      release();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        release();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
