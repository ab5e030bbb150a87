import { describe, expect, test } from '@jest/globals';
import { CRON_PRESETS, DEFAULT_CRON } from '../../models/contracts/automation.ts';
import type { ChatMessage, RunProgress } from '../../models/contracts/chat.ts';
import { allowedTabs, type DashboardState } from '../../models/contracts/dashboardTabs.ts';
import { INTEGRATIONS } from '../../models/contracts/integrations.ts';
import { resolveInterrupt } from '../../models/contracts/interrupts.ts';
import { CallError, codeOf, textOf, urlOf } from '../../web/data/call.ts';
import { faultOf, type History, withMessage } from '../../web/data/chat.ts';
import { connectionOf } from '../../web/data/integrations.ts';
import { withProgress } from '../../web/data/progress.ts';
import { elapsed, sizeOf, totalTime } from '../../web/data/words.ts';
import { boldParts, messageBlocks } from '../../web/parts/messageBlocks.ts';

describe('the tabs of the dashboard', () => {
  const done: DashboardState = { onboardingCompleted: true, onboardingStep: 'completed', locked: false, chat: false };
  const at = (onboardingStep: DashboardState['onboardingStep']) => ({
    ...done,
    ...{ onboardingCompleted: false, onboardingStep },
  });
  /** @shows S1-2.11 */
  test('are preferences and the steps reached so far, until the onboarding is complete', () => {
    expect(allowedTabs(at('preferences'))).toEqual(['preferences']);
    expect(allowedTabs({ ...at('integrations'), chat: true })).toEqual(['preferences', 'team', 'integrations', 'chat']);
    expect(allowedTabs(done)).toHaveLength(4);
  });

  /** @shows S1-2.11 */
  test('are only billing once the trial is over', () => {
    expect(allowedTabs({ ...done, locked: true })).toEqual(['billing']);
  });
});

describe('an error of a call', () => {
  /** @shows S1-7.1 */
  test('reads "status: body" and has the parsed body', () => {
    const error = new CallError(409, '{"error":"Answered already.","code":"already_answered"}', 'Conflict');
    expect(error.message).toBe('409: {"error":"Answered already.","code":"already_answered"}');
    expect(textOf(error, 'otherwise')).toBe('Answered already.');
    expect(codeOf(error)).toBe('already_answered');
    expect(new CallError(502, '', 'Bad Gateway').message).toBe('502: Bad Gateway');
    expect(textOf(new CallError(502, '<html>', 'Bad Gateway'), 'otherwise')).toBe('otherwise');
    expect(textOf(new TypeError('network'), 'otherwise')).toBe('otherwise');
  });

  test('an address has its parameters filled in', () => {
    expect(urlOf(resolveInterrupt, { params: { id: 7 } })).toBe('/api/interrupts/7/resolve');
  });
});

describe('a file before it is sent', () => {
  const file = (name: string, type: string, size = 10) => ({ name, type, size }) as File;
  test.each([
    ['log.xlsx', ''],
    ['LOG.XLS', 'application/vnd.ms-excel'],
    ['export.csv', 'text/csv'],
    ['notes.MD', ''],
    ['hazards', 'text/markdown'],
  ])('%s is accepted', (name, type) => expect(faultOf(file(name, type))).toBeNull());
  /** @shows S1-9.1, S1-5.4 */
  test('of another type gets a message about what to choose', () => {
    expect(faultOf(null)?.title).toBe('No file selected');
    expect(faultOf(file('a.pdf', 'application/pdf'))).toEqual({
      title: 'Invalid file type',
      message: 'Please select an Excel (.xlsx, .xls) or CSV file.',
    });
    expect(faultOf(file('a.csv', 'text/csv', 10 * 1024 * 1024))).toBeNull();
    expect(faultOf(file('a.csv', 'text/csv', 10 * 1024 * 1024 + 1))?.message).toBe(
      'Please select a file smaller than 10MB.',
    );
  });
});

