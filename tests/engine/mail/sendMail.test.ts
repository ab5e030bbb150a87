/** @environment mail */
import { expect, test } from '@jest/globals';
import { type Mail, writeHtml } from '../../../bot/engine/mail/mail.ts';
import { mailConfigured, sendMail } from '../../../bot/engine/mail/sendMail.ts';
import { smtp } from '../../environments/mail.ts';

const MAIL = { subject: 'Zoë’s code', parts: ['It is 123456.'], because: 'You asked.' };
const outcome = (to: string, mail: Mail = MAIL, key?: string) =>
  sendMail(to, mail, key).then(
    () => 'sent',
    (error) => ({ code: error.code, fields: error.fields }),
  );

test('a mail is sent as text and HTML to each recipient in turn', async () => {
  expect(mailConfigured()).toBe(true);
  for (const to of ['ada@example.org', 'ben@example.org']) expect(await outcome(to)).toBe('sent');
  expect(smtp.mails.slice(-2)).toEqual(
    ['ada@example.org', 'ben@example.org'].map((to) => ({
      to,
      subject: 'Zoë’s code',
      text: 'It is 123456.\n\n--\nArc\nYou asked.',
      html: writeHtml(MAIL),
      headers: expect.objectContaining({ 'auto-submitted': 'auto-generated', from: 'Arc <arc@localhost>', to }),
    })),
  );
  expect(smtp.mails.at(-1)?.headers).not.toHaveProperty('list-unsubscribe');
});

test('a stored mail has the same Message-ID each time, and another mail another one', async () => {
  const ids: (string | undefined)[] = [];
  for (const key of ['1:one', '1:one', '1:two', undefined]) {
    expect(await outcome('ada@example.org', MAIL, key)).toBe('sent');
    ids.push(smtp.mails.at(-1)?.headers['message-id']);
  }
  expect(ids[0]).toMatch(/^<[0-9a-f]{32}@localhost>$/);
  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(3);
});

test('a mail that can be stopped says so to people and to mail programs', async () => {
  const unsubscribe = 'https://arc.test/unsubscribe/t';
  await outcome('ada@example.org', { ...MAIL, unsubscribe });
  const { text, html, headers } = smtp.mails.at(-1) ?? {};
  expect(text).toMatch(/\nStop these mails: https:\/\/arc\.test\/unsubscribe\/t$/);
  expect(html).toContain('<a href="https://arc.test/unsubscribe/t">Stop these mails</a>');
  expect(headers).toMatchObject({
    'list-unsubscribe': '<https://arc.test/unsubscribe/t>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
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
