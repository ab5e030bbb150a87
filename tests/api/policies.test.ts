import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Express } from 'express';
import { createApp } from '../../api/app.ts';
import { bound } from '../../api/middleware/bind.ts';
import { agents } from '../../bot/agents/index.ts';
import { channels } from '../../bot/channels/index.ts';
import { registerAgents } from '../../bot/engine/agents/registry.ts';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Calls that are intentionally public; all others need an identified caller. */
const PUBLIC = [
  'get /api/account/invitations/:token',
  'get /api/auth/status',
  'get /api/oauth/:provider/auth',
  'get /api/oauth/:provider/auth/callback',
  'post /api/account/invitations/accept',
  'post /api/auth/reset-password',
  'post /api/auth/send-reset',
  'post /api/auth/send-signup-confirmation',
  'post /api/auth/verify-signup-confirmation',
  'post /api/billing/webhook',
  'post /api/collaborate',
  'post /api/hazard-analysis/sample',
  'post /api/login',
  'post /api/logout',
  'post /api/mail/bounces',
  'post /api/shared-links/open',
  'post /api/teams/tab-token',
  'post /unsubscribe/:token',
];
/** Routes without a contract: pages, and monitoring of the process. */
const PLAIN = ['get /api/docs', 'get /api/docs.json', 'get /healthz', 'get /metrics', 'get /readyz'];
/** Its calls are tools of the Model Context Protocol, behind an access token (tests/api/mcp.test.ts). */
const MCP = ['post /mcp', 'get /mcp', 'delete /mcp'];

type Layer = { route?: { path: string; methods: Record<string, boolean> }; handle?: { stack?: Layer[] } };

/** Every route that express knows, at any depth. */
function routesOf(layers: Layer[]): string[] {
  return layers.flatMap((layer) => {
    if (!layer.route) return routesOf(layer.handle?.stack ?? []);
    const { path, methods } = layer.route;
    return Object.keys(methods).map((method) => `${method} ${path}`);
  });
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('the routes', () => {
  test('known to express are the ones bound by contracts', () => {
    let calls: Layer[] = [];
    registerAgents(agents);
    const app = createApp({ session: (_request, _response, next) => next(), channels }) as Express & {
      router: { stack: Layer[] };
    };
    calls = app.router.stack;
    const known = new Set(bound.keys());
    const unknown = routesOf(calls).filter((route) => !known.has(route) && ![...PLAIN, ...MCP].includes(route));
    expect(unknown).toEqual([]);
    expect(known.size).toBeGreaterThan(20);
  });

  test('that are public are exactly these', () => {
    const open = new Set([...bound.values()].filter(({ policy }) => policy === 'public').map(nameOf));
    expect([...open].sort()).toEqual(PUBLIC);
  });

  test('that read change nothing', () => {
    const reading = [...bound.values()].filter(({ method }) => method === 'get').map(({ path }) => path);
    expect(reading.filter((path) => /\b(toggle|send|cancel|create|resolve|hire|onboard|update)\b/.test(path))).toEqual(
      [],
    );
  });

  /** @shows S1-6.1, call-1 */
  test('that are not public refuse signed-out callers', async () => {
    const closed = [...bound.values()].filter(({ policy }) => policy !== 'public');
    for (const { method, path, policy } of closed) {
      const answer = await server
        .browser()
        [method](path.replace(/:\w+/g, '1'))
        .send(method === 'get' ? undefined : {});
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 401,
        code: policy === 'token' ? 'bad_token' : 'not_signed_in',
      });
    }
  });
});

test('all calls are described in OpenAPI', async () => {
  const { body } = await server.browser().get('/api/docs.json').expect(200);
  const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.sort()).toEqual([...bound.keys()].sort());
  expect((await server.browser().get('/api/docs').expect(200)).text).toContain('/api/interrupts/{id}/resolve');
});

test('a route that does not exist is 404 in the registry’s words', async () => {
  const { browser } = await signUp(server);
  const { body, status } = await browser.get('/api/nothing');
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
});

test('the process reports that it is alive and ready', async () => {
  await server.browser().get('/healthz').expect(200, { status: 'ok' });
  await server.browser().get('/readyz').expect(200, { status: 'ready' });
});

test('the figures of the process are open to this host, or with the token', async () => {
  const { browser } = server;
  expect((await browser().get('/metrics').expect(200)).text).toContain('process_cpu_seconds_total');
  // A proxy on this host connects from here, and forwards the client's address.
  for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via'])
    await browser().get('/metrics').set(name, '203.0.113.9').expect(404);
  // No token is set on this server, and an empty one does not count.
  const outside = () => browser().get('/metrics').set('X-Forwarded-For', '203.0.113.9');
  await outside().set('Authorization', 'Bearer ').expect(404);
  await outside().set('Authorization', '').expect(404);
});
