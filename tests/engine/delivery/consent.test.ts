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
import { describeResolution, viewInterrupt } from '../../../bot/engine/delivery/viewInterrupt.ts';
import { viewQuestion } from '../../../bot/engine/questions/kinds/index.ts';
import { messageCard } from '../../../models/contracts/chat.ts';
import { baseUrl } from '../../../models/env.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { makeInterrupt, makeProposal, rowsUnder } from '../../factories/interrupt.ts';

// The agents declare the names of Arc's own exports.
registerAgents(agents);

const BOTH = ['reference-only', 'redacted'] as const;
const asked = (change: Partial<InterruptRow>) => viewInterrupt(makeInterrupt(change), null, 'UTC');
const resolved = (change: Partial<InterruptRow>): Partial<InterruptRow> => ({
  status: 'resolved',
  resolution: {
    outcome: 'answered',
    by: { userId: 7, name: 'Ada Okafor' },
    via: 'teams',
    reason: null,
    at: new Date('2026-06-01T13:02:00Z'),
  },
  ...change,
});

test('of two modes the stricter one applies; without any, the strictest', () => {
  expect(leastOf('full', 'redacted')).toBe('redacted');
  expect(leastOf('redacted', 'reference-only')).toBe('reference-only');
  expect(leastOf('full', 'full')).toBe('full');
  expect(leastOf()).toBe('reference-only');
});

test('a link points to its conversation, its file or its question', () => {
  const conversation = new Types.ObjectId();
  expect(linkToChat()).toBe(`${baseUrl()}/arc-chat`);
  expect(linkToChat(conversation)).toBe(`${baseUrl()}/arc-chat?conversation=${conversation}`);
  expect(linkToDownload('a b/c.xlsx')).toBe(`${baseUrl()}/api/download/a%20b%2Fc.xlsx`);
  expect(linkToReview(7)).toBe(`${baseUrl()}/agent-inbox?interrupt=7`);
});

describe('a message', () => {
  const conversationId = new Types.ObjectId();
  const attachments = [{ id: 'f', name: 'Ward 7.xlsx' }] as never;
  const card = {
    title: 'Analysis',
    headline: 'Ward 7',
    page: '/analyses/7',
    table: [['H1']],
    actions: [
      { action: 'download', label: 'Log', value: 'Ward 7.xlsx' },
      { action: 'download', label: 'None' },
      { action: 'open', label: 'Open', value: 'Ward 7.xlsx' },
    ],
  } as never;
  const derived = { redacted: 'Some hazards.', reference: `Read it in Arc: ${linkToChat()}` };
  const message = { text: 'Ward 7 lacks a control.', derived, card, attachments, conversationId };

  test('is sent unchanged with full consent, and if nothing in it comes from documents', () => {
    expect(messageUnder('full', message)).toEqual({ text: message.text, card, attachments });
    for (const mode of BOTH)
      expect(messageUnder(mode, { ...message, derived: null })).toEqual({ text: message.text, card, attachments });
  });

  test('is otherwise sent as written for the mode, without tables, files and their names', () => {
    const left = { title: 'Analysis', headline: undefined, page: '/analyses/7', table: undefined };
    const actions = [{ action: 'open', label: 'Open', value: 'Ward 7.xlsx' }];
    expect(messageUnder('redacted', message)).toEqual({
      text: 'Some hazards.',
      card: { ...left, actions },
      attachments: [],
    });
    expect(messageUnder('reference-only', message).text).toBe(`Read it in Arc: ${linkToChat(conversationId)}`);
    expect(messageUnder('redacted', { ...message, card: null }).card).toBeNull();
  });

  test('has no part of a card that nobody has decided on: words of documents stay, counts and ids go', () => {
    const withheld = ['asked', 'headline', 'sources', 'table'];
    const sent = ['actions', 'figures', 'hazardAnalysisId', 'interruptId', 'page', 'runId'];
    const parts = Object.keys(messageCard.unwrap().shape);
    expect(parts.sort()).toEqual([...sent, ...withheld].sort());
    const whole = Object.fromEntries(parts.map((part) => [part, part === 'actions' ? [] : 'Ward 7'])) as never;
    const { card: left } = messageUnder('redacted', { ...message, card: whole });
    expect(Object.keys(JSON.parse(JSON.stringify(left))).sort()).toEqual(sent);
  });

  test('that is a refusal is replaced if it may contain words from files', () => {
    expect(refusalUnder({ code: 'conflict' })).toBeNull();
    const written = refusalUnder({ code: 'invalid_file' });
    expect(written?.redacted).toContain(linkToChat());
    expect(written?.reference).toBe(written?.redacted);
  });

  test.each([
    [[], 'Drop in another one, or read'],
    [['md'], 'Drop in another one (.md), or read'],
    [['docx', 'md', 'txt'], 'Drop in another one (.docx, .md or .txt), or read'],
  ])('that is a refusal names the types that the agent takes: %j', (extensions, says) => {
    expect(refusalUnder({ code: 'invalid_file' }, extensions)?.redacted).toContain(says);
  });
});

