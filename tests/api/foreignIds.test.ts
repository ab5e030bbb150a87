import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { z } from 'zod';
import { bound } from '../../api/middleware/bind.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import { type Id, NAMES_NOTHING, NAMES_NOTHING_HERE, PLACES, type Place } from '../factories/namedThings.ts';
import type { Person } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { VALID_PARTS, VALID_QUERY } from '../factories/validParts.ts';
import { makeWholeCompany, type Things, type WholeCompany } from '../factories/wholeCompany.ts';

type Listed = { call: string; place: Place; endpoint: Endpoint };
const listed = (): Listed[] =>
  Object.entries(PLACES).flatMap(([call, places]) =>
    places.map((place) => ({ call, place, endpoint: bound.get(call) as Endpoint })),
  );

const keysOf = (shape: z.ZodType) => Object.keys((shape as z.ZodObject).shape ?? {});

test('every part of every call that can name something is listed', () => {
  const unlisted: string[] = [];
  for (const [call, endpoint] of bound)
    for (const where of ['params', 'query', 'body'] as const) {
      const known = new Set(NAMES_NOTHING[where].split(' '));
      for (const { in: at, name } of PLACES[call] ?? []) if (at === where) known.add(name);
      for (const key of keysOf(endpoint[where])) if (!known.has(key)) unlisted.push(`${call}: ${where}.${key}`);
    }
  expect(unlisted.sort()).toEqual(NAMES_NOTHING_HERE.sort());
  expect(Object.keys(PLACES).filter((call) => !bound.has(call))).toEqual([]);
});

let server: Server;
let mine: WholeCompany;
let theirs: WholeCompany;
beforeAll(async () => {
  server = await startServer();
  mine = await makeWholeCompany(server, 'Adlestrop');
  theirs = await makeWholeCompany(server, 'Bexleyheath');
}, 60_000);
afterAll(() => server.stop());

/** Something of the same form that nobody has. */
const ofNobody = (given: Id): Id =>
  typeof given === 'number' ? 987_654_321 : /^[0-9a-f]+$/.test(given) ? 'f'.repeat(given.length) : 'Of nobody.md';

/** What a call needs beside ids, where it is not a part that several share. */
const REST: Record<string, object> = {
  'put /api/interrupts/:id/assignee': { userId: null },
  'put /api/interrupts/:id/snooze': { pause: null },
  'post /api/arc-chat/ask-again': {
    agentId: 'clinical_safety',
    query: { entity: 'hazards', where: null, onlyCount: true },
  },
  'post /api/shared-links': { agentId: 'clinical_safety', expiresInDays: 30 },
  'post /api/tool-servers': { name: 'Mine', url: 'https://10.0.0.1/mcp', secret: null, isInUk: true },
  'post /api/admin/plan': { plan: 'pro' },
  'post /api/admin/add-tokens': { tokensToAdd: 1 },
  'post /api/admin/failures/retry': { kind: 'run' },
  'post /api/admin/failures/drop': { kind: 'run' },
  'post /api/professionaliser/:userAgentId/process': { objective: 'x'.repeat(200) },
  'post /api/mdr/technical-file/:userAgentId': { request: 'Draft the technical file' },
};

type Caller = { browser: Person['browser']; program: Things['program']; things: Things };
type Answer = { status: number; text: string };

/** Makes a call with ids of the caller's own, except for one. */
async function send({ call, place, endpoint }: Listed, by: Caller, named: Id): Promise<Answer> {
  const values: Record<Place['in'], Record<string, unknown>> = { params: {}, query: {}, body: {}, form: {} };
  if (endpoint.method === 'get') {
    const known = keysOf(endpoint.query);
    values.query = Object.fromEntries(Object.entries(VALID_QUERY).filter(([name]) => known.includes(name)));
    if (known.includes('agentId')) values.query.agentId = 'clinical_safety';
  } else values.body = { ...VALID_PARTS, ...REST[call] };
  for (const one of PLACES[call] ?? []) {
    // An alternative to the one under test, or a part that changes what is asked for.
    if (one !== place && one.in !== 'params') continue;
    const given = one === place ? named : one.of(by.things);
    values[one.in][one.name] = one.as ? one.as(given) : given;
  }
  const path = endpoint.path
    .replace(':channel', 'slack')
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values.params[name] ?? 'find')));
  const caller = endpoint.policy === 'token' ? by.program : by.browser;
  const request = caller[endpoint.method](path).query(values.query);
  const sent =
    place.in === 'form'
      ? request
          .field(values.form as Record<string, string>)
          .attach('hazardLogFile', Buffer.from('Id,Name\n1,a\n'), 'a.csv')
      : request.send(endpoint.method === 'get' ? undefined : values.body);
  const { status, text, body } = await sent.buffer(true);
  return { status, text: text ?? (Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body)) };
}

