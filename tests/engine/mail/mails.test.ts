import { describe, expect, test } from '@jest/globals';
import { type Mail, writeHtml, writeText } from '../../../bot/engine/mail/mail.ts';
import { alreadySignedUp } from '../../../bot/engine/mail/mails/alreadySignedUp.ts';
import { creditsLow } from '../../../bot/engine/mail/mails/creditsLow.ts';
import { invitation } from '../../../bot/engine/mail/mails/invitation.ts';
import { planEnds } from '../../../bot/engine/mail/mails/planEnds.ts';
import { questionDigest } from '../../../bot/engine/mail/mails/questionDigest.ts';
import { questionWaits } from '../../../bot/engine/mail/mails/questionWaits.ts';
import { resetCode } from '../../../bot/engine/mail/mails/resetCode.ts';
import { scheduleFailed } from '../../../bot/engine/mail/mails/scheduleFailed.ts';
import { signUpCode } from '../../../bot/engine/mail/mails/signUpCode.ts';
import { baseUrl } from '../../../models/env.ts';

const HOSTILE = `<img src=x onerror="alert('1')">&amp;`;
const link = `${baseUrl()}/auth?invitation=abc&x=1`;
const QUESTION = { id: 34, asker: HOSTILE, label: 'Approval', since: '4 Jan, 10:20' };
const WAITS = {
  company: HOSTILE,
  link: `${baseUrl()}/agent-inbox?interrupt=34`,
  unsubscribe: `${baseUrl()}/unsubscribe/1.2.x_-y`,
};
const MAILS: Record<string, Mail> = {
  'the code of a sign-up': signUpCode('123456'),
  'a sign-up with a registered address': alreadySignedUp(),
  'the code of a reset': resetCode('654321'),
  'a question': questionWaits({ ...WAITS, question: QUESTION, occasion: 'asked' }),
  'a reminder': questionWaits({ ...WAITS, question: QUESTION, occasion: 'reminded' }),
  'a question for the deputy': questionWaits({ ...WAITS, question: QUESTION, occasion: 'escalated' }),
  'an assigned question': questionWaits({ ...WAITS, question: QUESTION, occasion: 'assigned' }),
  'a second signature': questionWaits({ ...WAITS, question: QUESTION, occasion: 'signed-once' }),
  'a digest': questionDigest({ ...WAITS, questions: [QUESTION] }),
  'a long digest': questionDigest({ ...WAITS, questions: Array(21).fill(QUESTION) }),
  'the end of a trial': planEnds({ what: 'trial', isOver: false, day: '7 Jan 2027', company: HOSTILE }),
  'a plan that is over': planEnds({ what: 'plan', isOver: true, day: '7 Jan 2027', company: HOSTILE }),
  'a schedule that failed': scheduleFailed({ name: HOSTILE, failures: 0, company: HOSTILE }),
  'a paused schedule': scheduleFailed({ name: HOSTILE, failures: 5, company: HOSTILE }),
  'few credits': creditsLow({ remaining: 999, company: HOSTILE }),
  'an invitation': invitation({ by: HOSTILE, company: HOSTILE, link, days: 7 }),
};

/** Pages that a link may open: none of them changes anything by being opened. */
const PAGES =
  /^\/(auth|workspace|agent-inbox|arc-chat|unsubscribe\/[\w.-]+|#preferences|#billing|#automation)?([?#].*)?$/;

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

test('a digest lists twenty questions and counts the others', () => {
  const listed = (count: number) => writeText(questionDigest({ ...WAITS, questions: Array(count).fill(QUESTION) }));
  expect(listed(20).match(/question 34/g)).toHaveLength(20);
  expect(listed(20)).not.toContain('more.');
  expect(listed(22).match(/question 34/g)).toHaveLength(20);
  expect(listed(22)).toContain('\n\nAnd 2 more.\n\n');
});

test.each([
  [
    'an invitation of a company',
    invitation({ by: 'Ada', company: 'Quillmere', link, days: 7 }),
    'Ada invites you to Quillmere',
  ],
  ['an invitation without a name', invitation({ by: 'Ada', company: null, link, days: 7 }), 'Ada invites you to Arc'],
  ['a failure', scheduleFailed({ name: 'Weekly', failures: 0, company: 'Quillmere' }), '“Weekly” failed in Quillmere'],
  [
    'a pause',
    scheduleFailed({ name: 'Weekly', failures: 5, company: 'Q' }),
    '“Weekly” is paused after 5 failures in a row',
  ],
])('the subject of %s says which', (_what, mail, subject) => {
  expect(mail.subject).toBe(subject);
});

test('a schedule that failed goes on, and one that is paused does not', () => {
  const said = (failures: number) => scheduleFailed({ name: 'Weekly', failures, company: 'Quillmere' }).parts[0];
  expect(said(0)).toMatch(/^It runs again at its next time\./);
  expect(said(5)).toBe('It does not run until somebody switches it on again.');
  // The schedules stand in the chat alone.
  expect(writeText(scheduleFailed({ name: 'Weekly', failures: 5, company: 'Q' }))).toContain(
    '“Stay compliant in future”: http://127.0.0.1:3000/arc-chat\n',
  );
});

test('whom to ask for a plan is said where the server names somebody', () => {
  const mail = planEnds({ what: 'trial', isOver: false, day: '7 Jan 2027', company: 'Quillmere' });
  expect(mail.subject).toBe('The trial of Quillmere ends on 7 Jan 2027');
  expect(writeText(mail)).not.toContain('To get a plan');
  const asked = planEnds({ what: 'plan', isOver: true, day: '7 Jan 2027', company: 'Q', contact: 'ops@arc.test' });
  expect(writeText(asked)).toContain('\n\nTo get a plan, contact ops@arc.test.\n\n');
});
