import { describe, expect, test } from '@jest/globals';
import { type Mail, writeHtml, writeText } from '../../../bot/engine/mail/mail.ts';
import { alreadySignedUp } from '../../../bot/engine/mail/mails/alreadySignedUp.ts';
import { invitation } from '../../../bot/engine/mail/mails/invitation.ts';
import { resetCode } from '../../../bot/engine/mail/mails/resetCode.ts';
import { signUpCode } from '../../../bot/engine/mail/mails/signUpCode.ts';
import { baseUrl } from '../../../models/env.ts';

const HOSTILE = `<img src=x onerror="alert('1')">&amp;`;
const link = `${baseUrl()}/auth?invitation=abc&x=1`;
const MAILS: Record<string, Mail> = {
  'the code of a sign-up': signUpCode('123456'),
  'a sign-up with a registered address': alreadySignedUp(),
  'the code of a reset': resetCode('654321'),
  'an invitation': invitation({ by: HOSTILE, company: HOSTILE, link, days: 7 }),
};

/** Pages that a link may open: none of them changes anything by being opened. */
const PAGES = /^\/(auth|agent-inbox|arc-chat|unsubscribe\/[\w.-]+|#preferences|#billing|#automation)?([?#].*)?$/;

describe.each(Object.entries(MAILS))('%s', (_name, mail) => {
  const [text, html] = [writeText(mail), writeHtml(mail)];
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));

  test('says the same as text and as HTML', () => {
    expect(html).toContain(`<title>`);
    expect(html.match(/<(p|ul)[ >]/g)).toHaveLength(mail.parts.length);
    for (const part of mail.parts) {
      const said =
        typeof part === 'string' ? part : 'code' in part ? part.code : 'link' in part ? part.link : part.list[0];
      expect(text).toContain(said);
    }
    for (const to of links) expect(text).toContain(to);
    expect(text.split('\n')).toContain(mail.because);
  });

  test('links to pages of this server alone, and fetches nothing', () => {
    for (const to of links) {
      expect(to.startsWith(`${baseUrl()}/`)).toBe(true);
      expect(to.slice(baseUrl().length)).toMatch(PAGES);
    }
    expect(html).not.toMatch(/<(img|link|script|iframe|form)\b|url\(|@import/i);
  });

  test('declares both colour schemes, and a language', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    expect(html).toContain('<html lang="en-GB">');
  });
});

test('names in a mail are text, never markup', () => {
  const html = writeHtml(invitation({ by: HOSTILE, company: HOSTILE, link, days: 7 }));
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp; invites you');
  expect(html).toContain('invitation=abc&amp;x=1');
});

test('every part is written', () => {
  const mail = { subject: 'S', parts: ['One', { list: ['a', 'b'] }, { code: '12' }], because: 'B' };
  expect(writeText(mail)).toBe('One\n\n- a\n- b\n\n12\n\n--\nArc\nB');
  expect(writeHtml(mail)).toContain('<p>One</p>\n<ul><li>a</li><li>b</li></ul>\n<p class="code">12</p>\n<footer>');
});
