/** @environment mail */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { smtp } from '../environments/mail.ts';
import { eventually } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const password = 'correct-horse-1';
/** Moves the end of somebody's code, which is fifteen minutes away at first. */
async function age(email: string): Promise<void> {
  const { Verification } = await import('../../models/verification.ts');
  const left = (await Verification.findOne({ email }).lean())?.expiresAt.getTime() ?? 0;
  expect(Math.ceil((left - Date.now()) / 60_000)).toBe(15);
  await Verification.updateOne({ email }, { $set: { expiresAt: new Date() } });
}
const codeFor = (email: string) =>
  eventually(
    async () => /\b(\d{6})\b/.exec(smtp.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1],
    `a code for ${email}`,
  );

const newEmail = () => `${randomUUID()}@example.org`;

/** Somebody who has typed the code that was mailed to them. */
async function confirmed() {
  const [browser, email] = [server.browser(), newEmail()];
  await browser.post('/api/auth/send-signup-confirmation').send({ email, password }).expect(200);
  const code = await codeFor(email);
  await browser.post('/api/auth/verify-signup-confirmation').send({ email, code }).expect(200);
  return { browser, email };
}

describe('signing up with mail', () => {
  /** @shows POST /api/auth/verify-signup-confirmation */
  test('goes form, code, account; the e-mail is then verified', async () => {
    const [browser, email] = [server.browser(), newEmail()];
    const begun = await browser.post('/api/auth/send-signup-confirmation').send({ email, password });
    expect(begun.body).toMatchObject({ success: true, fallback: false });
    expect((await browser.get('/api/auth/status')).body.authenticated).toBe(false);
    const code = await codeFor(email);
    const done = await browser.post('/api/auth/verify-signup-confirmation').send({ email, code }).expect(200);
    expect(done.body.user).toMatchObject({ email, emailVerified: true });
    const again = await server.browser().post('/api/auth/verify-signup-confirmation').send({ email, code });
    expect(again.body).toMatchObject({ code: 'invalid_code', error: 'Invalid or expired code' });
  });

  test('allows five attempts per code, even at the same moment', async () => {
    const email = newEmail();
    await server.browser().post('/api/auth/send-signup-confirmation').send({ email, password });
    const code = await codeFor(email);
    const wrong = code === '000000' ? '000001' : '000000';
    const verify = (given: string) =>
      server.browser().post('/api/auth/verify-signup-confirmation').send({ email, code: given });
    await Promise.all(Array.from({ length: 5 }, () => verify(wrong)));
    expect((await verify(code)).body.code).toBe('invalid_code');
  });

  test('creates no account with a code older than fifteen minutes', async () => {
    const email = newEmail();
    await server.browser().post('/api/auth/send-signup-confirmation').send({ email, password }).expect(200);
    const code = await codeFor(email);
    await age(email);
    const late = await server.browser().post('/api/auth/verify-signup-confirmation').send({ email, code });
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 400, code: 'invalid_code' });
    await server.browser().post('/api/login').send({ email, password }).expect(401);
  });

  test('with a registered e-mail sends a mail that says so, and the page gets the usual answer', async () => {
    const { email } = await confirmed();
    const { body } = await server.browser().post('/api/auth/send-signup-confirmation').send({ email, password });
    expect(body).toMatchObject({ success: true, fallback: false });
    await eventually(
      async () => smtp.mails.some(({ to, subject }) => to === email && subject.includes('already')),
      'the mail',
    );
  });
});

test('an address that the mail server refuses is reported in its field', async () => {
  const refused = await server
    .browser()
    .post('/api/auth/send-signup-confirmation')
    .send({ email: 'ada@refused.example', password });
  expect({ status: refused.status, code: refused.body.code, fields: refused.body.fields }).toEqual({
    status: 422,
    code: 'mail_refused',
    fields: { email: 'The mail server refused this address.' },
  });
});

/** @shows POST /api/auth/reset-password */
test('a reset code sets a new password and ends earlier sessions', async () => {
  const { email } = await confirmed();
  const before = server.browser();
  await before.post('/api/login').send({ email, password }).expect(200);
  const asked = await server.browser().post('/api/auth/send-reset').send({ email }).expect(200);
  expect(asked.body).toEqual({
    success: true,
    sent: true,
    message: 'If an account exists with this email, a reset code has been sent.',
  });
  await eventually(
    async () => smtp.mails.findLast(({ to }) => to === email)?.subject.includes('reset'),
    'the reset mail',
  );
  const code = await codeFor(email);
  await server.browser().post('/api/auth/reset-password').send({ email, code, password: 'better-horse-2' }).expect(200);
  await server.browser().post('/api/login').send({ email, password }).expect(401);
  await server.browser().post('/api/login').send({ email, password: 'better-horse-2' }).expect(200);
  await eventually(async () => (await before.get('/api/user-agents')).status === 401, 'the old session to end');
});

describe('a code to reset a password', () => {
  /** Somebody with a user, and the code that was mailed to them. */
  async function asked() {
    const { browser, email } = await confirmed();
    await browser.post('/api/auth/send-reset').send({ email }).expect(200);
    await eventually(async () => smtp.mails.findLast(({ to }) => to === email)?.subject.includes('reset'), 'the mail');
    return { browser, email, code: await codeFor(email) };
  }
  const reset = (email: string, code: string) =>
    server.browser().post('/api/auth/reset-password').send({ email, code, password: 'better-horse-2' });

  test('changes nothing after its fifteen minutes', async () => {
    const { browser, email, code } = await asked();
    await age(email);
    expect((await reset(email, code)).body.code).toBe('invalid_code');
    await server.browser().post('/api/login').send({ email, password }).expect(200);
    await browser.get('/api/user-agents').expect(200);
  });

  test('works once, only for its own address and purpose', async () => {
    const [{ email, code }, other] = [await asked(), await asked()];
    const confirm = server.browser().post('/api/auth/verify-signup-confirmation');
    expect((await confirm.send({ email, code })).body.code).toBe('invalid_code');
    if (other.code !== code) expect((await reset(other.email, code)).body.code).toBe('invalid_code');
    await reset(email, code).expect(200);
    expect((await reset(email, code)).body.code).toBe('invalid_code');
  });
});
