import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../models/contracts/errors.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { delayAfter } from '../connectors/retries.ts';
import { fetchPublic } from '../network/fetchPublic.ts';

/** The shapes below are those of this version, whatever the Stripe account has as its default. */
export const STRIPE_VERSION = '2024-06-20';
const CALL_MS = 20_000 * env.PATIENCE_FACTOR;
const MAX_BYTES = 5 * 1024 * 1024;
const PAGE = 100;
/** Most pages that one list is read to; 100 entries each. */
const MAX_PAGES = 100;

type List<Item> = { data: Item[]; has_more: boolean };
type Customer = { id: string; deleted?: boolean };
export type StripeSubscription = {
  id: string;
  status: string;
  created: number;
  current_period_end: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  items: { data: { id: string; price: { id: string } }[] };
};
export type Invoice = {
  id: string;
  number: string | null;
  subscription: string | null;
  billing_reason: string;
  created: number;
  status: string | null;
  /** In the smallest unit of the currency. */
  total: number;
  currency: string;
  hosted_invoice_url: string | null;
  lines: {
    data: { amount: number; proration: boolean; price: { id: string; unit_amount: number | null } | null }[];
  };
};
type CheckoutSession = { id: string; url: string | null; metadata: Record<string, string> | null };
export type StripeEvent = { id: string; type: string; created: number; data: { object: { customer?: unknown } } };

/** Fields of a form; nested ones are written in brackets, as Stripe reads them. */
type Fields = { [name: string]: string | number | boolean | Fields | readonly (string | Fields)[] };

/** @returns pairs of name and value, e.g. `line_items[0][price]` */
export function formOf(fields: Fields, within = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const at = within === '' ? name : `${within}[${name}]`;
    return typeof value === 'object' ? formOf({ ...value } as Fields, at) : [[at, String(value)] as [string, string]];
  });
}

const unavailable = () => new AppError('provider_unavailable', { name: 'Stripe' });

async function tryOnce(url: URL, init: RequestInit): Promise<Response | null> {
  try {
    const bounds = { maxBytes: MAX_BYTES, trustedOrigin: new URL(env.STRIPE_BASE_URL).origin };
    return await fetchPublic(url, { ...init, signal: AbortSignal.timeout(CALL_MS) }, bounds);
  } catch (error) {
    logger.debug({ what: (error as Error).message }, 'Stripe did not answer');
    return null;
  }
}

/**
 * Calls Stripe. A call with an idempotency key has its effect once, however often it is repeated, so it is tried again
 * like one that only reads.
 * @throws AppError provider_unavailable, and not_available where Stripe refuses the call
 */
async function callStripe<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  fields: Fields = {},
  key?: string,
): Promise<Answer> {
  const url = new URL(path, env.STRIPE_BASE_URL);
  const form = new URLSearchParams(formOf(fields));
  if (method === 'GET') url.search = form.toString();
  const init = {
    method,
    headers: {
      authorization: `Bearer ${env.STRIPE_SECRET_KEY}`,
      'stripe-version': STRIPE_VERSION,
      ...(key ? { 'idempotency-key': key } : {}),
      ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(method === 'POST' ? { body: form.toString() } : {}),
  };
  for (let attempt = 1; ; attempt += 1) {
    const answer = await tryOnce(url, init);
    if (answer?.ok) return (await answer.json()) as Answer;
    const status = answer?.status ?? null;
    const body = (await answer?.json().catch(() => null)) as { error?: { code?: string; message?: string } } | null;
    if (status !== null && status < 500 && status !== 429 && status !== 409) {
      logger.error({ status, path, code: body?.error?.code, what: body?.error?.message }, 'Stripe refused a call');
      throw new AppError('not_available', {
        text: 'Stripe did not accept this. Nothing was changed; whoever runs the server finds the reason in its log.',
      });
    }
    const failed = { status, retryAfter: answer?.headers.get('retry-after') ?? null };
    const delay = delayAfter(attempt, failed, method !== 'POST' || key !== undefined);
    if (delay === null) throw unavailable();
    await wait(delay * env.PATIENCE_FACTOR);
  }
}

/** Every entry of a list, the newest first. */
async function listAll<Item extends { id: string }>(path: string, fields: Fields): Promise<Item[]> {
  const found: Item[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const after = found.at(-1);
    const next = { ...fields, limit: PAGE, ...(after ? { starting_after: after.id } : {}) };
    const { data, has_more } = await callStripe<List<Item>>('GET', path, next);
    found.push(...data);
    if (!has_more || data.length === 0) return found;
  }
  throw unavailable();
}

/** What Arc asks Stripe for. Each call that creates something has a key of what it is for. */
export const stripe = {
  readCustomer: (id: string) => callStripe<Customer>('GET', `/v1/customers/${id}`),
  createCustomer: (fields: Fields, key: string) => callStripe<Customer>('POST', '/v1/customers', fields, key),
  /** Those that are over as well. */
  listSubscriptions: (customer: string) =>
    listAll<StripeSubscription>('/v1/subscriptions', { customer, status: 'all' }),
  cancelSubscription: (id: string) => callStripe<StripeSubscription>('DELETE', `/v1/subscriptions/${id}`),
  /** The newest hundred. */
  listInvoices: async (customer: string) =>
    (await callStripe<List<Invoice>>('GET', '/v1/invoices', { customer, limit: PAGE })).data,
  listOpenSessions: (customer: string) =>
    listAll<CheckoutSession>('/v1/checkout/sessions', { customer, status: 'open' }),
  createSession: (fields: Fields, key: string) =>
    callStripe<CheckoutSession>('POST', '/v1/checkout/sessions', fields, key),
  expireSession: (id: string) =>
    callStripe<CheckoutSession>('POST', `/v1/checkout/sessions/${id}/expire`, {}, `expire:${id}`),
  /** A page of Stripe for one visit; each press of a button makes another, so it has no key. */
  openPortal: (fields: Fields) => callStripe<{ url: string }>('POST', '/v1/billing_portal/sessions', fields),
  listEvents: (types: readonly string[], since: Date) =>
    listAll<StripeEvent>('/v1/events', { types, created: { gte: Math.floor(since.getTime() / 1000) } }),
};
