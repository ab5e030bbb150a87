import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bound } from '../../api/middleware/bind.ts';
import { AccessToken } from '../../models/accessToken.ts';
import { TOKEN_SCOPE_NAMES, type TokenScope } from '../../models/contracts/tokenScopes.ts';
import { makeAccessToken, programWith } from '../factories/accessToken.ts';
import { type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

/** What an access token may call beside its own calls, by scope. Everything that is not here is refused. */
const CALLS: Partial<Record<TokenScope, string[]>> = {
  'analyses:read': [
    'get /api/hazard-analyses',
    'get /api/hazard-analysis/:id',
    'get /api/hazard-analysis/:id/comparison',
    'get /api/hazard-analysis/:id/hazard-history',
    'get /api/hazard-analysis/:id/evidence',
    'get /api/hazard-analysis/:id/evidence.pdf',
    'get /api/hazard-analysis/:id/evidence.xlsx',
    'get /api/hazard-analysis/:id/findings',
    'get /api/hazard-analysis/:id/tickets',
    'get /api/hazard-analysis/:id/tickets.csv',
    'get /api/hazard-analysis/latest/:userId',
    'get /api/clinical-safety-agent/:id/safety-case-reports',
    'get /api/download/:fileName',
  ],
  'analyses:run': ['post /api/arc-chat/upload-hazard-log', 'post /api/clinical-safety-agent/:id/analyze-hazard-log'],
  'documents:read': ['get /api/documents', 'get /api/download/:fileName'],
  'documents:add': ['post /api/documents'],
  'audit:read': ['get /api/audit', 'get /api/audit/verify'],
  'usage:read': [
    'get /api/billing',
    'get /api/billing/use',
    'get /api/billing/use.csv',
    'get /api/user/tokens/balance',
  ],
};

let server: Server;
let owner: Person & { agent: { id: number } };
beforeAll(async () => {
  server = await startServer();
  owner = await signUpReady(server);
});
afterAll(() => server.stop());

const programOf = async (scopes?: readonly TokenScope[], person: Person = owner) =>
  programWith(server.url, (await makeAccessToken(person, scopes)).secret);
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Program = Awaited<ReturnType<typeof programOf>>;
const ask = (program: Program, call: string) => {
  const [method = 'get', path = ''] = call.split(' ');
  return program[method as Method](path.replace(/:\w+/g, '1')).send(method === 'get' ? undefined : {});
};

test('the calls that a token may make are exactly these', () => {
  const allowed: Partial<Record<TokenScope, string[]>> = {};
  for (const [name, { policy, scopes = [] }] of bound)
    if (policy !== 'token') for (const scope of scopes) allowed[scope] = [...(allowed[scope] ?? []), name];
  const sorted = (table: typeof CALLS) =>
    Object.fromEntries(Object.entries(table).map(([scope, calls]) => [scope, [...calls].sort()]));
  expect(sorted(allowed)).toEqual(sorted(CALLS));
  const risky = [...bound.values()].filter(({ scopes, policy }) => scopes && ['public', 'admin'].includes(policy));
  expect(risky).toEqual([]);
});

test('on every other call a token with all scopes is nobody', async () => {
  const program = await programOf();
  const listed = new Set(Object.values(CALLS).flat());
  const others = [...bound].filter(([name, { policy }]) => !listed.has(name) && !['token', 'public'].includes(policy));
  expect(others.length).toBeGreaterThan(80);
  for (const [name] of others)
    expect({ name, status: (await ask(program, name)).status }).toEqual({ name, status: 401 });
});

describe('a token', () => {
  test('needs the scope of the call', async () => {
    for (const [scope, calls] of Object.entries(CALLS)) {
      const without = await programOf(TOKEN_SCOPE_NAMES.filter((one) => one !== scope && one !== 'analyses:read'));
      const own = calls.filter((call) => Object.values(CALLS).filter((all) => all.includes(call)).length === 1);
      for (const call of own) {
        const { status, body } = await ask(without, call);
        expect([call, status, body.code]).toEqual([call, 403, 'scope_missing']);
        expect(body.error).toContain(scope);
      }
    }
  });

  test('reads what its company sees, and nothing of another', async () => {
    const other = await signUp(server);
    const [mine, theirs] = [await programOf(), await programOf(undefined, other)];
    const added = await mine.post('/api/documents').attach('document', Buffer.from('# Plan\n'), 'Plan.md').expect(201);
    expect(added.body.document.name).toBe('Plan.md');
    const names = async (program: Program) =>
      (await program.get('/api/documents').expect(200)).body.documents.map(({ name }: { name: string }) => name);
    expect([await names(mine), await names(theirs)]).toEqual([['Plan.md'], []]);
    await mine.get('/api/download/Plan.md').expect(200);
    await theirs.get('/api/download/Plan.md').expect(404);
    // A document is neither an analysis nor its result.
    for (const [scope, status] of [
      ['documents:read', 200],
      ['analyses:read', 404],
    ] as const)
      expect([scope, (await (await programOf([scope])).get('/api/download/Plan.md')).status]).toEqual([scope, status]);
    expect((await mine.get('/api/audit?search=token').expect(200)).body.events.length).toBeGreaterThan(0);
    expect((await mine.get('/api/billing').expect(200)).body.plan).toBe('trial');
    const run = `/api/clinical-safety-agent/${owner.agent.id}/analyze-hazard-log`;
    expect((await theirs.post(run).send({})).status).toBe(404);
  });

  test('stands for itself beside a session, and not for a page of another site', async () => {
    const { secret } = await makeAccessToken(owner, ['usage:read']);
    const other = await signUp(server);
    const beside = (path: string) => other.browser.get(path).set('Authorization', `Bearer ${secret}`);
    expect((await beside('/api/billing')).status).toBe(200);
    expect((await beside('/api/audit')).status).toBe(403);
    expect((await beside('/api/preferences')).status).toBe(401);
    const crossed = await programWith(server.url, secret)
      .get('/api/billing')
      .set('Origin', 'https://elsewhere.example');
    expect([crossed.status, crossed.body.code]).toEqual([403, 'cross_site']);
  });

  test('ends with its revocation and its time', async () => {
    const { id, secret } = await makeAccessToken(owner, ['usage:read']);
    const statusOf = async () => (await programWith(server.url, secret).get('/api/billing')).status;
    expect(await statusOf()).toBe(200);
    await AccessToken.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await statusOf()).toBe(401);
    await AccessToken.updateOne({ _id: id }, { $set: { expiresAt: null, lastUsedAt: null } });
    expect(await statusOf()).toBe(200);
    await owner.browser.delete(`/api/access-tokens/${id}`).expect(200);
    expect(await statusOf()).toBe(401);
  });
});
