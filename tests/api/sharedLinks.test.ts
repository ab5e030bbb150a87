import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listLinks, makeLink, openLink, revokeLink } from '../../bot/engine/sharing/sharedLinks.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import { evidence } from '../../models/contracts/clinical_safety/evidence.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { StoredFile } from '../../models/file.ts';
import { Member } from '../../models/member.ts';
import { SharedLink } from '../../models/sharedLink.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { makeHazard, makeResult } from '../factories/analysisResult.ts';
import { keepAnalysis } from '../factories/keptAnalysis.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { codeOf, makeWho } from '../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

let owner: Person;
let accountId: number;
let resultId: number;
beforeEach(async () => {
  owner = await signUp(server);
  ({ accountId } = owner.user);
  resultId = await keepAnalysis(accountId, makeResult({ hazards: [makeHazard({ id: 'H-shared' })] }));
});

const of = (id = resultId) => ({ agentId: 'clinical_safety', resultId: id });
const make = (by = owner, body: object = {}) =>
  by.browser.post('/api/shared-links').send({ ...of(), expiresInDays: 30, ...body });
const list = async (by = owner) => (await by.browser.get('/api/shared-links').query(of()).expect(200)).body.links;
const open = (secret: string) => server.browser().post('/api/shared-links/open').send({ secret });
const made = async (): Promise<{ id: string; secret: string }> => {
  const { body } = await make().expect(201);
  return { id: body.link.id, secret: body.secret };
};
const eventsOf = (id: string) =>
  runInAccount(accountId, () =>
    AuditEvent.find({ subject: `link:${id}` })
      .sort({ seq: 1 })
      .lean(),
  );

describe('a link to a result', () => {
  test('keeps the limit of a company when several are made at once', async () => {
    await Promise.all(Array.from({ length: LIMITS.sharedLinks.count - 1 }, () => make()));
    const answers = await Promise.all(Array.from({ length: 4 }, () => make()));
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
    expect((await list()).length).toBeLessThanOrEqual(LIMITS.sharedLinks.count);
  });

  /** @shows GET /api/shared-links, POST /api/shared-links */
  test('is shown once, kept as a hash, and listed without its secret', async () => {
    const { body } = await make().expect(201);
    expect(body.secret).toMatch(/^[\w-]{43}$/);
    expect(Date.parse(body.link.expiresAt) - Date.parse(body.link.createdAt)).toBe(30 * 86_400_000);
    expect(await list()).toEqual([body.link]);
    expect(body.link).toMatchObject({ madeBy: 'Ada Okafor', lastOpenedAt: null, openings: 0 });
    const row = await SharedLink.findOne({ _id: body.link.id, accountId }).lean();
    expect(row?.secretHash).toBe(createHash('sha256').update(body.secret).digest('hex'));
    expect(JSON.stringify([row, await list()])).not.toContain(body.secret);
  });

  /** @shows POST /api/shared-links/open */
  test('shows just that analysis without an account, as its evidence pack', async () => {
    await keepAnalysis(accountId, makeResult({ hazards: [makeHazard({ id: 'H-other' })] }));
    const answer = await open((await made()).secret).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const { content } = evidence.parse(answer.body.result);
    expect(answer.body.agentId).toBe('clinical_safety');
    expect(content.analysis.id).toBe(resultId);
    expect(content.hazards.map(({ id }) => id)).toEqual(['H-shared']);
    expect(answer.text).not.toContain('H-other');
  });

  test('neither reads nor sets a session, and opens nothing else', async () => {
    const { secret } = await made();
    const answer = await open(secret).expect(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const other = await signUp(server);
    const asMember = await other.browser.post('/api/shared-links/open').send({ secret }).expect(200);
    expect(asMember.headers['set-cookie']).toBeUndefined();
    expect(asMember.body.result.content).toEqual(answer.body.result.content);
    for (const path of ['/api/hazard-analyses', `/api/hazard-analysis/${resultId}`, '/api/shared-links']) {
      const refused = await server.browser().get(path).set('Authorization', `Bearer ${secret}`);
      expect({ path, status: refused.status }).toEqual({ path, status: 401 });
    }
  });

  test('is in the audit with each opening, its digest and no person, and says when it was last opened', async () => {
    const { id, secret } = await made();
    const first = await open(secret).expect(200);
    await open(secret).expect(200);
    const [link] = await list();
    expect(link.openings).toBe(2);
    expect(Math.abs(Date.parse(link.lastOpenedAt) - Date.now())).toBeLessThan(60_000);
    const opened = {
      event: 'link.opened',
      userId: null,
      surface: 'link',
      shownDigest: first.body.result.seal.digest,
      outcome: `clinical_safety:${resultId}`,
    };
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(['link.made', 'link.opened', 'link.opened']);
    expect((await eventsOf(id))[1]).toMatchObject(opened);
    expect((await eventsOf(id))[2]).toMatchObject(opened);
  });

  test('is counted and listed for itself, the newest first', async () => {
    const [first, second] = [await made(), await made()];
    await open(first.secret).expect(200);
    const listed: { id: string; openings: number }[] = await list();
    expect(listed.map(({ id, openings }) => [id, openings])).toEqual([
      [second.id, 0],
      [first.id, 1],
    ]);
    const otherResult = await keepAnalysis(accountId);
    expect((await owner.browser.get('/api/shared-links').query(of(otherResult)).expect(200)).body.links).toEqual([]);
  });

  test('expires at its time, not a millisecond later', async () => {
    const { id, secret } = await made();
    const expiresAt = new Date(Date.now() + 1000);
    await SharedLink.updateOne({ _id: id, accountId }, { $set: { expiresAt } });
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockReturnValue(expiresAt.getTime() - 1);
      expect((await openLink(secret)).link.resultId).toBe(resultId);
      clock.mockReturnValue(expiresAt.getTime());
      expect(await codeOf(openLink(secret))).toBe('link_over');
    } finally {
      clock.mockRestore();
    }
  });

  /** @shows DELETE /api/shared-links/:id */
  test('works until it is revoked, by an owner of its own company only', async () => {
    const { id, secret } = await made();
    const other = await signUp(server);
    await other.browser.delete(`/api/shared-links/${id}`).expect(404);
    await open(secret).expect(200);
    await owner.browser.delete(`/api/shared-links/${id}`).expect(200);
    await open(secret).expect(404);
    expect(await list()).toEqual([]);
    await owner.browser.delete(`/api/shared-links/${id}`).expect(404);
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(['link.made', 'link.opened', 'link.revoked']);
  });

  test('that is expired, revoked, unknown or malformed answers alike, and is not in the audit', async () => {
    const [expired, revoked] = [await made(), await made()];
    await SharedLink.updateOne({ _id: expired.id, accountId }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    await owner.browser.delete(`/api/shared-links/${revoked.id}`).expect(200);
    const answers = await Promise.all([expired.secret, revoked.secret, 'x'.repeat(43), 'x', ''].map(open));
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({ status: 404, body: answers[0]?.body });
      expect(body.code).toBe('link_over');
    }
    expect((await eventsOf(expired.id)).map(({ event }) => event)).toEqual(['link.made']);
  });

  test.each([
    ['leaves', () => Member.deleteOne({ accountId, userId: owner.user.id })],
    [
      'is an owner no more',
      () => Member.updateOne({ accountId, userId: owner.user.id }, { $set: { roles: ['member'] } }),
    ],
  ])('ends when the member who made it %s', async (_what, change) => {
    const { secret } = await made();
    await open(secret).expect(200);
    await change();
    announce(accountId, ['account']);
    expect((await open(secret)).body.code).toBe('link_over');
  });

  test('does not come back with the role that its maker lost', async () => {
    const second = await signUp(server);
    await Member.create({ accountId, userId: second.user.id, roles: ['owner'] });
    await second.browser.post('/api/account/switch').send({ accountId }).expect(200);
    const { body } = await make(second).expect(201);
    const give = (roles: string[]) =>
      owner.browser.post('/api/account/members').send({ email: second.email, roles }).expect(200);
    await give(['member']);
    await give(['owner']);
    expect((await open(body.secret)).body.code).toBe('link_over');
  });

  test('says that the result is no longer kept, where only that is over', async () => {
    const { secret } = await made();
    const row = await runInAccount(accountId, () => HazardAnalysis.findOne({ _id: resultId, accountId }).lean());
    const past = { $set: { expiresAt: new Date(Date.now() - 1) } };
    await runInAccount(accountId, () => StoredFile.updateOne({ _id: row?.resultFileId, accountId }, past));
    const answer = await open(secret);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 410, code: 'expired' });
  });
});