describe('a question', () => {
  const review = (count = 1) =>
    asked({
      _id: 7,
      interruptType: 'hazard_review',
      prompt: 'Review Ward 7',
      context: { description: 'From Ward 7', rows: Array.from({ length: count }, () => makeProposal()) },
    });
  const decision = asked({
    _id: 8,
    interruptType: 'decision',
    prompt: 'Which ward?',
    options: ['Ward 7', { id: 'w8', label: 'Ward 8', action: 'choose' }],
  });

  test('is sent unchanged with full consent', () => {
    expect(viewQuestion(review(), 'full')).toMatchObject({
      label: 'Hazard review',
      prompt: 'Review Ward 7',
      sections: [
        { text: 'From Ward 7' },
        {
          items: [{ title: 'H1', text: 'Wrong dose shown', quote: { text: 'Dose in the wrong unit', source: 'EX-1' } }],
        },
      ],
    });
    expect(viewQuestion(decision, 'full')).toMatchObject({
      prompt: 'Which ward?',
      sections: [],
      actions: [{ label: 'Ward 7' }, { label: 'Ward 8' }],
    });
  });

  test('has our own titles under redaction, and only ids under reference ids', () => {
    const item = { title: 'H1', quote: null, colours: [] };
    const itemsUnder = (mode: 'redacted' | 'reference-only') =>
      viewQuestion(review(), mode).sections.flatMap((it) => it.items);
    expect(itemsUnder('redacted')).toEqual([{ ...item, text: 'Wrong dose' }]);
    expect(itemsUnder('reference-only')).toEqual([{ ...item, text: null }]);
    expect(viewQuestion(review(), 'redacted').prompt).toBe('Please review 1 proposal (question 7).');
    expect(viewQuestion(review(2), 'redacted').prompt).toBe('Please review 2 proposals (question 7).');
    expect(rowsUnder([makeProposal({ candidates: [] })], 'redacted').rows[0]?.title).toBeNull();
    for (const mode of BOTH) {
      const { prompt, sections, actions } = viewQuestion(decision, mode);
      expect([prompt, sections]).toEqual(['An agent has a question for you (question 8).', []]);
      expect(actions.map(({ label }) => label)).toEqual(['Option 1', 'Option 2']);
    }
  });

  test('shows its outcome, with the chosen option as far as consent allows', () => {
    const by = 'Answered by Ada Okafor in Teams, 13:02';
    const chosen = {
      ...decision,
      ...asked(resolved({})),
      options: decision.options,
      interruptType: 'decision' as const,
    };
    const told = (mode: 'full' | 'redacted', userResponse: unknown) => outcomeUnder(mode, { ...chosen, userResponse });
    expect(told('full', { selectedOption: 'w8' })).toBe(`${by}: Ward 8`);
    expect(told('redacted', { selectedOption: 'w8' })).toBe(`${by}: Option 2`);
    expect(told('full', { selectedOption: 'other' })).toBe(by);
    expect(told('full', null)).toBe(by);
    expect(outcomeUnder('full', { ...decision, status: 'cancelled' })).toBe('Withdrawn');
    expect(outcomeUnder('full', decision)).toBe('Answered');
  });

  test('shows a typed answer only with full consent, up to a hundred characters', () => {
    const by = 'Answered by Ada Okafor in Teams, 13:02';
    const written = (userInput?: string) => asked(resolved({ interruptType: 'input', userResponse: { userInput } }));
    expect(outcomeUnder('full', written('Ward 7'))).toBe(`${by}: Ward 7`);
    for (const mode of BOTH) expect(outcomeUnder(mode, written('Ward 7'))).toBe(by);
    expect(outcomeUnder('full', written())).toBe(by);
    expect(outcomeUnder('full', written('x'.repeat(100)))).toBe(`${by}: ${'x'.repeat(100)}`);
    expect(outcomeUnder('full', written('x'.repeat(101)))).toBe(`${by}: ${'x'.repeat(99)}…`);
  });

  test('shows each viewer what they can do, and when and how it was answered, in the company’s zone', () => {
    const { resolution } = resolved({});
    expect(describeResolution(resolution as never, 'Asia/Tokyo')).toBe('Answered by Ada Okafor in Teams, 22:02');
    const who: Who = {
      userId: 7,
      accountId: 1,
      name: 'Ada',
      email: 'a@example.org',
      emailVerified: true,
      roles: ['owner'],
      isAdmin: false,
      hasOfficer: false,
    };
    const row = makeInterrupt();
    expect(viewInterrupt(row, who, 'UTC').abilities).toEqual({ answer: true, withdraw: true });
    expect(viewInterrupt(row, { ...who, roles: ['member'] }, 'UTC').abilities).toEqual({
      answer: false,
      waitsFor: 'This question waits for the account owner or an approver.',
    });
    expect(viewInterrupt(row, null, 'UTC').abilities).toEqual({ answer: false });
    expect(viewInterrupt({ ...row, ...resolved({}) } as InterruptRow, who, 'UTC').abilities).toEqual({ answer: false });
    const seen = viewInterrupt({ ...row, ...resolved({ resolvedAt: new Date(0) }) } as InterruptRow, who, 'UTC');
    expect(seen).toMatchObject({ resolvedAt: '1970-01-01T00:00:00.000Z', userResponse: null, draft: null });
    expect(seen.resolution).toEqual({
      outcome: 'answered',
      by: { userId: 7, name: 'Ada Okafor' },
      via: 'teams',
      reason: null,
      at: '2026-06-01T13:02:00.000Z',
      text: 'Answered by Ada Okafor in Teams, 13:02',
    });
    const under = { ...(resolution as object), shownUnder: 'redacted' } as never;
    expect(viewInterrupt({ ...row, resolution: under }, who, 'UTC').resolution?.shownUnder).toBe('redacted');
    const draft = { rows: [], version: 1, savedAt: new Date(0), savedBy: 'Ada' };
    expect(viewInterrupt({ ...row, draft }, who, 'UTC').draft?.savedAt).toBe('1970-01-01T00:00:00.000Z');
    expect(viewInterrupt({ ...row, draft: { ...draft, savedAt: null } }, who, 'UTC').draft?.savedAt).toBeNull();
    expect(row.resolvedAt).toBeNull();
  });
});
