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
 * Microsoft Teams over real HTTP, as far as Arc uses it: the metadata and keys with which its calls are signed, a login
 * that gives tokens for known secrets only, the connector with roster, cards, streams and their limits, files down and
 * up in ranges; slow-downs and outages on demand. What it was told stays readable.
 */
export async function startTeams() {
  const tenants = new Map<string, Tenant>();
  const tokens = new Map<string, string>();
  const calls: Call[] = [];
  let faults: Fault[] = [];
  /** Calls that are accepted and never answered. */
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
    const call = `${isSign(bytes) ? 'SIGN' : request.method} ${decodeURIComponent(pathname)}`;
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

  /** What a call is answered instead, where it was made to fail; done all the same where only its answer is lost. */
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
    const fault = takeFault(`${isSign(bytes) ? 'SIGN' : method} ${path}`, run);
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
    // A host that says that it is too much and never sends it, and one that says nothing and never ends.
    if (name === 'stalled') return response.writeHead(200, { 'content-length': '10485761' }).flushHeaders();
    if (name === 'endless') return Readable.from(endless()).pipe(response);
    const bytes = tenants.get(tenantId)?.files.get(name);
    if (!bytes) return response.writeHead(404).end();
    return response.end(bytes);
  }

  /** An upload: where it goes on is told while it is open; once it is whole its address is of no more use. */
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
    // Where the name is taken all bytes are kept, and no file is made of them: the upload stays open and lacks nothing.
    if (whole && !name.startsWith('taken-')) return { status: 404 };
    const nextExpectedRanges = whole ? [] : [`${have?.bytes.length ?? 0}-`];
    if (method === 'GET') return { status: 200, body: { nextExpectedRanges } };
    return method === 'PUT' ? run() : { status: 405 };
  }

  /** A range of an upload: in order, without holes, each but the last a multiple of 320 KiB. */
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
    /** As activities name it. */
    serviceUrl: `${url}/teams/`,
    keys,
    calls,
    tenants,
    /** A tenant with its app; the app's registration is the deployment's where none is given. */
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
    /** Makes calls fail so many times, by method and path; with the platform's code, where it gives one. */
    fail: (match: RegExp, status: number, times: number, retryAfter?: number, code?: string) =>
      faults.push({ match, status, left: times, ...(retryAfter ? { retryAfter } : {}), ...(code ? { code } : {}) }),
    /** Takes one such call, and fails the next. */
    failSecond: (match: RegExp, status: number) => faults.push({ match, status, left: 1, skip: 1 }),
    /** Takes the next such call, and answers as if it were away. */
    loseAnswer: (match: RegExp) => faults.push({ match, status: 503, left: 1, taken: true }),
    /** Accepts so many such calls and answers none of them, by method and path. */
    silence: (match: RegExp, times: number) => silent.push({ match, left: times }),
    recover: () => {
      faults = [];
      silent = [];
    },
    callsOf: (match: RegExp) => calls.filter(({ method, path }) => match.test(`${method} ${path}`)),
    /** Forgets every token that was given: they are refused from now on. */
    revokeTokens: () => tokens.clear(),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
export type FakeTeams = Awaited<ReturnType<typeof startTeams>>;

/** Puts someone into a tenant's directory. */
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

/** Puts the app into a conversation, with its members. */
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
 * Whether a call only shows that somebody types. It comes where a machine is slow: what is made to fail or to stay
 * unanswered is meant for other calls.
 */
const isSign = (bytes: Buffer): boolean => bytes.includes('"type":"typing"') && !bytes.includes('streaminfo');

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
