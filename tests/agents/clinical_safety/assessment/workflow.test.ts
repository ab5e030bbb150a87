import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Types } from 'mongoose';
import { sweepRuns } from '../../../../bot/engine/workflows/sweepRuns.ts';
import type { ChatMessage } from '../../../../models/contracts/chat.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { Run } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { announce } from '../../../../models/store/revisions.ts';
import { UserAgent } from '../../../../models/userAgent.ts';
import { endTrial } from '../../../factories/endTrial.ts';
import { eventually, type Person, signUpReady } from '../../../factories/person.ts';
import { makeRun } from '../../../factories/runs.ts';
import { type Server, startServer } from '../../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Owner = Person & { agent: { id: number } };
const TEXT = 'Nurses search for the patient, and doctors prescribe the dose in the wrong unit.';
const ask = (by: Person, message: string, of: Owner) =>
  by.browser.post(`/api/clinical-safety-agent/${of.agent.id}/analyze`).send({ message });
const credits = async ({ browser }: Owner): Promise<number> =>
  (await browser.get('/api/user/tokens/balance').expect(200)).body.balance.tokensUsed;
const list = (owner: Owner) =>
  eventually(async () => {
    const { body } = await owner.browser.get('/api/arc-chat/history?limit=200').expect(200);
    return (body.messages as ChatMessage[]).find(({ message }) => /^This is a preliminary prompt list/.test(message));
  }, 'the list');

describe('the assessment of a product or a concern', () => {
  /** @shows POST /api/clinical-safety-agent/:id/analyze */
  test('answers with steps, hazards and questions, shows the same in the chat, and costs a step', async () => {
    const owner = await signUpReady(server);
    const { body } = await ask(owner, TEXT, owner).expect(200);
    expect(body).toMatchObject({ success: true, workspaceId: expect.any(Number) });
    expect(body.steps).toHaveLength(2);
    expect(body.hazards.map(({ kbId }: { kbId: string }) => kbId)).toContain('MED-02');
    expect(body.questions.length).toBeGreaterThan(0);
    expect((await list(owner)).message).toBe(body.response);
    expect(await credits(owner)).toBe(LIMITS.credits.step);
  });

  test('is asked for in words', async () => {
    const owner = await signUpReady(server);
    await owner.browser
      .post('/api/arc-chat/send')
      .send({ message: `Assess this product: ${TEXT}` })
      .expect(200);
    expect((await list(owner)).message).toContain('“Nurses search for the patient”');
  });

  test('is refused, and costs nothing, without words, for others, with its tool off, and once the trial is over', async () => {
    const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
    expect(Object.keys((await ask(owner, ' ', owner)).body.fields)).toEqual(['message']);
    expect((await ask(owner, 'x'.repeat(8001), owner)).status).toBe(400);
    expect((await ask(stranger, TEXT, owner)).status).toBe(404);
    const turn = async (enabled: boolean) => {
      await runInAccount(owner.user.accountId, () =>
        UserAgent.updateOne({ _id: owner.agent.id }, { $set: { tools: [{ id: 'clinicalsafety', enabled }] } }),
      );
      announce(owner.user.accountId, ['agents']);
    };
    await turn(false);
    expect((await ask(owner, TEXT, owner)).body.code).toBe('tool_off');
    await turn(true);
    await endTrial(owner);
    expect((await ask(owner, TEXT, owner)).body.code).toBe('trial_over');
    expect([await credits(owner), await credits(stranger)]).toEqual([0, 0]);
  });
});

describe('the run of an assessment', () => {
  const dead = () => ({ owner: `${hostname()}:4194305:gone`, until: new Date(Date.now() + 60_000) });
  async function leave({ user, agent }: Owner, more: object) {
    const { accountId, id: userId } = user;
    const given = { accountId, userId, userAgentId: agent.id, workflow: 'safety-assessment', step: 'read' };
    const run = makeRun({ ...given, lease: dead(), state: { text: TEXT }, ...more });
    await runInAccount(accountId, () => Run.create(run));
    return run;
  }
  const ended = ({ user }: Owner, { _id }: { _id: Types.ObjectId }) =>
    eventually(async () => {
      const run = requireRow(await runInAccount(user.accountId, () => Run.findById(_id).lean()));
      return ['completed', 'cancelled', 'failed'].includes(run.status) && run;
    }, 'the run to end');

  test('goes on after its process ended between its steps, with what the first one found', async () => {
    const owner = await signUpReady(server);
    const found = { steps: [], hazards: [], questions: ['Kept?'] };
    const run = await leave(owner, { step: 'tell', state: { text: TEXT, found } });
    await sweepRuns();
    const { status, state } = await ended(owner, run);
    expect([status, (state as { found: unknown }).found]).toEqual(['completed', found]);
  });

  test('that was cancelled finds nothing', async () => {
    const owner = await signUpReady(server);
    const run = await leave(owner, { cancelRequested: true });
    await sweepRuns();
    const { status, state } = await ended(owner, run);
    expect([status, 'found' in state]).toEqual(['cancelled', false]);
  });
});
