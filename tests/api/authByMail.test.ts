/** @environment mail */
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
/** Lets the time of somebody's code run out, which is fifteen minutes at first. */
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

describe('signing up with mail', () => {
  /** @shows POST /api/auth/verify-signup-confirmation */
  test('goes form, code, account; the e-mail is verified then', async () => {
    const browser = server.browser();
    const begun = await browser.post('/api/auth/send-signup-confirmation').send({ email: 'a@example.org', password });
    expect(begun.body).toMatchObject({ success: true, fallback: false });
    expect((await browser.get('/api/auth/status')).body.authenticated).toBe(false);
    const code = await codeFor('a@example.org');
    const done = await browser
      .post('/api/auth/verify-signup-confirmation')
      .send({ email: 'a@example.org', code })
      .expect(200);
    expect(done.body.user).toMatchObject({ email: 'a@example.org', emailVerified: true });
    const again = await server
      .browser()
      .post('/api/auth/verify-signup-confirmation')
      .send({ email: 'a@example.org', code });
    expect(again.body).toMatchObject({ code: 'invalid_code', error: 'Invalid or expired code' });
  });

  test('a code is good for five tries, also when they come at once', async () => {
    const email = 'tries@example.org';
    await server.browser().post('/api/auth/send-signup-confirmation').send({ email, password });
    const code = await codeFor(email);
    const wrong = code === '000000' ? '000001' : '000000';
    const verify = (given: string) =>
      server.browser().post('/api/auth/verify-signup-confirmation').send({ email, code: given });
    await Promise.all(Array.from({ length: 5 }, () => verify(wrong)));
    expect((await verify(code)).body.code).toBe('invalid_code');
  });

  test('a code past its fifteen minutes makes no account', async () => {
    const email = 'late@example.org';
    await server.browser().post('/api/auth/send-signup-confirmation').send({ email, password }).expect(200);
    const code = await codeFor(email);
    await age(email);
    const late = await server.browser().post('/api/auth/verify-signup-confirmation').send({ email, code });
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 400, code: 'invalid_code' });
    await server.browser().post('/api/login').send({ email, password }).expect(401);
  });

  test('a taken e-mail gets a mail that says so, and the page the same answer', async () => {
    const email = 'a@example.org';
    const { body } = await server.browser().post('/api/auth/send-signup-confirmation').send({ email, password });
    expect(body).toMatchObject({ success: true, fallback: false });
    await eventually(
      async () => smtp.mails.some(({ to, subject }) => to === email && subject.includes('already')),
      'the mail',
    );
  });
});

test('an address that the mail server refuses is said to be so, in its field', async () => {
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
test('a reset code sets a new password and ends the sessions of before', async () => {
  const email = 'a@example.org';
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
  async function asked(email: string) {
    const browser = server.browser();
    await browser.post('/api/auth/send-signup-confirmation').send({ email, password }).expect(200);
    const confirmation = await codeFor(email);
    await browser.post('/api/auth/verify-signup-confirmation').send({ email, code: confirmation }).expect(200);
    await browser.post('/api/auth/send-reset').send({ email }).expect(200);
    await eventually(async () => smtp.mails.findLast(({ to }) => to === email)?.subject.includes('reset'), 'the mail');
    return { browser, code: await codeFor(email) };
  }
  const reset = (email: string, code: string) =>
    server.browser().post('/api/auth/reset-password').send({ email, code, password: 'better-horse-2' });

  test('past its fifteen minutes changes nothing', async () => {
    const email = 'late-reset@example.org';
    const { browser, code } = await asked(email);
    await age(email);
    expect((await reset(email, code)).body.code).toBe('invalid_code');
    await server.browser().post('/api/login').send({ email, password }).expect(200);
    await browser.get('/api/user-agents').expect(200);
  });

  test('is good once, for its own address and for nothing else', async () => {
    const email = 'once@example.org';
    const [{ code }] = [await asked(email), await asked('twice@example.org')];
    const confirm = server.browser().post('/api/auth/verify-signup-confirmation');
    expect((await confirm.send({ email, code })).body.code).toBe('invalid_code');
    const other = await codeFor('twice@example.org');
    if (other !== code) expect((await reset('twice@example.org', code)).body.code).toBe('invalid_code');
    await reset(email, code).expect(200);
    expect((await reset(email, code)).body.code).toBe('invalid_code');
  });
});
