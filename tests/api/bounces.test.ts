/** @environment mail */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { env } from '../../models/env.ts';
import { User } from '../../models/user.ts';
import { bounced } from '../factories/bounced.ts';
import { addUser, newEmail } from '../factories/members.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const send = (body: string | object, token = env.MAIL_BOUNCE_TOKEN, type = 'message/rfc822') => {
  const request = server.browser().post('/api/mail/bounces').set('Authorization', `Bearer ${token}`);
  return typeof body === 'string' ? request.set('Content-Type', type).send(body) : request.send(body);
};
const report = (address: string, status = '5.1.1') =>
  bounced([`Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: ${status}`]);
const isRefused = async (_id: number) => (await User.findById(_id).lean())?.mailRefusedAt instanceof Date;

describe('reports of mails that came back', () => {
  /** @shows POST /api/mail/bounces */
  test('stop mails to their address alone, as a raw mail or as addresses', async () => {
    const [one, two, three, other] = [await addUser(), await addUser(), await addUser(), await addUser()];
    await send(report(one.email.toUpperCase())).expect(200);
    await send(report(two.email), undefined, 'text/plain').expect(200);
    await send({ recipients: [` ${three.email} `, newEmail()] }).expect(200);
    const refused = await Promise.all([one, two, three, other].map(({ _id }) => isRefused(_id)));
    expect(refused).toEqual([true, true, true, false]);
  });

  test('keep since when the address is refused', async () => {
    const mailRefusedAt = new Date('2026-03-02T09:00:00Z');
    const { _id, email } = await addUser({ mailRefusedAt });
    await send({ recipients: [email] }).expect(200);
    expect((await User.findById(_id).lean())?.mailRefusedAt).toEqual(mailRefusedAt);
  });

  test('that may pass change nothing, and say nothing about who exists', async () => {
    const { _id, email } = await addUser();
    const answers = [
      await send(report(email, '4.4.7')),
      await send(report(newEmail())),
      await send('no report'),
      await send({ recipients: [newEmail()] }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { received: true }]);
    expect(await isRefused(_id)).toBe(false);
  });

  test('without the token, or with another one, change nothing', async () => {
    const { _id, email } = await addUser();
    for (const token of ['', `${env.MAIL_BOUNCE_TOKEN}a`, env.MAIL_BOUNCE_TOKEN.slice(0, -1)])
      expect((await send({ recipients: [email] }, token)).body.code).toBe('bad_token');
    expect(await isRefused(_id)).toBe(false);
  });

  test('are refused where they are too large, or no report and no address', async () => {
    await send('a'.repeat(1024 * 1024)).expect(200);
    await send('a'.repeat(1024 * 1024 + 1)).expect(413);
    const addresses = (count: number) => ({ recipients: Array.from({ length: count }, () => 'a@b.test') });
    await send(addresses(100)).expect(200);
    for (const body of [addresses(101), addresses(0), {}, { recipients: [7] }]) await send(body).expect(400);
  });
});