describe('the state of an integration', () => {
  const of = (id: string) => INTEGRATIONS.find((it) => it.id === id)!;
  const state = (some: object) => ({ authenticated: false, enabled: false, error: null, configured: true, ...some });
  /** @shows S2-4.2 */
  test('comes from the switch for arc-chat and teams, from errors first for slack, and from the sign-in first for others', () => {
    expect(connectionOf(of('arc-chat'), state({ enabled: true }))).toBe('connected');
    expect(connectionOf(of('teams'), state({ authenticated: true }))).toBe('not_connected');
    expect(connectionOf(of('slack'), state({ authenticated: true, error: 'revoked' }))).toBe('error');
    expect(connectionOf(of('notion'), state({ authenticated: true, error: 'late' }))).toBe('connected');
    expect(connectionOf(of('notion'), state({ error: 'revoked' }))).toBe('error');
    expect(connectionOf(of('notion'), undefined)).toBe('not_connected');
  });
});

/** @shows S1-9.4 */
test('schedules offer the specification’s times, and weekly by default', () => {
  expect(CRON_PRESETS).toEqual({
    daily: '0 9 * * *',
    weekly: '0 9 * * 1',
    monthly: '0 9 1 * *',
    quarterly: '0 9 1 */3 *',
  });
  expect(DEFAULT_CRON).toBe('0 9 * * 1');
});

test('durations and sizes are written as people write them', () => {
  expect(elapsed(42_900)).toBe('42 s');
  expect(elapsed(185_000)).toBe('3 min 05 s');
  expect(sizeOf(12_400)).toBe('12 kB');
});

test.each([
  [0, '0.1 seconds'],
  [149, '0.1 seconds'],
  [12_340, '12.3 seconds'],
  [59_949, '59.9 seconds'],
  [59_950, '1 minute 0 seconds'],
  [60_000, '1 minute 0 seconds'],
  [61_000, '1 minute 1 second'],
  [125_000, '2 minutes 5 seconds'],
  [179_960, '3 minutes 0 seconds'],
])('a collaboration of %i ms took %s', (milliseconds, text) => expect(totalTime(milliseconds)).toBe(text));

/** @shows S1-2.7 */
test('an agent’s words: bullets, numbers and plain lines', () => {
  expect(
    messageBlocks('Two things.\nThey matter.\n\n• one\n* two\n- three\n2. second\n3) third\n\n7. later\nEnd'),
  ).toEqual([
    { kind: 'text', lines: ['Two things.', 'They matter.'] },
    { kind: 'bullets', lines: ['one', 'two', 'three'] },
    { kind: 'numbers', start: 2, lines: ['second', 'third'] },
    { kind: 'numbers', start: 7, lines: ['later'] },
    { kind: 'text', lines: ['End'] },
  ]);
  expect(messageBlocks('**Bold** first\n2025. A year')).toEqual([
    { kind: 'text', lines: ['**Bold** first', '2025. A year'] },
  ]);
  expect(boldParts('a **b** c **d**')).toEqual(['a ', 'b', ' c ', 'd', '']);
});

describe('running work', () => {
  const run = (runId: string, more: object) =>
    ({ runId, conversation: 'one', status: 'working', done: 0, ...more }) as RunProgress;
  test('is as in the last live message, and gone once it is over', () => {
    const read = [run('a', { done: 1 }), run('b', { done: 2 })];
    const live = new Map([
      ['a', run('a', { done: 7 })],
      ['b', run('b', { status: 'completed' })],
      ['c', run('c', { done: 3 })],
      ['d', run('d', { conversation: 'two' })],
    ]);
    expect(withProgress('one', read, live)).toEqual([run('a', { done: 7 }), run('c', { done: 3 })]);
    expect(withProgress('one', read, new Map())).toEqual(read);
  });
});

describe('a message that arrives', () => {
  const message = (id: string, more: Partial<ChatMessage> = {}) =>
    ({ id, conversation: 'one', clientId: null, message: id, ...more }) as ChatMessage;
  const history = { conversation: 'one', messages: [message('a')], count: 1 } as History;

  test('is the newest of its conversation, and takes the place of the one that it is', () => {
    expect(withMessage(history, message('b'))).toMatchObject({ messages: [{ id: 'b' }, { id: 'a' }], count: 2 });
    const sent = withMessage(history, message('own', { clientId: 'own' }));
    const stored = withMessage(sent, message('c', { clientId: 'own' }));
    expect(stored).toMatchObject({ messages: [{ id: 'c' }, { id: 'a' }], count: 2 });
  });

  test('in another conversation changes nothing', () => {
    expect(withMessage(history, message('b', { conversation: 'two' }))).toBe(history);
    expect(withMessage(history, message('a', { conversation: 'two', message: 'other' }))).toBe(history);
  });
});
