/** @environment mail */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { env } from '../../models/env.ts';
import { smtp } from '../environments/mail.ts';
import { eventually } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

const password = 'correct-horse-1';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const mailed = (email: string, pattern: RegExp) =>
  eventually(
    async () => pattern.exec(smtp.mails.findLast(({ to }) => to === email)?.text.replace(/=3D/g, '=') ?? '')?.[1],
    `a mail to ${email}`,
  );

/** Somebody who has typed the code that was mailed to them. */
async function confirmed(email = `${randomUUID()}@example.org`) {
  const browser = server.browser();
  await browser.post('/api/auth/send-signup-confirmation').send({ email, password }).expect(200);
  const code = await mailed(email, /\b(\d{6})\b/);
  await browser.post('/api/auth/verify-signup-confirmation').send({ email, code }).expect(200);
  return browser;
}
type Browser = ReturnType<Server['browser']>;
const invite = (owner: Browser, email: string) =>
  owner
    .post('/api/account/members')
    .send({ email, roles: ['member'] })
    .expect(200);
async function join(token: string | undefined) {
  const browser = server.browser();
  await browser.post('/api/account/invitations/accept').send({ token, password }).expect(200);
  return (await browser.get('/api/auth/status')).body.user;
}

describe('invitations with mail', () => {
  test('have their link only in the mail, which verifies the mailbox', async () => {
    const email = `${randomUUID()}@example.org`;
    const { body } = await invite(await confirmed(), email);
    expect(body.invitation.link).toBeNull();
    const token = await mailed(email, /invitation=([\w-]+)/);
    expect(JSON.stringify(body)).not.toContain(token);
    expect(await join(token)).toMatchObject({ email, emailVerified: true, isAdmin: false });
  });

  test('make nobody an administrator, even at an address of ADMIN_EMAILS', async () => {
    const email = `${randomUUID()}@example.org`;
    env.ADMIN_EMAILS.push(email);
    await invite(await confirmed(), email);
    expect(await join(await mailed(email, /invitation=([\w-]+)/))).toMatchObject({ email, isAdmin: false });
    // A code does, because whoever typed it reads that mailbox.
    await server.browser().post('/api/auth/send-reset').send({ email }).expect(200);
    const code = await mailed(email, /\b(\d{6})\b/);
    await server.browser().post('/api/auth/reset-password').send({ email, code, password }).expect(200);
    const browser = server.browser();
    await browser.post('/api/login').send({ email, password }).expect(200);
    expect((await browser.get('/api/auth/status')).body.user.isAdmin).toBe(true);
  });

  test('whose link the owner saw, from before mail was configured, verify nothing', async () => {
    const email = `${randomUUID()}@example.org`;
    await invite(await confirmed(), email);
    const token = await mailed(email, /invitation=([\w-]+)/);
    const { Invitation } = await import('../../models/invitation.ts');
    await Invitation.updateOne({ email }, { $set: { mailed: false } });
    expect(await join(token)).toMatchObject({ email, emailVerified: false });
  });
});

describe('joining', () => {
  const accept = (token: string | undefined, given: string) =>
    server.browser().post('/api/account/invitations/accept').send({ token, password: given });

  test('with a weak password is refused in the same way for known and unknown e-mails', async () => {
    const [owner, known] = [await confirmed(), `${randomUUID()}@example.org`];
    await confirmed(known);
    const answers = [];
    for (const email of [known, `${randomUUID()}@example.org`]) {
      await invite(owner, email);
      const { status, body } = await accept(await mailed(email, /invitation=([\w-]+)/), 'password1');
      answers.push({ status, body });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(400);
  });

  test('with a token that is not text is refused like any unknown one', async () => {
    for (const token of [7, { a: 1 }, ['x'], null]) {
      const { status, body } = await server
        .browser()
        .post('/api/account/invitations/accept')
        .send({ token, password: 'correct-horse-1' });
      expect({ token, status, fields: Object.keys(body.fields ?? {}) }).toEqual({
        token,
        status: 400,
        fields: ['token'],
      });
    }
  });

  test('twice at once joins once, without a server error', async () => {
    const email = `${randomUUID()}@example.org`;
    const owner = await confirmed();
    await invite(owner, email);
    const token = await mailed(email, /invitation=([\w-]+)/);
    const answers = await Promise.all([accept(token, password), accept(token, password)]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    const { members } = (await owner.get('/api/account/members').expect(200)).body;
    expect(members.filter((it: { email: string }) => it.email === email)).toHaveLength(1);
  });
});

describe('one of the most common passwords is refused, and nothing is lost', () => {
  const common = ['12345678', 'password1', 'Password1!', 'qwerty123', 'p@ssw0rd'];
  const refusal = { status: 400, password: expect.stringContaining('Password too weak') };

  test.each(common)('when signing up: %s', async (weak) => {
    const { status, body } = await server
      .browser()
      .post('/api/auth/send-signup-confirmation')
      .send({ email: `${randomUUID()}@example.org`, password: weak });
    expect({ status, ...body.fields }).toEqual(refusal);
  });

  test('when resetting: the code still works', async () => {
    const email = `${randomUUID()}@example.org`;
    await confirmed(email);
    await server.browser().post('/api/auth/send-reset').send({ email }).expect(200);
    await eventually(async () => smtp.mails.findLast(({ to }) => to === email)?.subject.includes('reset'), 'the mail');
    const code = await mailed(email, /\b(\d{6})\b/);
    const reset = (given: string) =>
      server.browser().post('/api/auth/reset-password').send({ email, code, password: given });
    const { status, body } = await reset('password1');
    expect({ status, ...body.fields }).toEqual(refusal);
    await reset('better-horse-2').expect(200);
  });
});
