import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setAsksBefore } from '../../bot/engine/agents/askBefore.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { UserAgent } from '../../models/userAgent.ts';
import { type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { makeWho } from '../factories/who.ts';

let server: Server;
let owner: Person & { agent: { id: number } };
beforeAll(async () => {
  server = await startServer();
  owner = await signUpReady(server);
});
afterAll(() => server.stop());

const NAME = 'schedule_analysis';
const pathOf = ({ agent }: { agent: { id: number } }) => `/api/user-agents/${agent.id}/actions`;
const actions = async ({ browser }: Person) => (await browser.get(pathOf(owner)).expect(200)).body.actions;
const set = ({ browser }: Person, asks: unknown, name = NAME) => browser.put(`${pathOf(owner)}/${name}`).send({ asks });
const audited = async () => {
  const { accountId } = owner.user;
  const rows = await runInAccount(accountId, () => AuditEvent.find({ accountId, event: 'tool.allowed' }).lean());
  return rows.map(({ subject, outcome, userId }) => ({ subject, outcome, userId }));
};

describe('what an agent may do', () => {
  /** @shows GET /api/user-agents/:id/actions, PUT /api/user-agents/:id/actions/:name */
  test('is asked for before each time, until the owner allows it; both are in the audit once', async () => {
    const another = { name: 'ask_agent', label: 'Ask another agent', asks: true };
    const asking = [{ name: NAME, label: 'Schedule an analysis of the hazard log', asks: true }, another];
    expect(await actions(owner)).toEqual(asking);
    const allowed = [{ ...asking[0], asks: false }, another];
    expect((await set(owner, false).expect(200)).body.actions).toEqual(allowed);
    expect((await set(owner, false).expect(200)).body.actions).toEqual(allowed);
    const { accountId } = owner.user;
    const kept = () => runInAccount(accountId, () => UserAgent.findOne({ _id: owner.agent.id, accountId }).lean());
    expect((await kept())?.allowedTools).toEqual([NAME]);
    expect((await set(owner, true).expect(200)).body.actions).toEqual(asking);
    expect((await kept())?.allowedTools).toEqual([]);
    const row = { subject: `agent:${owner.agent.id}:${NAME}`, userId: owner.user.id };
    expect(await audited()).toEqual([
      { ...row, outcome: 'without asking' },
      { ...row, outcome: 'asks first' },
    ]);
  });

  test('is changed by the owner alone; members see it', async () => {
    const member = await signUpReady(server);
    const { accountId } = owner.user;
    await Member.create({ accountId, userId: member.user.id, roles: ['clinical-safety-officer'] });
    await member.browser.post('/api/account/switch').send({ accountId }).expect(200);
    expect(await actions(member)).toHaveLength(2);
    expect((await set(member, false).expect(403)).body.code).toBe('not_allowed');
    expect((await actions(owner))[0].asks).toBe(true);
  });

  test('is refused below the route too, whoever calls it', async () => {
    const { accountId } = owner.user;
    const who = makeWho({ accountId, userId: owner.user.id, roles: ['clinical-safety-officer'] });
    const change = runInAccount(accountId, () => setAsksBefore(who, owner.agent.id, NAME, false));
    await expect(change).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('is not seen or changed from another account', async () => {
    const stranger = await signUpReady(server);
    await stranger.browser.get(pathOf(owner)).expect(404);
    await set(stranger, false).expect(404);
    expect((await actions(owner))[0].asks).toBe(true);
  });

  test('is only a tool that changes something', async () => {
    expect((await set(owner, false, 'query_records').expect(404)).body.code).toBe('not_found');
    await set(owner, false, 'constructor').expect(404);
    expect((await set(owner, 'yes').expect(400)).body.fields).toHaveProperty('asks');
  });
});
