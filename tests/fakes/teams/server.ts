import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type Answer, connectorRoutes } from './connector.ts';
import { makeKeys } from './keys.ts';
import type { Conversation, TeamsUser, Tenant } from './tenant.ts';

export type Call = { method: string; path: string; tenant: string | null; body: Record<string, unknown> };
type Fault = {
  status: number;
  retryAfter?: number;
  code?: string;
  left: number;
  match: RegExp;
  taken?: boolean;
  skip?: number;
};

/**
 * Microsoft Teams over real HTTP, as far as Arc uses it: the metadata and keys that its calls are signed with, a login
 * that issues tokens for known secrets only, the connector with roster, cards, streams and their limits, file download
 * and upload in ranges, and rate limits and outages on demand. Every call is recorded.
 */
export async function startTeams() {
  const tenants = new Map<string, Tenant>();
  const tokens = new Map<string, string>();
  const calls: Call[] = [];
  let faults: Fault[] = [];
  /** Calls to accept and never answer. */
  let silent: { match: RegExp; left: number }[] = [];
  const keys = await makeKeys();

  const server = createServer(async (request, response) => {
    try {
      await route(request, response);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function route(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', url);
    const send = ({ status, body, headers = {} }: Answer) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    };
    const bytes = await readBytes(request);
    const call = `${isTypingIndicator(bytes) ? 'SIGN' : request.method} ${decodeURIComponent(pathname)}`;
    const unanswered = silent.find(({ match, left }) => left > 0 && match.test(call));
    if (unanswered) {
      unanswered.left -= 1;
      return;
    }
    if (pathname === '/openid') return send({ status: 200, body: { issuer: 'any', jwks_uri: `${url}/keys` } });
    if (pathname === '/keys' || pathname.endsWith('/discovery/v2.0/keys'))
      return send({ status: 200, body: { keys: keys.published } });
    if (pathname.endsWith('/oauth2/v2.0/token')) return send(giveToken(pathname.split('/')[1] ?? '', bytes));
    if (pathname.startsWith('/files/')) return serveFile(pathname, response);
    if (pathname.startsWith('/upload/')) return send(upload(pathname, request, bytes));
    if (pathname.startsWith('/teams/v3/')) return send(connect(request, pathname, bytes));
    return send({ status: 404 });
  }

  function giveToken(tenantId: string, bytes: Buffer): Answer {
    const form = new URLSearchParams(bytes.toString('utf8'));
    const tenant = tenants.get(tenantId);
    const right =
      form.get('grant_type') === 'client_credentials' &&
      form.get('scope') === 'https://api.botframework.com/.default' &&
      tenant?.appId === form.get('client_id') &&
      tenant?.secret === form.get('client_secret');
    calls.push({ method: 'POST', path: '/token', tenant: tenantId, body: { clientId: form.get('client_id') } });
    if (!tenant || !right) return { status: 401, body: { error: 'invalid_client' } };
    const token = `token-${randomUUID()}`;
    tokens.set(token, tenant.id);
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3600, access_token: token } };
  }

  /** The answer to a call that the test made fail. If only the answer is to be lost, the call still takes effect. */
  function takeFault(call: string, run: () => unknown): Answer | null {
    const fault = faults.find((one) => one.left > 0 && one.match.test(call));
    if (!fault) return null;
    if (fault.skip) {
      fault.skip -= 1;
      return null;
    }
    fault.left -= 1;
    if (fault.taken) run();
    const headers = fault.retryAfter ? { 'Retry-After': String(fault.retryAfter) } : undefined;
    const told = fault.code ? { error: { code: fault.code, message: fault.code } } : undefined;
    return { status: fault.status, body: told, ...(headers ? { headers } : {}) };
  }

  function connect(request: IncomingMessage, pathname: string, bytes: Buffer): Answer {
    const method = request.method ?? 'GET';
    const path = decodeURIComponent(pathname.slice('/teams'.length));
    const token = String(request.headers.authorization ?? '').replace(/^Bearer /, '');
    const tenant = tenants.get(tokens.get(token) ?? '');
    const body = bytes.length > 0 ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>) : {};
    const run = () => (tenant ? connectorRoutes(tenant, method, path, body, bytes.length) : null);
    const fault = takeFault(`${isTypingIndicator(bytes) ? 'SIGN' : method} ${path}`, run);
    if (fault) return fault;
    calls.push({ method, path, tenant: tenant?.id ?? null, body });
    if (!tenant) return { status: 401, body: { error: { code: 'Unauthorized' } } };
    return connectorRoutes(tenant, method, path, body, bytes.length);
  }

  function serveFile(pathname: string, response: ServerResponse) {
    const [, , tenantId = '', name = ''] = pathname.split('/');
    const fault = takeFault(`GET ${pathname}`, () => undefined);
    if (fault) return response.writeHead(fault.status, fault.headers).end();
    if (name === 'moved') return response.writeHead(302, { location: `${url}/openid` }).end();
    // One host announces a body that is too large and never sends it; another sends nothing and never ends.
    if (name === 'stalled') return response.writeHead(200, { 'content-length': '10485761' }).flushHeaders();
    if (name === 'endless') return Readable.from(endless()).pipe(response);
    const bytes = tenants.get(tenantId)?.files.get(name);
    if (!bytes) return response.writeHead(404).end();
    return response.end(bytes);
  }

  /**
   * An upload in ranges. While it is open its address tells where to continue; once complete, the address no longer
   * works.
   */
  function upload(pathname: string, request: IncomingMessage, bytes: Buffer): Answer {
    const [, , tenantId = '', name = ''] = pathname.split('/');
    const tenant = tenants.get(tenantId);
    const method = request.method ?? '';
    calls.push({ method, path: pathname, tenant: tenantId, body: {} });
    if (!tenant) return { status: 404 };
    const run = () => takeRange(tenant, name, request, bytes);
    const fault = takeFault(`${method} ${pathname}`, run);
    if (fault) return fault;
    if (name.startsWith('moved-'))
      return { status: 307, headers: { location: `${url}/upload/${tenantId}/${name.slice('moved-'.length)}` } };
    const have = tenant.uploads.get(name);
    const whole = have !== undefined && have.bytes.length === have.total;
    // If the name is taken, all bytes are kept but no file is created: the upload stays open with nothing missing.
    if (whole && !name.startsWith('taken-')) return { status: 404 };
    const nextExpectedRanges = whole ? [] : [`${have?.bytes.length ?? 0}-`];
    if (method === 'GET') return { status: 200, body: { nextExpectedRanges } };
    return method === 'PUT' ? run() : { status: 405 };
  }

  /** Takes one range of an upload: in order, without gaps, and each but the last a multiple of 320 KiB. */
  function takeRange(tenant: Tenant, name: string, request: IncomingMessage, bytes: Buffer): Answer {
    const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? [];
    if (!total) return { status: 400 };
    const have = tenant.uploads.get(name)?.bytes ?? Buffer.alloc(0);
    const fits = Number(from) === have.length && Number(to) - Number(from) + 1 === bytes.length;
    const last = Number(to) + 1 === Number(total);
    if (!fits || (!last && bytes.length % (320 * 1024) !== 0)) return { status: 416 };
    tenant.uploads.set(name, { bytes: Buffer.concat([have, bytes]), total: Number(total) });
    if (last && name.startsWith('taken-')) return { status: 409, body: { error: { code: 'nameAlreadyExists' } } };
    return { status: last ? 201 : 202, body: {} };
  }

  return {
    url,
    /** The server's address as activities name it. */
    serviceUrl: `${url}/teams/`,
    keys,
    calls,
    tenants,
    /** Adds a tenant with its app. Pass the deployment's `appId` to use the deployment's own registration. */
    addTenant({ id = randomUUID(), appId = randomUUID(), secret = 'shh' }: Partial<Tenant> = {}): Tenant {
      const tenant: Tenant = {
        id,
        appId,
        secret,
        users: new Map(),
        conversations: new Map(),
        posts: new Map(),
        typing: [],
        files: new Map(),
        uploads: new Map(),
        streams: true,
        endStreams: null,
      };
      tenants.set(id, tenant);
      return tenant;
    },
    /** Makes calls fail this many times, by method and path, optionally with the platform's error code. */
    fail: (match: RegExp, status: number, times: number, retryAfter?: number, code?: string) =>
      faults.push({ match, status, left: times, ...(retryAfter ? { retryAfter } : {}), ...(code ? { code } : {}) }),
    /** Lets one such call succeed, and makes the next one fail. */
    failSecond: (match: RegExp, status: number) => faults.push({ match, status, left: 1, skip: 1 }),
    /** Lets the next such call take effect, but answers as if the server were down. */
    loseAnswer: (match: RegExp) => faults.push({ match, status: 503, left: 1, taken: true }),
    /** Accepts this many such calls without ever answering them, by method and path. */
    silence: (match: RegExp, times: number) => silent.push({ match, left: times }),
    recover: () => {
      faults = [];
      silent = [];
    },
    callsOf: (match: RegExp) => calls.filter(({ method, path }) => match.test(`${method} ${path}`)),
    /** Invalidates every issued token: they are refused from now on. */
    revokeTokens: () => tokens.clear(),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
export type FakeTeams = Awaited<ReturnType<typeof startTeams>>;

/** Adds a person to a tenant's directory. */
export function addUser(tenant: Tenant, name: string, email: string, more: Partial<TeamsUser> = {}): TeamsUser {
  const user: TeamsUser = {
    id: `29:${tenant.users.size + 1}-${tenant.id.slice(0, 8)}`,
    aadObjectId: randomUUID(),
    name,
    email,
    userPrincipalName: email,
    userRole: 'user',
    tenantId: tenant.id,
    ...more,
  };
  tenant.users.set(user.id, user);
  return user;
}

/** Adds the app to a conversation with these members. */
export function addConversation(
  tenant: Tenant,
  type: Conversation['type'],
  members: TeamsUser[],
  id = type === 'personal' ? `a:${randomUUID()}` : `19:${randomUUID()}@thread.${type === 'channel' ? 'tacv2' : 'v2'}`,
): Conversation {
  const conversation: Conversation = {
    id,
    type,
    teamId: type === 'channel' ? `19:team-${randomUUID()}@thread.tacv2` : null,
    members: new Set(members.map((user) => user.id)),
    installed: true,
  };
  tenant.conversations.set(id, conversation);
  return conversation;
}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024, 'a');
}

/**
 * Whether a call only shows a typing indicator. How many of them a run sends depends on the speed of the machine, so
 * failures and missing answers apply to other calls only.
 */
const isTypingIndicator = (bytes: Buffer): boolean =>
  bytes.includes('"type":"typing"') && !bytes.includes('streaminfo');

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