const asOwner = ({ owner, things }: WholeCompany): Caller => ({
  browser: owner.browser,
  program: things.program,
  things,
});
/** Without the id itself, and what differs between any two answers. */
const bare = ({ status, text }: Answer, named: Id) => `${status} ${text.replaceAll(String(named), '·')}`;

/** Every row of a company, as it is stored. */
async function rowsOf({ things }: WholeCompany): Promise<Record<string, string>> {
  const { db } = mongoose.connection;
  const rows: Record<string, string> = {};
  for (const { name } of (await db?.listCollections().toArray()) ?? []) {
    const found = await db?.collection(name).find({ accountId: things.account }).toArray();
    if (found?.length) rows[name] = JSON.stringify(found);
  }
  const users = [things.user, things.colleague];
  rows.itself = JSON.stringify(
    await db
      ?.collection('accounts')
      .find({ _id: things.account as never })
      .toArray(),
  );
  rows.people = JSON.stringify(
    await db
      ?.collection('users')
      .find({ _id: { $in: users as never[] } })
      .toArray(),
  );
  return rows;
}

/** Whether a caller is answered alike about a thing that exists and about one that nobody has. */
async function compare(it: Listed, by: Caller, named: Id) {
  const [given, nobody] = [await send(it, by, named), await send(it, by, ofNobody(named))];
  return { given, isAlike: bare(given, named) === bare(nobody, ofNobody(named)) };
}

/** Tries every listed place as somebody to whom the things of a company do not exist. */
async function expectNothingFound(places: readonly Listed[], by: Caller, of: WholeCompany) {
  const before = await rowsOf(of);
  const found: string[] = [];
  for (const it of places) {
    const { given, isAlike } = await compare(it, by, it.place.of(of.things));
    const isRight = isAlike && given.status === (it.place.status ?? 404) && !given.text.includes(of.name);
    if (!isRight) found.push(`${it.call}, ${it.place.name}: ${given.status} ${given.text.slice(0, 200)}`);
  }
  expect(found).toEqual([]);
  expect(await rowsOf(of)).toEqual(before);
}

/** @shows call-3 */
test('what another company has is answered like what nobody has, and does not change', async () => {
  await expectNothingFound(listed(), asOwner(mine), theirs);
}, 60_000);

test('what is one person’s own is nobody’s to a colleague', async () => {
  const { colleague, things } = theirs;
  const own = listed().filter(({ place }) => place.isPersonal);
  expect(own.length).toBeGreaterThan(8);
  await expectNothingFound(own, { ...asOwner(theirs), browser: colleague.browser, things }, theirs);
}, 60_000);

/** Files that take long to write; what they are of is named by other calls too. */
const IS_SLOW = /\.(csv|xlsx|pdf|zip)$/;
/** Whoever is appointed as officer takes rights from the owner, and what is deleted can't be named again. */
const ORDER = ['get', 'patch', 'put', 'post', 'delete'];

test('what the company has itself is answered otherwise', async () => {
  const places = listed().filter(
    ({ place, endpoint }) => !place.isAlikeForAll && !endpoint.startsWork && !IS_SLOW.test(endpoint.path),
  );
  const missing: string[] = [];
  for (const it of places.sort((a, b) => ORDER.indexOf(a.endpoint.method) - ORDER.indexOf(b.endpoint.method))) {
    const { given, isAlike } = await compare(it, asOwner(theirs), it.place.of(theirs.things));
    if (isAlike) missing.push(`${it.call}, ${it.place.name}: ${given.status} ${given.text.slice(0, 200)}`);
  }
  expect(missing).toEqual([]);
}, 60_000);

test('a member who was removed is nobody to every call', async () => {
  const { owner, colleague, things } = mine;
  await colleague.browser.get('/api/arc-chat/history').expect(200);
  await owner.browser.delete('/api/account/members').send({ userId: things.colleague }).expect(200);
  const closed = [...bound.values()].filter(({ policy }) => policy !== 'public' && policy !== 'token');
  const let_in: string[] = [];
  for (const { method, path } of closed) {
    const { status } = await colleague.browser[method](path.replace(/:\w+/g, '1'));
    if (status !== 401) let_in.push(`${method} ${path}: ${status}`);
  }
  expect(let_in).toEqual([]);
}, 60_000);
