import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sweepRuns } from '../../../../bot/engine/workflows/sweepRuns.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import type { ChatMessage } from '../../../../models/contracts/chat.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { StoredFile } from '../../../../models/file.ts';
import { Run } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { eventually, type Person, signUpReady } from '../../../factories/person.ts';
import { type Server, startServer } from '../../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Owner = Person & { agent: { id: number } };
const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);
const messages = async ({ browser }: Owner) =>
  (await browser.get('/api/arc-chat/history?limit=200').expect(200)).body.messages as ChatMessage[];
const recordOf = (owner: Owner) =>
  eventually(
    async () => (await messages(owner)).find(({ card }) => card?.headline === 'Incident record, draft'),
    'the record',
  );
const kept = (owner: Owner) => inAccount(owner, () => StoredFile.find({ kind: 'export' }).lean());
const TOLD = 'A patient got a double dose at 14:05 and is stable';

test('what happened is put in order, in words, for the company alone, and costs a step', async () => {
  const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
  await owner.browser
    .post('/api/arc-chat/send')
    .send({ message: `Prepare the incident record: ${TOLD}` })
    .expect(200);
  const said = await recordOf(owner);
  expect(said.message).toMatch(/^First, outside of Arc: make sure that the patients are being looked after/);
  expect(said.message).toContain('No hazard log was analysed in Arc, so none was compared.');
  expect(said.card?.figures?.[0]).toEqual({ label: 'points told', value: '3 of 9' });
  const [attached] = said.attachments;
  expect(attached?.name).toMatch(/^Incident record \(draft\), \d{4}-\d{2}-\d{2} \d{4}\.docx$/);
  await owner.browser.get(String(attached?.url)).expect(200);
  expect((await stranger.browser.get(String(attached?.url))).status).toBe(404);
  expect((await owner.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed).toBe(LIMITS.credits.step);
  const audited = await inAccount(owner, () => AuditEvent.find({ event: 'incident.recorded' }).lean());
  expect(audited.map(({ outcome }) => outcome)).toEqual([(await kept(owner))[0]?.digest]);
  // No word of it is in the chain.
  expect(JSON.stringify(audited)).not.toContain('patient');
});

/** @shows POST /api/clinical-safety-agent/:id/incident-record */
test('a record is written by the call, refused without words and to others, and once where its process ended', async () => {
  const [owner, stranger] = [await signUpReady(server), await signUpReady(server)];
  const call = ({ browser }: Owner, text: string) =>
    browser.post(`/api/clinical-safety-agent/${owner.agent.id}/incident-record`).send({ text });
  expect((await call(owner, ' ')).body.code).toBe('bad_request');
  expect((await call(owner, 'x'.repeat(8001))).body.code).toBe('bad_request');
  expect((await call(stranger, TOLD)).status).toBe(404);
  const { body } = await call(owner, TOLD).expect(200);
  expect(body).toMatchObject({ success: true, response: expect.stringMatching(/Nothing is sent\.$/) });
  await recordOf(owner);
  const ended = () =>
    eventually(async () => {
      const run = requireRow(await inAccount(owner, () => Run.findById(body.runId).lean()));
      return run.status === 'completed' && run;
    }, 'the run to end');
  const before = await ended();
  expect(before.state.text).toBe(TOLD);
  // Noted in a step of its own, so that a step that runs again writes the same time.
  expect(before.state.toldAt).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  const lease = { owner: `${hostname()}:4194305:gone`, until: new Date(Date.now() + 60_000) };
  await inAccount(owner, () =>
    Run.updateOne({ _id: before._id }, { $set: { status: 'ready', step: 'write', lease, endedAt: null } }),
  );
  await sweepRuns();
  await ended();
  expect(await kept(owner)).toHaveLength(1);
  expect((await messages(owner)).filter(({ card }) => card?.headline === 'Incident record, draft')).toHaveLength(1);
});
