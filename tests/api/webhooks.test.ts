import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sweepConsequences } from '../../bot/engine/interrupts/applyConsequences.ts';
import { addressFault, isPublicAddress, lookupPublic } from '../../bot/engine/network/address.ts';
import { signatureHeaders } from '../../bot/engine/webhooks/postSigned.ts';
import { Delivery, type DeliveryRow } from '../../models/delivery.ts';
import { env } from '../../models/env.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { runInAccount } from '../../models/store/context.ts';
import { makeAccessToken, programWith } from '../factories/accessToken.ts';
import { eventually, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { sweepNow } from '../factories/sweepNow.ts';
import { startReceiver } from '../fakes/webhookReceiver.ts';

let server: Server;
let owner: Awaited<ReturnType<typeof signUpReady>>;
let token: Awaited<ReturnType<typeof makeAccessToken>>;
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = [];
beforeAll(async () => {
  server = await startServer();
  owner = await signUpReady(server);
  token = await makeAccessToken(owner, ['questions:ask']);
});
afterAll(async () => {
  await Promise.all(receivers.map((one) => one.stop()));
  await server.stop();
});

async function receive(...given: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...given);
  receivers.push(receiver);
  return receiver;
}
const send = (webhook: string, secret = token.secret) =>
  programWith(server.url, secret)
    .post('/api/questions')
    .send({ kind: 'approval', prompt: 'Deploy?', idempotencyKey: randomUUID(), webhook });
const ask = async (webhook: string, secret = token.secret): Promise<number> =>
  (await send(webhook, secret).expect(200)).body.id;
const answer = (id: number) =>
  owner.browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: true }).expect(200);
const deliveryOf = (id: number) =>
  runInAccount(owner.user.accountId, () => Delivery.findOne({ key: `webhook:${id}` }).lean());
const settled = (id: number, status: DeliveryRow['status']) =>
  eventually(async () => {
    const row = await deliveryOf(id);
    return row?.status === status && row;
  }, `the webhook to be ${status}`);
/** What a receiver computes from what it got. */
const signatureOf = ({ headers, body }: (typeof receivers)[number]['got'][number], secret: string) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

