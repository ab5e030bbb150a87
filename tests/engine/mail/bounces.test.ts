import { describe, expect, test } from '@jest/globals';
import { readGivenUp } from '../../../bot/engine/mail/bounces.ts';
import { bounced } from '../../factories/bounced.ts';

const failed = (address: string, status = '5.1.1') =>
  `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; 550 5.1.1 unknown`;

describe('a report of a mail that came back', () => {
  test.each<[what: string, groups: string[], given: string[]]>([
    ['names who is given up for good', [failed('Ada@Example.org')], ['ada@example.org']],
    [
      'names each recipient once',
      [failed('a@b.test'), failed('c@d.test', '5.7.1'), failed('a@b.test')],
      ['a@b.test', 'c@d.test'],
    ],
    ['a failure that may pass gives none', [failed('a@b.test', '4.4.7')], []],
    ['a status is read from its beginning', [failed('a@b.test', '45.1.1'), failed('c@d.test', '50')], []],
    ['a delay gives none', [failed('a@b.test').replace('failed', 'delayed')], []],
    ['a delivered copy gives none', [failed('a@b.test', '2.1.5').replace('failed', 'delivered')], []],
    ['an action is needed', ['Final-Recipient: rfc822; a@b.test\nStatus: 5.1.1'], []],
    ['a recipient is needed', ['Action: failed\nStatus: 5.1.1'], []],
    ['an address of another kind is none', [failed('a@b.test').replace('rfc822', 'x400')], []],
    [
      'a forwarded mail names whom it was sent to',
      [`Original-Recipient: rfc822;Ada@b.test\n${failed('other@c.test')}`],
      ['ada@b.test'],
    ],
    [
      'names are read in any case, and folded lines',
      [failed('a@b.test').replace('Final-Recipient: rfc822;', 'FINAL-RECIPIENT:\n\trfc822;')],
      ['a@b.test'],
    ],
    ['comments after the action are left', [failed('<a@b.test>').replace('failed', 'failed (bounced)')], ['a@b.test']],
  ])('%s', (_what, groups, given) => {
    expect(readGivenUp(bounced(groups))).toEqual(given);
    expect(readGivenUp(bounced(groups).replace(/\n/g, '\r\n'))).toEqual(given);
  });

  test('is not read from what the mail returns, nor from other mails', () => {
    const forged = bounced([failed('victim@b.test')]);
    expect(readGivenUp(bounced([failed('a@b.test')], forged))).toEqual(['a@b.test']);
    expect(readGivenUp(bounced([], forged))).toEqual([]);
    expect(readGivenUp(forged.replace('multipart/report', 'multipart/mixed'))).toEqual([]);
    expect(readGivenUp(forged.replace(/boundary="\w+"/, ''))).toEqual([]);
    expect(readGivenUp(failed('a@b.test'))).toEqual([]);
    expect(readGivenUp('')).toEqual([]);
  });

  test('is read in a moment, however long it is', () => {
    const begun = performance.now();
    expect(readGivenUp(bounced([`X: ${' '.repeat(500_000)}a`, failed('a@b.test')]))).toEqual(['a@b.test']);
    expect(
      readGivenUp(bounced([`Final-Recipient: rfc822; ${'a@'.repeat(200_000)}\nAction: failed\nStatus: 5.1.1`])),
    ).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
