import { expect, test } from '@jest/globals';
import { makeAccessToken } from '../../models/contracts/accessTokens.ts';
import { personName } from '../../models/contracts/auth.ts';
import { changeAutomationJob, createAutomationJob } from '../../models/contracts/automation.ts';
import { shownName, toOneLine } from '../../models/contracts/oneLine.ts';
import { putPreferences } from '../../models/contracts/preferences.ts';

const JOB = { actionType: 'hazard_log_analysis', cronExpression: '0 9 * * *' };

import { changeThread } from '../../models/contracts/threads.ts';
import { addToolServer } from '../../models/contracts/toolServers.ts';

test.each([
  ['breaks of lines', 'n8n\r\nBcc: all@example.org', 'n8n Bcc: all@example.org'],
  ['other breaks', 'a\u2028b\u2029c\u0085d', 'a b c d'],
  ['controls', 'a\u0007b\u001b[31m', 'a b [31m'],
  ['marks of direction', '\u202efdp.log\u2066', 'fdp.log'],
  ['what hides text', 'a\u200bb\u00adc\ufeffd\u2060e', 'abcde'],
  ['space around', '  n8n\t', 'n8n'],
])('a name has no %s', (_what, given, shown) => {
  expect(toOneLine(given)).toBe(shown);
});

test('joiners stay where letters stand', () => {
  expect(toOneLine('نرگس\u200cالسادات')).toBe('نرگس\u200cالسادات');
  expect(toOneLine('👩\u200d⚕️')).toBe('👩\u200d⚕️');
});

test('a name that nobody sees is empty', () => {
  expect(toOneLine('\u200c\u200d \u3164')).toBe('');
  const name = shownName(3, 'Name it.');
  expect(name.safeParse('\u200d').error?.issues.map(({ message }) => message)).toEqual(['Name it.']);
  expect(name.parse('abc\n')).toBe('abc');
  expect(name.safeParse('abcd').success).toBe(false);
});

test('names of tokens, servers, conversations and people are such names', () => {
  const given = 'Ada\r\nhttps://example.org';
  const shown = 'Ada https://example.org';
  expect(makeAccessToken.body.shape.name.parse(given)).toBe(shown);
  expect(addToolServer.body.shape.name.parse(given)).toBe(shown);
  expect(changeThread.body.shape.title.parse(given)).toBe(shown);
  expect(personName.parse(given)).toBe(shown);
});

/** Mails, cards and files show these names: a line of its own there could pass for words of Arc. */
test.each([
  ['firstName', (name: string) => putPreferences.body.parse({ firstName: name }).firstName],
  ['lastName', (name: string) => putPreferences.body.parse({ lastName: name }).lastName],
  ['companyName', (name: string) => putPreferences.body.parse({ companyName: name }).companyName],
  ...(['profession', 'register', 'registrationNumber'] as const).map(
    (field) =>
      [
        field,
        (name: string) => {
          const officer = { userId: 1, profession: 'a', register: 'b', registrationNumber: 'c', [field]: name };
          return putPreferences.body.parse({ clinicalSafetyOfficer: officer }).clinicalSafetyOfficer?.[field];
        },
      ] as const,
  ),
  ['the name of a new schedule', (name: string) => createAutomationJob.body.parse({ ...JOB, name }).name],
  ['the name of a changed schedule', (name: string) => changeAutomationJob.body.parse({ name }).name],
] as const)('%s is kept as one line without characters that turn text', (_, keep) => {
  expect(keep(' A\u202E\r\nBcc: b@example.org ')).toBe('A Bcc: b@example.org');
});
