/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  answerOfReview,
  findPageFault,
  firstOpenPage,
  openReview,
  type Review,
  readPage,
  savedAtOf,
  sendPage,
  walk,
} from '../../../bot/engine/interrupts/reviewByPages.ts';
import { saveDraft } from '../../../bot/engine/interrupts/saveDraft.ts';
import { Account } from '../../../models/account.ts';
import type { FilledRow, RowDecision } from '../../../models/contracts/questionRows.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';

connectTestStore();

let accountId = 0;
let who: Who;
let id = 0;
beforeEach(async () => {
  accountId = nextNumber();
  who = makeWho({ accountId });
  id = await ask({});
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
async function ask(change: Partial<InterruptRow>): Promise<number> {
  const _id = nextNumber();
  const row = makeInterrupt({
    _id,
    accountId,
    askKey: `ask:${_id}`,
    interruptType: 'hazard_review',
    context: { rows: ['p1', 'p2', 'p3'].map((row) => makeProposal({ id: row })) },
    draft: { rows: [], version: 0, savedAt: null, savedBy: null },
    ...change,
  });
  await inAccount(() => Interrupt.create(row));
  return _id;
}
const open = (...more: [mode?: Parameters<typeof openReview>[3]]) =>
  inAccount(() => openReview(who, id, 'slack', ...more));
const filled = (outcome?: string, more: Partial<FilledRow> = {}): FilledRow => ({ outcome, values: {}, ...more });
const decision = (row: string, outcome: RowDecision['outcome']): RowDecision => ({ id: row, outcome });
const send = (review: Review, page: number, outcome: RowDecision['outcome']) =>
  inAccount(() => sendPage(review, page, readPage(review, page, filled(outcome)).row as RowDecision));
const decisions = async () => (await open()).question.draft?.rows.map(({ id: row, outcome }) => `${row} ${outcome}`);

describe('a review of rows, page by page', () => {
  test('opens at the first undecided row, or at the first one if all are decided', async () => {
    expect(firstOpenPage((await open()).question)).toBe(0);
    await inAccount(() => saveDraft(who, id, [decision('p1', 'accepted'), decision('p3', 'rejected')], 0));
    expect(firstOpenPage((await open()).question)).toBe(1);
    await inAccount(() =>
      saveDraft(
        who,
        id,
        ['p1', 'p2', 'p3'].map((row) => decision(row, 'accepted')),
        1,
      ),
    );
    expect(firstOpenPage((await open()).question)).toBe(0);
  });

  test('overwrites no decision that a colleague made after the page was drawn', async () => {
    const colleague = { ...who, userId: who.userId + 1, name: 'Bo Lind' };
    const before = savedAtOf((await open()).question);
    expect(before).toBe('');
    await inAccount(() => saveDraft(colleague, id, [decision('p1', 'rejected')], 0));
    const stale = await inAccount(() => openReview(who, id, 'slack', undefined, before));
    const shown = await send(stale, 0, 'accepted');
    expect(shown).toMatchObject({
      page: 0,
      fault: expect.stringMatching(/^Bo Lind has decided this row meanwhile: Rejected/),
    });
    const page = readPage(stale, 0, filled('accepted'));
    await inAccount(() => walk(stale, page, 1));
    expect(await decisions()).toEqual(['p1 rejected']);
    // Another row, the page as it was drawn again, and one’s own decision are saved.
    await send(stale, 1, 'accepted');
    expect(await decisions()).toEqual(['p1 rejected', 'p2 accepted']);
    const again = await inAccount(() => openReview(who, id, 'slack', undefined, before));
    await send(again, 1, 'rejected');
    const fresh = await open();
    const seen = await inAccount(() => openReview(who, id, 'slack', undefined, savedAtOf(fresh.question)));
    await send(seen, 0, 'accepted');
    expect(await decisions()).toEqual(['p2 rejected', 'p1 accepted']);
  });

  test('counts as shown under the strictest mode of its pages', async () => {
    expect(await open()).toMatchObject({ mode: 'reference-only', drawnUnder: 'reference-only' });
    await Account.create({
      _id: accountId,
      name: 'Acme',
      channelConsent: { slack: 'full', teams: 'redacted' },
    } as never);
    expect(await open()).toMatchObject({ mode: 'full', drawnUnder: 'full' });
    expect(await open('redacted')).toMatchObject({ mode: 'full', drawnUnder: 'redacted' });
  });

  test('is refused for a question without rows, a closed one, and a missing page', async () => {
    const others = [await ask({ interruptType: 'approval', context: {} as never }), await ask({ status: 'cancelled' })];
    const codes = [];
    for (const other of [...others, nextNumber()]) {
      codes.push(await codeOf(inAccount(() => openReview(who, other, 'teams'))));
    }
    expect(codes).toEqual(['bad_request', 'already_answered', 'not_found']);
    const review = await open();
    expect(await codeOf((async () => readPage(review, 3, filled('accepted')))())).toBe('not_found');
  });

  test.each<[title: string, given: FilledRow, fault: object | null]>([
    ['nothing chosen', filled(), { part: 'outcome', text: 'Choose accept, edit or reject.' }],
    ['accepted', filled('accepted'), null],
    ['rejected', filled('rejected'), null],
    ['edited without a change', filled('edited'), { part: 'outcome' }],
    ['a candidate that was not proposed', filled('accepted', { choice: 'none' }), { part: 'choice' }],
  ])('names the error of a page: %s', async (_title, given, fault) => {
    const review = await open();
    const found = findPageFault(review, readPage(review, 0, given));
    if (fault) expect(found).toMatchObject(fault);
    else expect(found).toBeNull();
  });

  test('stores a sent page and goes to the next open row, until there is none', async () => {
    expect(await send(await open(), 1, 'accepted')).toMatchObject({ page: 2 });
    expect(await send(await open(), 2, 'rejected')).toMatchObject({ page: 0 });
    const last = await send(await open(), 0, 'accepted');
    expect(last).toMatchObject({ page: null });
    expect(await decisions()).toEqual(['p2 accepted', 'p3 rejected', 'p1 accepted']);
    expect(answerOfReview(last.at)).toEqual({ userResponse: { rows: last.at.draft?.rows }, draftVersion: 3 });
  });

  test('opens the row that another reviewer left invalid, and says why', async () => {
    await inAccount(() => saveDraft(who, id, [decision('p1', 'accepted'), decision('p2', 'edited')], 0));
    const shown = await send(await open(), 2, 'accepted');
    expect(shown).toMatchObject({ page: 1, fault: expect.stringMatching(/nothing was changed/) });
  });

  test('stores a complete decision on turning the page, and drops an incomplete one', async () => {
    const turn = async (page: number, by: 1 | -1, outcome?: string) => {
      const review = await open();
      return (await inAccount(() => walk(review, readPage(review, page, filled(outcome)), by))).page;
    };
    expect([await turn(0, -1), await turn(0, 1, 'accepted'), await turn(2, 1, 'edited')]).toEqual([0, 1, 2]);
    expect(await turn(2, -1, 'rejected')).toBe(1);
    expect(await decisions()).toEqual(['p1 accepted', 'p3 rejected']);
  });
});
