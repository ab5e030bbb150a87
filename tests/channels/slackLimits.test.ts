import { describe, expect, test } from '@jest/globals';
import { homeView } from '../../bot/channels/slack/cards/homeView.ts';
import { questionPost } from '../../bot/channels/slack/cards/interruptBlocks.ts';
import { messagePosts } from '../../bot/channels/slack/cards/messageBlocks.ts';
import { fieldsModal } from '../../bot/channels/slack/cards/modals.ts';
import { reviewModal } from '../../bot/channels/slack/cards/reviewModal.ts';
import { viewInterrupt } from '../../bot/engine/delivery/viewInterrupt.ts';
import { makeInterrupt, makeProposal } from '../factories/interrupt.ts';
import { checkBlocks, checkView } from '../fakes/slack/methods.ts';

const long = (words: string, most: number) => words.repeat(Math.ceil(most / words.length)).slice(0, most);
const view = (overrides: Parameters<typeof makeInterrupt>[0]) =>
  viewInterrupt(makeInterrupt(overrides), null, 'Europe/London');
type Drawn = { type: string; block_id?: string; rows?: { text: string }[][]; element?: { options?: object[] } };

describe('a table', () => {
  const drawn = (rows: number, columns: number, length: number) => {
    const cells = (row: number) => Array.from({ length: columns }, (_, at) => long(`Row ${row} cell ${at} `, length));
    const table = { columns: cells(0), rows: Array.from({ length: rows }, (_, row) => cells(row + 1)) };
    return messagePosts({ text: 'Analysis complete', card: { table } });
  };

  test.each([
    ['of more rows than Slack takes', 500, 4, 40],
    ['of more columns than Slack takes', 3, 30, 40],
    ['of cells that are long together', 90, 4, 2000],
    ['of cells that are long each', 5, 4, 9000],
    ['of many rows and many columns', 100, 20, 40],
  ])('%s is cut to Slack’s limits', (_what, rows, columns, length) => {
    const posts = drawn(rows, columns, length);
    for (const { text, blocks } of posts) expect(checkBlocks({ text, blocks })).toBeNull();
    const table = posts.flatMap(({ blocks }) => blocks as unknown as Drawn[]).find(({ type }) => type === 'table');
    expect(table?.rows?.[1]?.[0]?.text).toMatch(/^Row 1 cell/);
    // No cell is cut to nothing; omitted rows are counted.
    const shortest = Math.min(length, 30);
    for (const { text } of table?.rows?.flat() ?? []) expect(text.length).toBeGreaterThanOrEqual(shortest);
    const left = rows + 1 - (table?.rows?.length ?? 0);
    expect(/and (\d+) more in </.exec(JSON.stringify(posts))?.[1]).toBe(left > 0 ? String(left) : undefined);
    expect(left > 0).toBe(rows * Math.min(columns, 20) > 225);
  });

  test('that fits is complete', () => {
    const table = drawn(20, 4, 60)
      .flatMap(({ blocks }) => blocks as unknown as Drawn[])
      .at(-1);
    expect(table?.rows?.[20]?.[3]?.text).toHaveLength(60);
  });
});

describe.each([
  ['words', 'The dose that is shown is not the one that was prescribed. '],
  ['signs that are escaped', '<&>'],
  ['one word without an end', '危'],
])('long texts of %s: within Slack’s limits is', (_what, words) => {
  const text = long(words, 9000);
  const values = {
    name: text,
    description: text,
    cause: text,
    clinicalImpact: text,
    controlDesign: text,
    controlTest: text,
    controlTraining: text,
    controlBusiness: text,
  };
  const DRAWN = [0, 600, 1199];
  const candidate = (at: number) => ({ kbId: `MED-${at}`, title: text, category: 'Medicines', score: 1 });
  const proposal = (at: number) =>
    makeProposal({
      id: `p${at}`,
      // More options than a menu holds, on the pages that are drawn.
      candidates: Array.from({ length: DRAWN.includes(at) ? 120 : 2 }, (_, index) => candidate(index)),
      sure: false,
      values,
      evidence: Array.from({ length: 9 }, (_, index) => ({
        ticketKey: `${long(words, 100)}-${index}`,
        summary: text,
        quote: text,
      })),
      rejectedBefore: { by: 'Ada Okafor', at: '2026-11-01T10:00:00.000Z', reason: text },
    });
  const asked = view({
    interruptType: 'hazard_review',
    prompt: text,
    context: { description: text, rows: Array.from({ length: 1200 }, (_, at) => proposal(at)) },
  });
  const decision = view({ interruptType: 'decision', prompt: text, options: Array.from({ length: 60 }, () => text) });

  test.each(['accepted', 'edited', 'rejected'] as const)('a page of a review where a row is %s', (outcome) => {
    for (const page of DRAWN)
      expect(checkView({ ...reviewModal(asked, 'full', { page, home: true, outcome }) })).toBe(false);
    const drawn = reviewModal(asked, 'full', { page: 0, home: true, outcome }).blocks as unknown as Drawn[];
    const choice = drawn.find(({ block_id: id }) => id === 'choice:0');
    expect(choice?.element?.options?.length).toBe(outcome === 'rejected' ? undefined : 100);
  });

  test('a result with its links', () => {
    const actions = [{ label: 'Download', action: 'download' as const, value: 'log.xlsx' }];
    const posts = messagePosts({ text: 'Analysis complete', card: { page: '/analyses/7', actions } });
    for (const post of posts) expect(checkBlocks({ ...post })).toBeNull();
    expect(JSON.stringify(posts)).toMatch(
      /<http[^|]+\/analyses\/7\|Full result in Arc> · <http[^|]+log\.xlsx\|Download>/,
    );
  });

  test('each form', () => {
    const edited = view({
      interruptType: 'project_preview',
      prompt: text,
      context: { description: text },
      options: [{ id: 'edit', label: text, action: 'edit' }],
    });
    for (const [question, action] of [
      [asked, 'reject'],
      [view({ interruptType: 'approval', prompt: text }), 'reject'],
      [view({ interruptType: 'input', prompt: text }), 'input'],
      [view({ interruptType: 'made_up', prompt: text }), 'input'],
      [edited, 'option:0'],
    ] as const)
      expect(checkView({ ...fieldsModal(question, 'full', action, true) })).toBe(false);
  });

  test('each question, and Home with many of them', () => {
    for (const question of [asked, decision]) expect(checkBlocks({ ...questionPost(question, 'full') })).toBeNull();
    const questions = Array.from({ length: 60 }, (_, at) => ({ ...(at % 2 ? asked : decision), id: at }));
    expect(checkView({ ...homeView(questions, 'full') })).toBe(false);
  });
});

test('a text too long for a field can’t be edited in Slack; one that fits can', () => {
  const { values } = makeProposal();
  const question = view({
    interruptType: 'hazard_review',
    context: {
      rows: [makeProposal({ values: { ...values, cause: long('x', 3001), clinicalImpact: long('x', 3000) } })],
    },
  });
  const page = reviewModal(question, 'full', { page: 0, home: false, outcome: 'edited' });
  const ids = (page.blocks as { block_id?: string }[]).map(({ block_id: id }) => id);
  expect(ids).toContain('field:clinicalImpact:0');
  expect(ids).not.toContain('field:cause:0');
});