describe('a webhook', () => {
  test('gets the answer once, signed with the token’s key', async () => {
    const receiver = await receive();
    const id = await ask(receiver.url);
    expect(receiver.got).toEqual([]);
    await answer(id);
    await answer(id);
    await settled(id, 'sent');
    await sweepNow();
    expect(receiver.got).toHaveLength(1);
    const [got] = receiver.got as [(typeof receiver.got)[number]];
    expect(got.headers['webhook-signature']).toBe(signatureOf(got, token.webhookSecret));
    expect(got.headers['webhook-signature']).not.toBe(signatureOf(got, (await makeAccessToken(owner)).webhookSecret));
    expect(got.headers).toMatchObject({ 'webhook-id': `question-${id}-answered`, 'content-type': 'application/json' });
    expect(Math.abs(Number(got.headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
    const read = (await programWith(server.url, token.secret).get(`/api/questions/${id}`)).body;
    expect(JSON.parse(got.body)).toEqual({ type: 'question.answered', timestamp: read.answeredAt, data: read });
  });

  test('says that a question was withdrawn', async () => {
    const receiver = await receive();
    const id = await ask(receiver.url);
    await programWith(server.url, token.secret).delete(`/api/questions/${id}`).expect(200);
    await settled(id, 'sent');
    const [got] = receiver.got as [(typeof receiver.got)[number]];
    expect(got.headers['webhook-id']).toBe(`question-${id}-withdrawn`);
    const read = (await programWith(server.url, token.secret).get(`/api/questions/${id}`)).body;
    expect(JSON.parse(got.body)).toEqual({ type: 'question.withdrawn', timestamp: expect.any(String), data: read });
    expect(read).toMatchObject({ status: 'withdrawn', answer: null });
  });

  test('is sent again after a failure, with the same id and body', async () => {
    const receiver = await receive([500, 302], { Location: 'http://127.0.0.1:1/elsewhere' });
    const id = await ask(receiver.url);
    await answer(id);
    await eventually(async () => (await deliveryOf(id))?.attempts === 1, 'the first attempt');
    expect((await deliveryOf(id))?.error).toBe('The receiver answered with 500.');
    await sweepNow();
    await eventually(async () => (await deliveryOf(id))?.attempts === 2, 'the second attempt');
    // A redirect is not followed.
    expect((await deliveryOf(id))?.error).toBe('The receiver answered with 302.');
    await sweepNow();
    await settled(id, 'sent');
    expect(receiver.got).toHaveLength(3);
    expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const got of receiver.got)
      expect(got.headers['webhook-signature']).toBe(signatureOf(got, token.webhookSecret));
  });

  test('is given up where the receiver is gone, and the owner sees it', async () => {
    const own = await makeAccessToken(owner, ['questions:ask'], 'Old flow');
    const receiver = await receive([410]);
    const id = await ask(receiver.url, own.secret);
    await answer(id);
    await settled(id, 'failed');
    await sweepNow();
    expect(receiver.got).toHaveLength(1);
    const { tokens } = (await owner.browser.get('/api/access-tokens').expect(200)).body;
    const shown = Object.fromEntries(
      tokens.map((one: { id: string; failedWebhooks: unknown }) => [one.id, one.failedWebhooks]),
    );
    expect(shown[own.id]).toEqual({
      count: 1,
      lastError: 'The receiver answered that it is gone (410).',
      questionId: id,
    });
    expect(shown[token.id]).toBeNull();
  });

  test('is given up after as many attempts as any delivery', async () => {
    const receiver = await receive([500]);
    const id = await ask(receiver.url);
    await answer(id);
    await eventually(async () => (await deliveryOf(id))?.attempts === 1, 'the first attempt');
    await runInAccount(owner.user.accountId, () =>
      Delivery.updateOne({ key: `webhook:${id}` }, { $set: { attempts: 11 } }),
    );
    receiver.got.length = 0;
    await receiver.stop();
    await sweepNow();
    expect((await settled(id, 'failed')).attempts).toBe(12);
  });

  test('is not sent for a token that was revoked after the answer', async () => {
    const own = await makeAccessToken(owner, ['questions:ask']);
    const receiver = await receive([500]);
    const id = await ask(receiver.url, own.secret);
    await answer(id);
    await eventually(async () => (await deliveryOf(id))?.attempts === 1, 'the first attempt');
    await owner.browser.delete(`/api/access-tokens/${own.id}`).expect(200);
    await sweepNow();
    expect((await settled(id, 'failed')).error).toBe('The access token that asked no longer works.');
    expect(receiver.got).toHaveLength(1);
  });

  test('is sent after a crash between the answer and the webhook, or before it was sent', async () => {
    const receiver = await receive();
    const id = await ask(receiver.url);
    await answer(id);
    await settled(id, 'sent');
    const again = (change: () => Promise<unknown>) => runInAccount(owner.user.accountId, change);
    // As the process left it: answered, and nothing applied.
    await again(() => Delivery.deleteOne({ key: `webhook:${id}` }));
    await again(() =>
      Interrupt.updateOne({ _id: id }, { $set: { outbox: ['audit', 'deliveries', 'webhook'], dueAt: new Date(0) } }),
    );
    await sweepConsequences();
    await settled(id, 'sent');
    expect(receiver.got).toHaveLength(2);
    // As the process left it: written and claimed, not sent.
    await again(() => Delivery.updateOne({ key: `webhook:${id}` }, { $set: { status: 'due' } }));
    await sweepNow();
    await settled(id, 'sent');
    expect(receiver.got).toHaveLength(3);
    // Applied again, e.g. after a crash before that was noted: it is not written twice.
    await again(() => Interrupt.updateOne({ _id: id }, { $set: { outbox: ['webhook'], dueAt: new Date(0) } }));
    await sweepConsequences();
    await sweepNow();
    expect(receiver.got).toHaveLength(3);
    const row = await runInAccount(owner.user.accountId, () => Interrupt.findOne({ _id: id }).lean());
    expect(row?.outbox).toEqual([]);
  });
});

describe('the address of a webhook', () => {
  test('is refused with its field; the same question with another address needs another key', async () => {
    const { status, body } = await send('http://hooks.example.org/arc');
    expect({ status, fields: body.fields }).toEqual({ status: 400, fields: { webhook: 'Use an https address.' } });
    const question = { kind: 'approval', prompt: 'Deploy?', idempotencyKey: randomUUID() };
    const post = (webhook?: string) =>
      programWith(server.url, token.secret)
        .post('/api/questions')
        .send({ ...question, webhook });
    await post('https://hooks.example.org/a').expect(200);
    await post('https://hooks.example.org/a').expect(200);
    expect((await post('https://hooks.example.org/b')).body.code).toBe('key_reused');
    expect((await post()).body.code).toBe('key_reused');
  });

  test.each([
    ['https://hooks.example.org/arc?x=1', null],
    ['https://hooks.example.org:8443/', null],
    ['https://93.184.216.34/', null],
    ['http://127.0.0.1:9000/', null],
    ['http://localhost:9000/', null],
    ['not a url', 'This is not a web address.'],
    ['ftp://hooks.example.org/', 'Use an https address.'],
    ['http://hooks.example.org/', 'Use an https address.'],
    ['https://user:pass@hooks.example.org/', 'Leave names and passwords out of the address.'],
    ['https://10.0.0.1/', 'This address is not on the public internet.'],
    ['https://169.254.169.254/latest/meta-data', 'This address is not on the public internet.'],
    ['https://0x0a000001/', 'This address is not on the public internet.'],
    ['https://[fd00::1]/', 'This address is not on the public internet.'],
    ['https://[::ffff:10.0.0.1]/', 'This address is not on the public internet.'],
  ])('%s: %s', (url, fault) => {
    expect(addressFault(url)).toBe(fault);
  });

  test.each([
    ['8.8.8.8', true],
    ['172.15.255.255', true],
    ['172.16.0.0', false],
    ['172.31.255.255', false],
    ['172.32.0.0', true],
    ['100.63.255.255', true],
    ['100.64.0.0', false],
    ['192.168.1.1', false],
    ['0.0.0.0', false],
    ['223.255.255.255', true],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['2606:4700::1111', true],
    ['2001:4860::1', true],
    ['2001:db8::1', false],
    ['2002:0a00:0001::', false],
    ['64:ff9b::a00:1', false],
    ['fe80::1', false],
    ['fc00::1', false],
    ['::', false],
    ['::1', false],
    ['hooks.example.org', false],
  ])('%s is on the public internet: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  test('may be this host only while this server is reached by this host alone', async () => {
    const resolve = (from: typeof env) =>
      new Promise<string>((done) =>
        lookupPublic(from)('localhost', { all: true }, (error) => done(error ? error.name : 'allowed')),
      );
    const here = { ...env, HOST: '127.0.0.1', BASE_URL: '' };
    expect([addressFault('http://127.0.0.1:9000/', here), await resolve(here)]).toEqual([null, 'allowed']);
    for (const open of [{ HOST: '0.0.0.0' }, { BASE_URL: 'https://arc.example.org' }]) {
      const from = { ...here, ...open };
      expect(addressFault('http://127.0.0.1:9000/', from)).toBe('Use an https address.');
      expect(addressFault('https://127.0.0.1:9000/', from)).toBe('This address is not on the public internet.');
      expect(await resolve(from)).toBe('RefusedAddress');
    }
  });
});

test('the signature is the one of the Standard Webhooks specification', () => {
  // The example of the specification's reference libraries.
  expect(
    signatureHeaders(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
    ),
  ).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
