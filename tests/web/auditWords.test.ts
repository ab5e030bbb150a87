import { expect, test } from '@jest/globals';
import { eventInWords, outcomeInWords, subjectInWords, surfaceInWords } from '../../web/pages/audit/eventWords.ts';

test('events read as words, and an unknown one is spelled out', () => {
  expect(eventInWords('interrupt.answered')).toBe('Question answered');
  expect(eventInWords('tool-server.added')).toBe('Tool server added');
});

test('subjects name people and questions, and never a long id as a whole', () => {
  const names = new Map([[7, 'Ada Okafor']]);
  expect(subjectInWords('user:7', names)).toBe('Ada Okafor');
  expect(subjectInWords('user:8', names)).toBe('Person 8');
  expect(subjectInWords('interrupt:12', names)).toBe('Question 12');
  expect(subjectInWords('account:1', names)).toBe('Company');
  expect(subjectInWords('token:0123456789abcdef01234567', names)).toBe('Access token …234567');
  expect(subjectInWords('agent:clinical_safety', names)).toBe('Clara');
  expect(subjectInWords('profile:3', names)).toBe('profile:3');
});

test('outcomes are read without their digest, and rows are counted', () => {
  const digest = 'a'.repeat(64);
  const read = (event: string, outcome: string) => outcomeInWords(event, outcome, new Map([[7, 'Ada Okafor']]));
  expect(read('interrupt.answered', `approved:${digest}`)).toBe('approved');
  expect(read('interrupt.rows-decided', `12:${digest}`)).toBe('12 rows');
  expect(read('interrupt.rows-decided', `1:${digest}`)).toBe('1 row');
  expect(read('credits.granted', '12')).toBe('12');
  expect(read('incident.recorded', digest)).toBe('file written');
  expect(read('incident.recorded', `${digest}a`)).toBe(`${digest}a`);
  expect(read('interrupt.commented', digest)).toBe('comment written');
  expect(read('interrupt.snoozed', 'until 2026-05-04T08:00:00.000Z')).toMatch(/^until 4 May 2026, \d\d:00$/);
  expect(read('interrupt.signature-withdrawn', 'user:7, who left the company')).toBe(
    'Ada Okafor, who left the company',
  );
  expect(read('finding.assigned', 'user:7')).toBe('Ada Okafor');
  expect(read('finding.assigned', 'user:8')).toBe('Somebody who left');
  expect(read('interrupt.escalated', 'to user:7 user:8')).toBe('to Ada Okafor, Somebody who left');
  expect(read('interrupt.escalated', 'to nobody')).toBe('to nobody');
});

test('surfaces have names', () => {
  expect([surfaceInWords('slack'), surfaceInWords('command'), surfaceInWords('fax')]).toEqual([
    'Slack',
    'Server command',
    'fax',
  ]);
});
