import { describe, expect, test } from '@jest/globals';
import { sizeOf } from '../../bot/channels/teams/cards/card.ts';
import { messageActivities } from '../../bot/channels/teams/cards/messageCard.ts';
import { closedCard, questionCard } from '../../bot/channels/teams/cards/questionCard.ts';
import { reviewCard } from '../../bot/channels/teams/cards/reviewCard.ts';
import { viewInterrupt } from '../../bot/engine/delivery/viewInterrupt.ts';
import type { MessageCard } from '../../models/contracts/chat.ts';
import { makeInterrupt, makeProposal } from '../factories/interrupt.ts';
import { actionsOf, textsOf } from '../fakes/teams/organisation.ts';

/** Maximum size of a card in the specification, in bytes. */
const MAX_CARD_BYTES = 25 * 1024;
const speaker = { agentId: 'clinical_safety', agentName: 'Clara', kind: 'text' as const };
const view = (overrides: Parameters<typeof makeInterrupt>[0]) =>
  viewInterrupt(makeInterrupt(overrides), null, 'Europe/London');
const long = (words: string, times: number) => Array.from({ length: times }, () => words).join(' ');

describe('cards stay within Teams’ limits', () => {
  test('a long table shows what fits, says how much is left, and links', () => {
    const rows = Array.from({ length: 500 }, (_, index) => [`H${index}`, long('Überdosis ist möglich', 30), '3', '4']);
    const card: MessageCard = {
      figures: [{ label: 'Findings', value: '500' }],
      table: { columns: ['Where', 'Finding', 'Recorded', 'Expected'], rows },
    };
    const [first] = messageActivities({ text: 'Analysis complete', card }, speaker);
    const drawn = first?.attachments?.[0]?.content as Parameters<typeof sizeOf>[0];
    expect(sizeOf(drawn)).toBeLessThan(MAX_CARD_BYTES);
    expect(drawn.version).toBe('1.5');
    expect(textsOf(drawn).join('\n')).toMatch(/and \d+ more in Arc/);
    expect(actionsOf(drawn).some(({ type }) => type === 'Action.OpenUrl')).toBe(true);
    // The figure comes first.
    expect((drawn.body[1] as { type: string }).type).toBe('ColumnSet');
  });

  test('a result links to its own page, beside at most five other buttons', () => {
    const sends = Array.from({ length: 6 }, (_, at) => ({ label: `Go ${at}`, action: 'send' as const, value: 'go' }));
    const rows = Array.from({ length: 500 }, (_, index) => [`H${index}`, long('Überdosis ist möglich', 30)]);
    const table = { columns: ['Where', 'Finding'], rows };
    for (const card of [{ page: '/analyses/7' }, { page: '/analyses/7', actions: sends, table }]) {
      const [drawn] = messageActivities({ text: 'Analysis complete', card }, speaker);
      const links = actionsOf(drawn).filter(({ type }) => type === 'Action.OpenUrl');
      expect(links).toMatchObject([{ title: 'Full result in Arc', url: expect.stringMatching(/\/analyses\/7$/) }]);
      expect(actionsOf(drawn)).toHaveLength(card.actions ? 6 : 1);
    }
  });

  test('a table of any length stays under the limit, and is cut only when needed', () => {
    const weights = Array.from({ length: 160 }, (_, index) => {
      const rows = Array.from({ length: index + 1 }, (_row, at) => [`H${at}`, 'Überdosis ist möglich']);
      const [drawn] = messageActivities(
        { text: 'Table', card: { table: { columns: ['Id', 'Hazard'], rows } } },
        speaker,
      );
      return sizeOf(drawn?.attachments?.[0]?.content as Parameters<typeof sizeOf>[0]);
    });
    expect(Math.max(...weights)).toBeLessThan(MAX_CARD_BYTES);
    expect(Math.max(...weights)).toBeGreaterThan(MAX_CARD_BYTES - 500);
  });

  test('long words come in parts, each small enough, with nothing lost', () => {
    const text = Array.from({ length: 4000 }, (_, index) => `• Line ${index} of a long answer`).join('\n');
    const activities = messageActivities({ text, card: null }, speaker);
    expect(activities.length).toBeGreaterThan(1);
    for (const activity of activities) expect(JSON.stringify(activity).length).toBeLessThan(MAX_CARD_BYTES);
    const all = activities.map((activity) => activity.text).join('\n');
    for (const index of [0, 1999, 3999]) expect(all).toContain(`Line ${index} of`);
    const withCard = messageActivities(
      { text, card: { actions: [{ label: 'Go', action: 'send', value: 'go' }] } },
      speaker,
    );
    for (const { attachments } of withCard.slice(0, 1))
      expect(sizeOf(attachments?.[0]?.content as Parameters<typeof sizeOf>[0])).toBeLessThan(MAX_CARD_BYTES);
  });

  test('questions and pages of a review fit, however long their words', () => {
    const proposal = makeProposal({
      values: { ...makeProposal().values, description: long('Very long', 3000) },
      evidence: Array.from({ length: 50 }, () => ({ ticketKey: 'EX-1', summary: 's', quote: long('quoted', 900) })),
    });
    const rows = Array.from({ length: 60 }, (_, index) => ({ ...proposal, id: `p${index}`, proposedId: `H${index}` }));
    const question = view({ interruptType: 'hazard_review', prompt: long('Prompt', 4000), context: { rows } });
    // Every field as long as a field may be, in letters of three bytes.
    const filled = Object.fromEntries(Object.keys(proposal.values).map((name) => [name, '危'.repeat(1000)]));
    const wideRow = { ...makeProposal(), values: filled as ReturnType<typeof makeProposal>['values'] };
    const wide = view({ interruptType: 'hazard_review', context: { rows: [wideRow] } });
    const cards = [
      questionCard(question, 'full', { mayAnswer: true, refreshFor: Array.from({ length: 90 }, (_, n) => `29:${n}`) }),
      reviewCard(question, 'full', { page: 3 }),
      reviewCard(wide, 'full', { page: 0, fault: long('wrong', 50), filled: { outcome: 'edited' } }),
      closedCard(question, 'full'),
    ];
    for (const card of cards) expect(sizeOf(card)).toBeLessThan(MAX_CARD_BYTES);
    expect(cards[0]?.refresh?.userIds).toHaveLength(60);
  });

  test.each(['reference-only', 'redacted', 'full'] as const)(
    'an earlier rejection of a row is shown under %s, with its reason only if words may be sent',
    (mode) => {
      const rejectedBefore = { by: 'Bo Adeyemi', at: '2026-03-02T10:00:00.000Z', reason: 'Words of a person' };
      const rows = [{ ...makeProposal(), rejectedBefore }];
      const texts = textsOf(reviewCard(view({ interruptType: 'hazard_review', context: { rows } }), mode, { page: 0 }));
      expect(texts.join()).toContain('Rejected before, on 2 Mar 2026 by Bo Adeyemi');
      expect(texts.join().includes('Words of a person')).toBe(mode === 'full');
    },
  );

  const bytesOf = (it: unknown) => Buffer.byteLength(JSON.stringify(it));
  test.each([
    ['letters of three bytes', '漢字かな。 '.repeat(1650)],
    ['letters of three bytes without a space', '漢'.repeat(20_400)],
    ['signs that are escaped', 'a<b & c>d '.repeat(990)],
    ['short lines', 'a\n'.repeat(4950)],
    ['letters in pairs of units', '🩺'.repeat(6000)],
  ])('%s are measured in the form in which they are sent, and few parts are made of them', (_what, text) => {
    const given: MessageCard = { actions: [{ label: 'Go', action: 'send', value: 'go' }] };
    for (const card of [null, given]) {
      const activities = messageActivities({ text, card }, speaker);
      for (const activity of activities) expect(bytesOf(activity)).toBeLessThan(MAX_CARD_BYTES);
      expect(activities.length).toBeLessThan(8);
      const signs = [...activities.map((it) => it.text ?? textsOf(it.attachments).join('')).join('')];
      const sign = [...text][0] ?? '';
      expect(signs.filter((it) => it === sign).length).toBeGreaterThanOrEqual(
        [...text].filter((it) => it === sign).length,
      );
    }
  });

  test('a question in letters of three bytes fits, with options as long as they may be', () => {
    const label = (index: number) => '漢'.repeat(99) + index;
    const question = view({
      interruptType: 'decision',
      prompt: '漢'.repeat(4000),
      options: Array.from({ length: 6 }, (_, index) => ({ id: `${index}`, label: label(index), action: 'x' })),
      context: { description: '漢'.repeat(2000) },
    });
    const refreshFor = Array.from({ length: 60 }, (_, index) => `29:1${'a'.repeat(100)}${index}`);
    const drawn = questionCard(question, 'full', { mayAnswer: true, refreshFor });
    expect(sizeOf(drawn)).toBeLessThan(MAX_CARD_BYTES);
    expect(textsOf(drawn).join('')).toContain('漢漢');
  });

  test.each(['constructor', 'toString', '__proto__'])('an action “%s” of a message is no button', (action) => {
    const card = { actions: [{ label: 'Press', action, value: 'words' }] } as unknown as MessageCard;
    const drawn = messageActivities({ text: 'Hello', card }, speaker);
    expect(actionsOf(drawn)).toEqual([]);
    expect(drawn).toMatchObject([{ type: 'message', textFormat: 'markdown' }]);
  });

  test('words of people never become links or markup', () => {
    const text = 'Read [this](https://evil.example) <at>everyone</at> & more';
    const [activity] = messageActivities({ text, card: null }, speaker);
    expect(activity?.text).not.toContain('](');
    expect(activity?.text).not.toContain('<at>');
    const question = view({ prompt: text, options: [] });
    expect(JSON.stringify(questionCard(question, 'full', { mayAnswer: true, refreshFor: [] }))).not.toContain('](');
  });

  test('if nobody is known who may answer, everyone fetches their own card', () => {
    const card = questionCard(view({}), 'full', { mayAnswer: false, refreshFor: [] });
    expect(card.refresh?.userIds).toBeUndefined();
    expect(actionsOf(card.actions).map(({ type }) => type)).toEqual(['Action.OpenUrl']);
  });
});
