/** @environment store */
import { beforeEach, expect, test } from '@jest/globals';
import { keepProfile, readKnownProfiles } from '../../../../bot/agents/clinical_safety/profiles/profiles.ts';
import { ReadingProfile } from '../../../../models/clinical_safety/readingProfile.ts';
import type { ProfilePoint } from '../../../../models/contracts/clinical_safety/readingProfiles.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});
const inAccount = <T>(work: () => Promise<T>, of = accountId) => runInAccount(of, work);

const point = (id: string, choice: string | null): ProfilePoint => ({ id, label: `${id}?`, options: [], choice });
const answerOf = (interruptId: number, points: ProfilePoint[], profileId: string | null = null) => ({
  accountId,
  profileId,
  identity: { sheet: 'log', headings: ['hazard#1', 'id#1'] },
  fileName: 'log.csv',
  points,
  chosenBy: { userId: 7, name: 'Ada' },
  chosenAt: new Date('2026-05-03T09:00:00Z'),
  interruptId,
});
const keep = (...given: Parameters<typeof answerOf>) => inAccount(() => keepProfile(answerOf(...given)));
const settledIn = async (of = accountId) =>
  (await inAccount(() => readKnownProfiles(of), of)).map(({ settled }) =>
    settled.map((one) => `${one.point}=${one.choice}`).join(),
  );

test('an answer begins a profile; the next adds its points, and replaces those that it settles anew', async () => {
  const { _id } = await keep(1, [point('scale', 'nhs'), point('phases', 'first-initial')]);
  await keep(2, [point('scale', 'product'), point('direction', null)], String(_id));
  expect(await settledIn()).toEqual(['phases=first-initial,scale=product,direction=null']);
});

test('an answer that is kept again, also after somebody has changed the profile, changes nothing', async () => {
  const { _id } = await keep(1, [point('scale', 'nhs')]);
  await inAccount(() =>
    ReadingProfile.updateOne({ _id, accountId }, { $set: { points: [point('scale', 'none')] }, $inc: { version: 1 } }),
  );
  expect((await keep(1, [point('scale', 'nhs')])).version).toBe(2);
  expect(await settledIn()).toEqual(['scale=none']);
});

test('two answers about one new log at once make one profile that holds both', async () => {
  await Promise.all([keep(1, [point('scale', 'nhs')]), keep(2, [point('column:id', 'ref#1')])]);
  const [settled, another] = await settledIn();
  expect(settled?.split(',').sort()).toEqual(['column:id=ref#1', 'scale=nhs']);
  expect(another).toBeUndefined();
});

test('the same headings on a sheet of another name are another log', async () => {
  const first = await keep(1, [point('scale', 'nhs')]);
  const other = { ...answerOf(2, [point('scale', 'product')]), identity: { sheet: 'ward', headings: first.headings } };
  expect(String((await inAccount(() => keepProfile(other)))._id)).not.toBe(String(first._id));
  expect((await settledIn()).sort()).toEqual(['scale=nhs', 'scale=product']);
});

test('an answer restores a forgotten profile of the log without its earlier points; another company has its own', async () => {
  const { _id } = await keep(1, [point('scale', 'nhs'), point('phases', 'first-residual')]);
  await inAccount(() => ReadingProfile.updateOne({ _id, accountId }, { $set: { isForgotten: true } }));
  expect(await settledIn()).toEqual([]);
  expect(String((await keep(2, [point('scale', 'product')]))._id)).toBe(String(_id));
  expect(await settledIn()).toEqual(['scale=product']);
  expect(await settledIn(nextNumber())).toEqual([]);
});
