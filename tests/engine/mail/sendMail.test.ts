/** @environment mail */
import { expect, test } from '@jest/globals';
import { mailConfigured, sendMail } from '../../../bot/engine/mail/sendMail.ts';
import { smtp } from '../../environments/mail.ts';

const outcome = (to: string) =>
  sendMail(to, 'Your code', 'It is 123456.').then(
    () => 'sent',
    (error) => ({ code: error.code, fields: error.fields }),
  );

test('a mail is sent as plain text to each recipient in turn', async () => {
  expect(mailConfigured()).toBe(true);
  for (const to of ['ada@example.org', 'ben@example.org']) expect(await outcome(to)).toBe('sent');
  expect(smtp.mails.slice(-2)).toEqual(
    ['ada@example.org', 'ben@example.org'].map((to) => ({ to, subject: 'Your code', text: 'It is 123456.' })),
  );
});

const REFUSED = { code: 'mail_refused', fields: { email: 'The mail server refused this address.' } };
const UNAVAILABLE = { code: 'mail_unavailable', fields: undefined };

test.each([
  ['a permanently refused address', 'ada@550.rcpt.example', REFUSED],
  ['an address that the server calls invalid', 'ada@500.rcpt.example', REFUSED],
  ['an address that is refused for the moment', 'ada@451.rcpt.example', UNAVAILABLE],
  ['a permanently refused mail', 'ada@554.data.example', UNAVAILABLE],
  ['a mail that is refused for the moment', 'ada@452.data.example', UNAVAILABLE],
])('%s is recognised', async (_what, to, expected) => {
  const count = smtp.mails.length;
  expect(await outcome(to)).toEqual(expected);
  expect(smtp.mails).toHaveLength(count);
});