test('the kernel itself refuses links to whom the policy table does not name', async () => {
  const { id, secret } = await made();
  const member = makeWho({ accountId, roles: ['member', 'approver', 'deputy', 'clinical-safety-officer'] });
  const result = { agentId: 'clinical_safety' as const, resultId };
  expect(await codeOf(makeLink(member, { ...result, expiresInDays: 1 }))).toBe('not_allowed');
  expect(await codeOf(listLinks(member, result))).toBe('not_allowed');
  expect(await codeOf(revokeLink(member, id))).toBe('not_allowed');
  await open(secret).expect(200);
});

describe('making a link', () => {
  test('is for owners, of results of their own company, that an agent shows', async () => {
    const other = await signUp(server);
    expect((await make(other)).status).toBe(404);
    expect((await make(owner, of(resultId + 1_000_000))).status).toBe(404);
    expect((await make(owner, { agentId: 'designer' })).status).toBe(404);
    const member = await signUp(server);
    await Member.create({ accountId, userId: member.user.id, roles: ['member', 'approver', 'deputy'] });
    await member.browser.post('/api/account/switch').send({ accountId }).expect(200);
    expect((await make(member)).body.code).toBe('not_allowed');
    expect((await member.browser.get('/api/shared-links').query(of())).body.code).toBe('not_allowed');
    const { id, secret } = await made();
    expect((await member.browser.delete(`/api/shared-links/${id}`)).body.code).toBe('not_allowed');
    await open(secret).expect(200);
  });

  test.each([
    [0, 400],
    [1, 201],
    [90, 201],
    [91, 400],
    [1.5, 400],
  ])('for %d days is answered %d', async (expiresInDays, status) => {
    const answer = await make(owner, { expiresInDays });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.fields).toEqual({ expiresInDays: 'Choose 1 to 90 days.' });
  });

  test('ends at the number that a company may have; one that is over counts no more', async () => {
    const { count } = LIMITS.sharedLinks;
    const { id } = await made();
    const row = await SharedLink.findOne({ _id: id, accountId }).lean();
    const more = Array.from({ length: count - 1 }, (_, at) => ({
      ...row,
      _id: undefined,
      secretHash: `other ${at} ${id}`,
    }));
    await SharedLink.insertMany(more.map(({ _id, ...rest }) => rest) as never);
    expect((await make()).body.error).toBe(`A company can have ${count} links. Revoke one first.`);
    await SharedLink.updateOne({ _id: id, accountId }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    await make().expect(201);
  });
});
