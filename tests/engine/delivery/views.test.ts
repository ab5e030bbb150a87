import { describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { agents } from '../../../bot/agents/index.ts';
import { registerAgents } from '../../../bot/engine/agents/registry.ts';
import {
  leastOf,
  linkToChat,
  linkToDownload,
  linkToReview,
  messageUnder,
  outcomeUnder,
} from '../../../bot/engine/delivery/consent.ts';
import { refusalUnder } from '../../../bot/engine/delivery/refusalUnder.ts';
import { viewMessage } from '../../../bot/engine/delivery/say.ts';
import { splitText } from '../../../bot/engine/delivery/splitText.ts';
import { describeResolution, viewInterrupt } from '../../../bot/engine/delivery/viewInterrupt.ts';
import { viewQuestion } from '../../../bot/engine/questions/kinds/index.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { makeInterrupt, makeProposal, rowsUnder } from '../../factories/interrupt.ts';

// The agents declare the names of Arc's own exports.
registerAgents(agents);

const question = (overrides: Partial<InterruptRow> = {}) => viewInterrupt(makeInterrupt(overrides), null, 'UTC');

describe('a long text in parts', () => {
  test.each([
    ['', 4, []],
    ['abcd', 4, ['abcd']],
    ['abcde', 4, ['abcd', 'e']],
    ['ab cd ef', 5, ['ab cd', 'ef']],
    ['ab cd ef', 4, ['ab c', 'd ef']],
    ['abc def', 4, ['abc', 'def']],
    ['abcd efg', 4, ['abcd', 'efg']],
    ['abc\ndef', 4, ['abc', 'def']],
    ['abc\nd ef', 6, ['abc\nd', 'ef'], 'a line end at half is too early, a space after it is not'],
    ['abcd\ne fg', 7, ['abcd', 'e fg'], 'a line end goes before a space'],
    ['a bcdefgh', 4, ['a bc', 'defg', 'h']],
    ['abc   ', 4, ['abc ']],
    ['abcd   ', 4, ['abcd']],
    ['abc😀d', 4, ['abc', '😀d'], 'no sign is cut in two'],
    ['ab😀d', 4, ['ab😀', 'd']],
    ['abcd&amp;ef', 6, ['abcd', '&amp;e', 'f'], 'no escaped sign is cut in two'],
    ['abcd&amp;ef', 8, ['abcd', '&amp;ef']],
    ['abcd&amp;ef', 9, ['abcd&amp;', 'ef']],
    ['ab&lt;cd', 5, ['ab', '&lt;c', 'd']],
    ['ab&gt;cd', 5, ['ab', '&gt;c', 'd']],
    ['ab&xx;cd', 5, ['ab&xx', ';cd'], 'text that is not an entity may be split'],
    ['a&bcdefgh', 4, ['a&bc', 'defg', 'h']],
    ['&amp;abcdef', 4, ['&amp', ';abc', 'def'], 'a part is never empty'],
  ] as [text: string, most: number, parts: string[], why?: string][])('%j at %i: %j', (text, most, parts) => {
    expect(splitText(text, most)).toEqual(parts);
  });
});

describe('content under consent', () => {
  test.each<[modes: ConsentMode[], least: ConsentMode]>([
    [['full'], 'full'],
    [['full', 'redacted'], 'redacted'],
    [['redacted', 'full'], 'redacted'],
    [['full', 'reference-only'], 'reference-only'],
    [['reference-only', 'redacted'], 'reference-only'],
    [[], 'reference-only'],
  ])('of %j has the strictest mode %s', (modes, least) => {
    expect(leastOf(...modes)).toBe(least);
  });

  const conversationId = new Types.ObjectId();
  const table = { columns: ['Hazard'], rows: [['Wrong dose']] };
  const actions = [
    { label: 'A', action: 'download', value: 'proposed-hazards-7.xlsx' },
    { label: 'B', action: 'download', value: 'St Mary hazards.xlsx' },
    { label: 'C', action: 'download' },
    { label: 'D', action: 'send', value: 'Go on' },
  ];
  const message = {
    text: 'Wrong dose in St Mary',
    derived: { redacted: `Redacted. ${linkToChat()} or ${linkToChat()}`, reference: `Reference. ${linkToChat()}` },
    card: { headline: 'Wrong dose', table, actions, interruptId: 7 },
    attachments: [{ fileName: 'log.xlsx', url: '/log.xlsx' }],
    conversationId,
  } as unknown as MessageRow;
  const there = linkToChat(conversationId);

  test('a message is sent unchanged with full consent, or if it has no words from documents', () => {
    const whole = { text: message.text, card: message.card, attachments: message.attachments };
    expect(messageUnder('full', message)).toEqual(whole);
    for (const mode of ['redacted', 'reference-only'] as const)
      expect(messageUnder(mode, { ...message, derived: null })).toEqual(whole);
  });

  test.each([
    ['redacted', `Redacted. ${there} or ${there}`],
    ['reference-only', `Reference. ${there}`],
  ] as const)(
    'otherwise as written for %s, with links to its own conversation, and buttons without a company’s words',
    (mode, text) => {
      expect(messageUnder(mode, message)).toEqual({
        text,
        card: { headline: undefined, table: undefined, interruptId: 7, actions: [actions[0], actions[3]] },
        attachments: [],
      });
      expect(messageUnder(mode, { ...message, card: null }).card).toBeNull();
      expect(messageUnder(mode, { ...message, card: { interruptId: 7 } } as MessageRow).card?.actions).toBeUndefined();
    },
  );

  test('links lead to Arc', () => {
    const base = linkToChat().replace('/arc-chat', '');
    expect(base).toMatch(/^https?:/);
    expect(linkToChat(conversationId)).toBe(`${base}/arc-chat?conversation=${conversationId}`);
    expect(linkToDownload('a b.xlsx')).toBe(`${base}/api/download/a%20b.xlsx`);
    expect(linkToReview(7)).toBe(`${base}/agent-inbox?interrupt=7`);
  });

  test('only refusals with words from files are reworded', () => {
    const derived = refusalUnder({ code: 'invalid_file' });
    expect(derived?.redacted).toContain(linkToChat());
    expect(derived?.reference).toBe(derived?.redacted);
    expect(refusalUnder({ code: 'no_log' })).toBeNull();
  });

  test('a question’s options keep their answer, and their words only with full consent', () => {
    const options = ['Keep it', { id: 'x', label: 'Drop St Mary', action: 'x' }];
    const actions = (mode: ConsentMode) =>
      viewQuestion(question({ interruptType: 'decision', options }), mode).actions.map(({ label, answer }) => [
        label,
        answer,
      ]);
    const answers = [{ selectedOption: 'Keep it' }, { selectedOption: 'x' }];
    expect(actions('full')).toEqual(['Keep it', 'Drop St Mary'].map((label, index) => [label, answers[index]]));
    for (const mode of ['redacted', 'reference-only'] as const)
      expect(actions(mode)).toEqual(answers.map((answer, index) => [`Option ${index + 1}`, answer]));
  });

  test('a question’s prompt and description, by mode and by type', () => {
    const asked = (mode: ConsentMode, overrides: Partial<InterruptRow>) =>
      viewQuestion(question({ _id: 7, prompt: 'Drop St Mary?', ...overrides }), mode);
    const described = { context: { description: 'They asked for it' } };
    expect(asked('full', described)).toMatchObject({
      prompt: 'Drop St Mary?',
      sections: [{ text: 'They asked for it' }],
    });
    expect(asked('full', {}).sections).toEqual([]);
    for (const mode of ['redacted', 'reference-only'] as const) {
      expect(asked(mode, described)).toMatchObject({
        prompt: 'An agent has a question for you (question 7).',
        sections: [],
      });
      for (const [count, words] of [
        [1, '1 proposal'],
        [2, '2 proposals'],
        [0, '0 proposals'],
      ] as const) {
        const context = { rows: Array.from({ length: count }, () => makeProposal()) };
        expect(asked(mode, { interruptType: 'hazard_review', context }).prompt).toBe(
          `Please review ${words} (question 7).`,
        );
      }
    }
  });

  test('a proposal is sent with its words, with our own title, or as an id', () => {
    const bare = makeProposal({ id: 'p2', proposedId: 'H2', candidates: [] });
    const rows = [makeProposal(), bare];
    const shown = (mode: ConsentMode) =>
      rowsUnder(rows, mode).rows.map(({ name, title, group, values, quotes, grade }) => [
        name,
        title,
        { group, values, quotes, grade },
      ]);
    const { values, category: group } = makeProposal();
    const whole = {
      group,
      values,
      quotes: [{ field: 'cause', text: 'Dose in the wrong unit', source: 'EX-1' }],
      grade: { value: 3, texts: ['Major', 'Medium'] },
    };
    const nothing = { group: null, values: null, quotes: [], grade: null };
    expect(shown('full')).toEqual([
      ['H1', 'Wrong dose shown', whole],
      ['H2', 'Wrong dose shown', whole],
    ]);
    expect(shown('redacted')).toEqual([
      ['H1', 'Wrong dose', nothing],
      ['H2', null, nothing],
    ]);
    expect(shown('reference-only')).toEqual([
      ['H1', null, nothing],
      ['H2', null, nothing],
    ]);
  });

  test('a row’s choices, by id alone under reference-only', () => {
    const match = (kbId: string, score: number) => ({ kbId, title: `Title of ${kbId}`, category: 'Medicines', score });
    const candidates = [match('MED-02', 3), match('MED-08', 2.345)];
    const offered = (sure: boolean, mode: ConsentMode) =>
      rowsUnder([makeProposal({ sure, candidates })], mode).rows[0]?.options.map(({ id, title, note }) => [
        id,
        title,
        note,
      ]);
    expect(offered(true, 'full')).toEqual([]);
    expect(rowsUnder([makeProposal({ sure: false })]).rows[0]?.options).toEqual([]);
    for (const mode of ['full', 'redacted'] as const)
      expect(offered(false, mode)).toEqual([
        ['MED-02', 'Title of MED-02', 'closest'],
        ['MED-08', 'Title of MED-08', null],
      ]);
    expect(offered(false, 'reference-only')).toEqual([
      ['MED-02', null, 'closest'],
      ['MED-08', null, null],
    ]);
  });

  test('says that the same was rejected before, and the reason only with full consent', () => {
    const rejectedBefore = { by: 'Ada Okafor', at: '2026-03-04T10:00:00Z', reason: 'Out of scope' };
    const told = (change: object, mode: ConsentMode) =>
      rowsUnder([makeProposal({ rejectedBefore: { ...rejectedBefore, ...change } })], mode).rows[0]?.earlier;
    const plain = 'Rejected before, on 4 Mar 2026 by Ada Okafor';
    expect(told({}, 'full')).toBe(`${plain}: Out of scope`);
    expect(told({ reason: null }, 'full')).toBe(plain);
    for (const mode of ['redacted', 'reference-only'] as const) expect(told({}, mode)).toBe(plain);
    expect(rowsUnder([makeProposal()]).rows[0]?.earlier).toBeNull();
  });
});

describe('a question’s outcome', () => {
  const at = new Date('2026-03-04T14:02:00Z');
  const resolution: NonNullable<InterruptRow['resolution']> = {
    outcome: 'answered',
    by: { userId: 3, name: 'Ada Okafor' },
    via: 'teams',
    at,
    reason: null,
  };
  const settled = (overrides: Partial<InterruptRow>) => question({ status: 'resolved', resolution, ...overrides });
  const options = ['Keep', { id: 'drop', label: 'Drop St Mary', action: 'x' }];
  const told = 'Answered by Ada Okafor in Teams, 14:02';
  const long = 'x'.repeat(101);

  test.each<[given: Partial<InterruptRow>, full: string, less: string]>([
    [{ status: 'cancelled' }, 'Withdrawn', 'Withdrawn'],
    [{ resolution: null }, 'Answered', 'Answered'],
    [{}, told, told],
    [{ interruptType: 'input', userResponse: { userInput: 'In St Mary' } }, `${told}: In St Mary`, told],
    [{ interruptType: 'input', userResponse: { userInput: long } }, `${told}: ${'x'.repeat(99)}…`, told],
    [{ interruptType: 'input', userResponse: { userInput: long.slice(1) } }, `${told}: ${long.slice(1)}`, told],
    [{ interruptType: 'input', userResponse: {} }, told, told],
    [{ interruptType: 'input', userResponse: null }, told, told],
    [
      { interruptType: 'decision', options, userResponse: { selectedOption: 'Keep' } },
      `${told}: Keep`,
      `${told}: Option 1`,
    ],
    [
      { interruptType: 'project_preview', options, userResponse: { choice: 'drop' } },
      `${told}: Drop St Mary`,
      `${told}: Option 2`,
    ],
    [{ interruptType: 'decision', options, userResponse: { selectedOption: 'gone' } }, told, told],
  ])('%j', (given, full, less) => {
    expect(outcomeUnder('full', settled(given))).toBe(full);
    for (const mode of ['redacted', 'reference-only'] as const) expect(outcomeUnder(mode, settled(given))).toBe(less);
  });

  test.each([
    ['approved', 'inbox', 'Approved by Ada Okafor in the inbox, 09:02'],
    ['modified', 'arc-chat', 'Approved with changes by Ada Okafor in arc-chat, 09:02'],
    ['rejected', 'slack-home', 'Rejected by Ada Okafor in Slack, 09:02'],
    ['answered', 'mail', 'Answered by Ada Okafor in mail, 09:02'],
  ] as const)('shows %s in %s, in the company’s time zone', (outcome, via, text) => {
    expect(describeResolution({ ...resolution, outcome, via }, 'America/New_York')).toBe(text);
  });

  const member: Who = {
    userId: 3,
    accountId: 1,
    name: 'Ada',
    email: 'ada@example.org',
    emailVerified: true,
    roles: ['member'],
    isAdmin: false,
    hasOfficer: false,
  };

  test('shows a question with the actions that the viewer has', () => {
    const createdAt = new Date('2026-03-01T10:00:00Z');
    const row = makeInterrupt({
      _id: 7,
      userAgentId: 5,
      status: 'resolved',
      createdAt,
      resolvedAt: at,
      userResponse: { approved: true },
      resolution: { ...resolution, shownUnder: 'redacted', shownDigest: 'less', reason: 'Because' },
      draft: { rows: [], version: 2, savedAt: at, savedBy: 'Bo' },
      requires: 'clinical-safety-officer',
    });
    const { view, ...seen } = viewInterrupt(row, member, 'UTC');
    expect(view).toMatchObject({ label: 'Approval', prompt: 'Shall I?' });
    expect(seen).toEqual({
      id: 7,
      userAgentId: 5,
      agentId: 'clinical_safety',
      agentName: 'Clara',
      interruptType: 'approval',
      status: 'resolved',
      prompt: 'Shall I?',
      options: [],
      context: {},
      createdAt: '2026-03-01T10:00:00.000Z',
      resolvedAt: '2026-03-04T14:02:00.000Z',
      userResponse: { approved: true },
      resolution: {
        outcome: 'answered',
        by: { userId: 3, name: 'Ada Okafor' },
        via: 'teams',
        reason: 'Because',
        shownUnder: 'redacted',
        at: '2026-03-04T14:02:00.000Z',
        text: told,
      },
      draft: { rows: [], version: 2, savedAt: '2026-03-04T14:02:00.000Z', savedBy: 'Bo' },
      shownDigest: 'digest',
      requires: 'clinical-safety-officer',
      decidedBy: [],
      abilities: { answer: false },
    });
    expect(viewInterrupt({ ...row, resolution }, null, 'UTC').resolution).not.toHaveProperty('shownUnder');
    const unsaved = question({ draft: { rows: [], version: 0, savedAt: null, savedBy: null } });
    expect(unsaved).toMatchObject({ resolvedAt: null, userResponse: null, resolution: null, requires: null });
    expect(unsaved.draft?.savedAt).toBeNull();
  });

  test.each([
    ['pending', ['member'], { answer: false, waitsFor: expect.stringContaining('an approver') }],
    ['pending', ['approver'], { answer: true }],
    ['pending', null, { answer: false }],
    ['resolved', ['approver'], { answer: false }],
    ['cancelled', ['member'], { answer: false }],
  ] as const)('a %s question for %j: %j', (status, roles, abilities) => {
    const who = roles && { ...member, roles };
    expect(viewInterrupt(makeInterrupt({ status }), who, 'UTC').abilities).toEqual(abilities);
  });
});

test('a message as pages show it', () => {
  const row = {
    _id: new Types.ObjectId(),
    accountId: 1,
    conversationId: new Types.ObjectId(),
    key: 'k',
    messageType: 'assistant',
    kind: 'text',
    text: 'Hello',
    agentId: 'clinical_safety',
    agentName: 'Clara',
    attachments: [],
    card: null,
    clientId: 'c',
    derived: { redacted: 'r', reference: 'r' },
    createdAt: new Date('2026-03-01T10:00:00Z'),
  } as MessageRow;
  expect(viewMessage(row)).toEqual({
    id: String(row._id),
    conversation: String(row.conversationId),
    messageType: 'assistant',
    message: 'Hello',
    response: null,
    timestamp: '2026-03-01T10:00:00.000Z',
    kind: 'text',
    agentId: 'clinical_safety',
    agentName: 'Clara',
    attachments: [],
    card: null,
    clientId: 'c',
    feedback: null,
  });
  const feedback = { value: 'bad' as const, reason: 'Too long' };
  expect(viewMessage({ ...row, feedback: { ...feedback, at: new Date() } }).feedback).toEqual(feedback);
});
