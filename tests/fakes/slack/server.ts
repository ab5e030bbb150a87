import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Arguments, METHODS, type Workspace } from './methods.ts';
import { serveSockets } from './socketMode.ts';

export type Call = { method: string; token: string; team: string | null; body: Arguments };
type Fault = { status: number; retryAfter?: number; left: number; error?: string; after?: number };

/**
 * Slack over real HTTP, as far as Arc uses it: web methods with form arguments (structured ones as JSON), token checks,
 * file download and upload, an authorize page, and rate limits and outages on demand. Every call is recorded.
 */
export async function startSlack() {
  const workspaces = new Map<string, Workspace>();
  const calls: Call[] = [];
  const faults = new Map<string, Fault>();
  const revoked = new Set<string>();
  let held: { over: Promise<void>; next?: string } | null = null;
  let letGo = () => {};
  let waiting = 0;

  const workspaceOf = (token: string) => [...workspaces.values()].find((one) => one.tokens.has(token)) ?? null;

  async function answerMethod(method: string, request: IncomingMessage, response: ServerResponse) {
    const body = await readArguments(request);
    const token = String(request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (held && (!held.next || held.next === method)) {
      const { over, next } = held;
      if (next) held = null;
      waiting += 1;
      await over;
      waiting -= 1;
    }
    const fault = faults.get(method) ?? faults.get('*');
    if (fault?.after) fault.after -= 1;
    else if (fault && fault.left > 0) {
      fault.left -= 1;
      response.writeHead(fault.status, fault.retryAfter ? { 'Retry-After': String(fault.retryAfter) } : {});
      return response.end(
        JSON.stringify({ ok: false, error: fault.error ?? (fault.status === 429 ? 'ratelimited' : 'internal_error') }),
      );
    }
    const workspace = workspaceOf(token);
    calls.push({ method, token, team: workspace?.team ?? null, body });
    const send = (value: object) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (method === 'apps.connections.open') {
      return send(
        token.startsWith('xapp-')
          ? { ok: true, url: `${url.replace('http', 'ws')}/socket` }
          : { ok: false, error: 'invalid_auth' },
      );
    }
    const run = METHODS[method];
    if (!run) return send({ ok: false, error: 'unknown_method' });
    if (!workspace && !method.startsWith('oauth.'))
      return send({ ok: false, error: revoked.has(token) ? 'token_revoked' : token ? 'invalid_auth' : 'not_authed' });
    return send(run({ workspace: workspace as Workspace, workspaces, revoked, token, body, url }));
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://slack.local');
    try {
      if (pathname.startsWith('/api/')) return await answerMethod(pathname.slice(5), request, response);
      if (pathname === '/oauth/v2/authorize') {
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('state', searchParams.get('state') ?? '');
        back.searchParams.set('code', `code-${[...workspaces.keys()].at(-1)}`);
        response.writeHead(302, { location: back.href });
        return response.end();
      }
      if (pathname.startsWith('/files/')) return serveFile(pathname, request, response);
      if (pathname.startsWith('/upload/')) {
        const bytes = await readUpload(request);
        for (const one of workspaces.values()) one.uploads.set(pathname.slice(8), bytes);
        return response.end('OK');
      }
      if (pathname.startsWith('/response/')) {
        const body = JSON.parse((await readBytes(request)).toString('utf8')) as Arguments;
        calls.push({ method: 'response_url', token: '', team: pathname.slice('/response/'.length), body });
        return response.end('ok');
      }
      response.writeHead(404).end();
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });

  function serveFile(pathname: string, request: IncomingMessage, response: ServerResponse) {
    const workspace = workspaceOf(String(request.headers.authorization ?? '').replace(/^Bearer /, ''));
    const file = workspace?.files.get(pathname.slice(7));
    if (file?.leadsTo) return response.writeHead(302, { location: file.leadsTo }).end();
    // Slack answers with its sign-in page if the caller may not have the file.
    if (!file || file.hidden)
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    return response.end(file.bytes);
  }

  const sockets = serveSockets(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    apiUrl: `${url}/api/`,
    calls,
    sockets,
    /** Adds a workspace with a bot token and its people. */
    addWorkspace(team: string, name = `Workspace ${team}`): Workspace {
      const workspace: Workspace = {
        team,
        name,
        tokens: new Set([`xoxb-${team}`]),
        refreshTokens: new Set(),
        users: new Map(),
        messages: new Map(),
        absentFrom: new Set(),
        views: [],
        homes: new Map(),
        titles: new Map(),
        files: new Map(),
        uploads: new Map(),
        shared: [],
      };
      workspaces.set(team, workspace);
      return workspace;
    },
    /** Makes a method, or all methods (`*`), fail this many times. */
    fail: (method: string, status: number, times: number, retryAfter?: number) =>
      faults.set(method, { status, left: times, ...(retryAfter ? { retryAfter } : {}) }),
    /** Makes a method fail once, after this many successful calls. */
    failAfter: (method: string, after: number) => faults.set(method, { status: 500, left: 1, after }),
    /** Makes a method answer with a Slack error code, which has status 200. */
    refuse: (method: string, error: string, times = 1) => faults.set(method, { status: 200, left: times, error }),
    /** Makes the authorize page redirect with this workspace's code. */
    last(workspace: Workspace) {
      workspaces.delete(workspace.team);
      workspaces.set(workspace.team, workspace);
    },
    /** Ends every fault, and answers delayed calls. */
    recover() {
      faults.clear();
      letGo();
    },
    /** Revokes a workspace's tokens without notifying the app. */
    revoke(workspace: Workspace) {
      for (const token of workspace.tokens) revoked.add(token);
      workspace.tokens.clear();
    },
    /**
     * Delays every answer until released; only the next call of a method, if one is given.
     * @returns a function that releases them
     */
    hold(next?: string): () => void {
      const over = new Promise<void>((resolve) => {
        letGo = () => {
          held = null;
          resolve();
        };
      });
      held = { over, ...(next ? { next } : {}) };
      return letGo;
    },
    /** Number of delayed calls. */
    waiting: () => waiting,
    /** The calls of a method; only those of one workspace, if one is given. */
    callsOf: (method: string, workspace?: Pick<Workspace, 'team'>) =>
      calls.filter((call) => call.method === method && (!workspace || call.team === workspace.team)),
    stop: () =>
      new Promise<void>((resolve) => {
        sockets.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
export type FakeSlack = Awaited<ReturnType<typeof startSlack>>;

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The uploaded bytes: the body, or the one file of a form. */
async function readUpload(request: IncomingMessage): Promise<Buffer> {
  const bytes = await readBytes(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return bytes;
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((value) => typeof value !== 'string');
  if (!file) throw new Error('The form holds no file.');
  return Buffer.from(await file.arrayBuffer());
}

/** Reads arguments as Slack takes them: a form whose structured fields are JSON text. */
async function readArguments(request: IncomingMessage): Promise<Arguments> {
  const text = (await readBytes(request)).toString('utf8');
  if (request.headers['content-type']?.includes('application/json')) return JSON.parse(text) as Arguments;
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [name, /^[[{]/.test(value) ? tryJson(value) : value]),
  );
}

function tryJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
